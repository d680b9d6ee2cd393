'use strict';
// The map: tiles, lines and waypoints, and what is selected.

const lineColors = { hike: '#c2185b', planned: '#1557d6' };
const categoryColors = {
  trailMarker: '#8d6e63', viewpoint: '#8e24aa', waterSource: '#0288d1', campsite: '#2e7d32', danger: '#d50000',
  food: '#ef6c00', shelter: '#5d4037', parking: '#3949ab', custom: '#546e7a',
};

class MapView {
  constructor(data, tiles) {
    this.data = data;
    this.buttons = new Map();
    this.drawn = new Map();
    this.markers = new Map();
    this.groups = new Map();
    this.selected = null;
    const { region } = data;
    const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.map = L.map('map', {
      attributionControl: false,
      preferCanvas: true,
      minZoom: Math.max(0, region.minimumZoom - 2),
      maxZoom: region.maximumZoom + 2,
      zoomAnimation: !still, fadeAnimation: !still, markerZoomAnimation: !still,
    });
    this.renderer = L.canvas({ padding: 0.3, tolerance: 6 });
    const [south, west, north, east] = region.bounds;
    this.bounds = L.latLngBounds([[south, west], [north, east]]);
    this.map.fitBounds(this.bounds);
    L.control.scale({ imperial: false }).addTo(this.map);
    this.drawAttribution(region);
    this.drawTiles(region, tiles);
    this.map.on('zoomend', () => this.sizeMarkers());
    // A pane above the lines, which the pointer does not notice: it would hide them from it.
    this.map.createPane('follower');
    this.follower = L.circleMarker([0, 0], {
      pane: 'follower', radius: 7, color: '#fff', weight: 2, fillColor: '#000', fillOpacity: 1, interactive: false,
    });
    document.getElementById('details-close').addEventListener('click', () => this.unselect());
    this.map.on('keydown', (event) => { if (event.originalEvent.key === 'Escape') this.map.closePopup(); });
  }

  drawAttribution(region) {
    const text = region.attribution ?? '';
    if (!text) return;
    const control = L.control({ position: 'bottomright' });
    control.onAdd = () => element('div', { className: 'attribution' }, text);
    control.addTo(this.map);
  }

  drawTiles(region, tiles) {
    const layer = tileLayer(region, tiles);
    if (!layer) {
      notice(region.format === 'pbf'
        ? 'This map has vector tiles, which this page does not draw. Hikes, routes and waypoints are drawn.'
        : 'The tiles of this map have a format that this page does not draw.');
      this.ready();
      return;
    }
    layer.on('load', () => this.ready());
    layer.addTo(this.map);
  }

  /** Says that everything is drawn. */
  ready() {
    document.documentElement.dataset.ready = 'yes';
  }

  drawItems() {
    this.data.lines.forEach((line) => this.drawLine(line));
    this.data.waypoints.forEach((waypoint) => this.drawWaypoint(waypoint));
    this.groups.forEach((group) => group.addTo(this.map));
  }

  drawLine(line) {
    const segments = line.segments.map((numbers) => {
      const points = [];
      for (let index = 0; index + 1 < numbers.length; index += 2) points.push([numbers[index], numbers[index + 1]]);
      return points;
    });
    const dashes = line.kind === 'planned' ? '10 8' : null;
    const common = { renderer: this.renderer, lineCap: 'round', lineJoin: 'round' };
    const casing = L.polyline(segments, { ...common, color: '#fff', weight: 8, opacity: 0.75, interactive: false });
    const stroke = L.polyline(segments, { ...common, color: lineColors[line.kind], weight: 4, dashArray: dashes });
    stroke.bindTooltip(element('span', {}, line.name || 'Without a name'), { sticky: true });
    stroke.on('click', () => this.select(line, false));
    stroke.on('mousemove', (event) => this.followLine(line, event.latlng));
    stroke.on('mouseout', () => { if (this.profile) this.profile.choose(null); });
    this.drawn.set(line, L.layerGroup([casing, stroke]).addTo(this.map));
    this.drawn.get(line).stroke = stroke;
  }

  drawWaypoint(waypoint) {
    const marker = L.circleMarker([waypoint.latitude, waypoint.longitude], {
      renderer: this.renderer, radius: this.radius(), color: '#fff', weight: 2, fillOpacity: 1,
      fillColor: categoryColors[waypoint.category],
    });
    const name = waypoint.label || this.category(waypoint).name;
    marker.bindTooltip(element('span', {}, name));
    marker.bindPopup(() => this.popup(waypoint, name), { maxWidth: 300 });
    this.markers.set(waypoint, marker);
    if (!this.groups.has(waypoint.category)) this.groups.set(waypoint.category, L.layerGroup());
    this.groups.get(waypoint.category).addLayer(marker);
  }

  /** The radius of markers: small where they are close together. */
  radius() {
    return Math.max(4, Math.min(7, this.map.getZoom() - 7));
  }

  sizeMarkers() {
    this.markers.forEach((marker) => marker.setRadius(this.radius()));
  }

  category(waypoint) {
    return this.data.categories.find((category) => category.id === waypoint.category);
  }

  popup(waypoint, name) {
    const facts = [this.category(waypoint).name];
    if (waypoint.elevation !== undefined) facts.push(Words.height(waypoint.elevation));
    facts.push(`${waypoint.latitude.toFixed(5)}, ${waypoint.longitude.toFixed(5)}`);
    return element(
      'div', { className: 'waypoint' },
      element('h2', {}, name),
      element('p', {}, facts.join(' · ')),
      waypoint.note ? element('p', { className: 'note' }, waypoint.note) : null,
      waypoint.photo ? this.photo(waypoint, name) : null,
    );
  }

  photo(waypoint, name) {
    const image = element('img', { alt: `Photo of ${name}`, className: 'photo' });
    image.addEventListener('load', () => { const marker = this.markers.get(waypoint); marker.getPopup().update(); });
    image.addEventListener('error', () => image.replaceWith(element('p', {}, 'This browser cannot show the photo.')));
    image.src = waypoint.photo;
    return image;
  }

  showLine(line, isShown) {
    if (isShown) this.drawn.get(line).addTo(this.map); else this.drawn.get(line).remove();
  }

  showCategory(category, isShown) {
    if (isShown) this.groups.get(category).addTo(this.map); else this.groups.get(category).remove();
  }

  openWaypoint(waypoint) {
    const marker = this.markers.get(waypoint);
    this.groups.get(waypoint.category).addTo(this.map);
    const zoom = Math.max(this.map.getZoom(), Math.min(15, this.data.region.maximumZoom));
    this.map.setView(marker.getLatLng(), zoom);
    marker.openPopup();
  }

  select(line, moves) {
    this.unselect();
    this.selected = line;
    this.buttons.get(line).setAttribute('aria-pressed', 'true');
    this.drawn.get(line).addTo(this.map);
    this.drawn.get(line).stroke.setStyle({ weight: 6 }).bringToFront();
    const facts = Words.line(line);
    if (line.startTime) facts.push(`from ${Words.time(line.startTime)} to ${Words.time(line.endTime)}`);
    if (line.restingTime > 0) {
      facts.push(`${Words.duration(line.walkingTime)} in motion, ${Words.duration(line.restingTime)} at rest`);
    }
    document.getElementById('details-name').textContent = line.name || 'Without a name';
    document.getElementById('details-facts').textContent = Words.facts(facts);
    document.getElementById('details-comment').textContent = line.comment || '';
    const place = document.getElementById('profile');
    if (line.profile) {
      this.profile = new Profile(line.profile, (sample) => this.mark(sample));
      place.replaceChildren(this.profile.element);
    } else {
      place.replaceChildren(element('p', {}, 'This route has no elevation data.'));
    }
    document.getElementById('details').hidden = false;
    this.map.invalidateSize();
    const bounds = this.drawn.get(line).stroke.getBounds();
    if (moves && bounds.isValid()) this.map.fitBounds(bounds, { padding: [30, 30] });
  }

  unselect() {
    if (this.selected) {
      this.buttons.get(this.selected).setAttribute('aria-pressed', 'false');
      this.drawn.get(this.selected).stroke.setStyle({ weight: 4 });
    }
    this.selected = null;
    this.profile = null;
    this.follower.remove();
    document.getElementById('details').hidden = true;
    this.map.invalidateSize();
  }

  followLine(line, place) {
    if (line !== this.selected || !this.profile) return;
    this.profile.choose(this.profile.indexNear(place.lat, place.lng));
  }

  mark(sample) {
    if (!sample) this.follower.remove();
    else this.follower.setLatLng([sample[2], sample[3]]).addTo(this.map);
  }
}

async function start() {
  try {
    const data = await load('region');
    const tiles = document.getElementById('data-tiles') ? await load('tiles') : null;
    document.title = data.region.name;
    document.getElementById('name').textContent = data.region.name;
    document.getElementById('facts').textContent = [
      Words.count(data.lines.filter((line) => line.kind === 'hike').length, 'recorded hike'),
      Words.count(data.lines.filter((line) => line.kind === 'planned').length, 'planned route'),
      Words.count(data.waypoints.length, 'waypoint'),
    ].join(', ');
    if (tiles) document.getElementById('navigation').remove();
    data.leftOut.forEach(notice);
    window.view = new MapView(data, tiles);
    // The browser asks for the tiles when the script pauses. It loads them while the rest is drawn.
    await null;
    window.view.drawItems();
    fillPanel(data, window.view);
  } catch (error) {
    notice(`The map cannot be shown: ${error.message}`);
    document.documentElement.dataset.ready = 'failed';
  }
}

start();
