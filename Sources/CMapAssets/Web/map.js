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
    // The boxes in the list that say what is on the map, by the line or the id of the category.
    this.boxes = new Map();
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
    this.drawTiles(data, tiles);
    this.map.on('zoomend', () => this.sizeMarkers());
    this.map.on('resize', () => this.sizePopups());
    // A pane above the lines, which the pointer does not notice: it would hide them from it.
    this.map.createPane('follower');
    this.follower = L.circleMarker([0, 0], {
      pane: 'follower', radius: 7, color: '#fff', weight: 2, fillColor: '#000', fillOpacity: 1, interactive: false,
    });
    document.getElementById('details-close').addEventListener('click', () => this.unselect());
    document.addEventListener('keydown', (event) => { if (event.key === 'Escape') this.leave(); });
  }

  drawAttribution(region) {
    const text = region.attribution ?? '';
    if (!text) return;
    const control = L.control({ position: 'bottomright' });
    control.onAdd = () => element('div', { className: 'attribution' }, text);
    control.addTo(this.map);
  }

  drawTiles(data, tiles) {
    const { region } = data;
    const layer = tileLayer(data, tiles);
    if (!layer) {
      notice(region.format === 'pbf'
        ? 'This map has vector tiles, which this page does not draw. Hikes, routes and waypoints are drawn.'
        : 'The tiles of this map have a format that this page does not draw.');
      this.ready();
      return;
    }
    this.layer = layer;
    layer.on('load', () => this.ready());
    if (!tiles) {
      layer.on('tileerror', () => this.look());
      layer.on('tileload', () => { document.getElementById('lost').hidden = true; });
    }
    layer.addTo(this.map);
  }

  /** Says that everything is drawn. */
  ready() {
    document.documentElement.dataset.ready = 'yes';
  }

  /** Finds out whether the server is still there, and says so if it is not. Returns whether it is. */
  async look() {
    try {
      await fetch('../assets/style.css', { method: 'HEAD' });
      return true;
    } catch {
      const place = document.getElementById('lost');
      place.textContent = 'The program that shows this page does not answer any more, or this device has left its network. '
        + 'What was not loaded yet stays empty.';
      place.hidden = false;
      return false;
    }
  }

  /** Closes what is open: the popup, or else the details. */
  leave() {
    if (document.getElementById('large').open) return;
    if (document.querySelector('.leaflet-popup')) this.map.closePopup();
    else if (this.selected) this.unselect();
  }

  drawItems() {
    this.data.lines.forEach((line) => this.drawLine(line));
    this.data.waypoints.forEach((waypoint) => this.drawWaypoint(waypoint));
    this.groups.forEach((group) => group.addTo(this.map));
    this.limit();
  }

  /** Lets the map be moved as far as it and its items reach, and once their size farther. */
  limit() {
    const all = L.latLngBounds(this.bounds.getSouthWest(), this.bounds.getNorthEast());
    this.drawn.forEach((line) => { if (line.stroke.getBounds().isValid()) all.extend(line.stroke.getBounds()); });
    this.markers.forEach((marker) => all.extend(marker.getLatLng()));
    this.map.setMaxBounds(all.pad(1));
  }

  /** A place beside the map: across 180°, longitudes go on beyond it. */
  place(latitude, longitude) {
    const middle = this.bounds.getCenter().lng;
    const shift = longitude < middle - 180 ? 360 : longitude > middle + 180 ? -360 : 0;
    return [latitude, longitude + shift];
  }

  drawLine(line) {
    const segments = line.segments.map((numbers) => {
      const points = [];
      for (let index = 0; index + 1 < numbers.length; index += 2) points.push(this.place(numbers[index], numbers[index + 1]));
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
    const marker = L.circleMarker(this.place(waypoint.latitude, waypoint.longitude), {
      renderer: this.renderer, radius: this.radius(), color: '#fff', weight: 2, fillOpacity: 1,
      fillColor: categoryColors[waypoint.category],
    });
    const name = waypoint.label || this.category(waypoint).name;
    marker.bindTooltip(element('span', {}, name));
    // A photo that is as narrow as a short name cannot be seen.
    const minWidth = Math.min(waypoint.photo ? 280 : 180, this.popupWidth());
    // Leaflet asks for the content at every update, and the photo updates its popup when it is there: a new photo for each
    // update would do so without end.
    let content = null;
    marker.on('popupclose', () => { content = null; });
    marker.bindPopup(() => content ??= this.popup(waypoint, name), {
      minWidth, maxWidth: this.popupWidth(), maxHeight: this.popupHeight(),
      // The buttons for the zoom stay free.
      autoPanPaddingTopLeft: [60, 12], autoPanPaddingBottomRight: [12, 12],
    });
    this.markers.set(waypoint, marker);
    if (!this.groups.has(waypoint.category)) this.groups.set(waypoint.category, L.layerGroup());
    this.groups.get(waypoint.category).addLayer(marker);
  }

  popupWidth() {
    return Math.max(120, Math.min(320, this.map.getSize().x - 130));
  }

  /** The height from which a popup scrolls: it has the margins of the map, and its tip. */
  popupHeight() {
    return Math.max(120, this.map.getSize().y - 90);
  }

  sizePopups() {
    const [maxWidth, maxHeight] = [this.popupWidth(), this.popupHeight()];
    this.markers.forEach((marker) => Object.assign(marker.getPopup().options, { maxWidth, maxHeight }));
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
      element('p', {}, Words.facts(facts)),
      waypoint.note ? element('p', { className: 'note' }, waypoint.note) : null,
      waypoint.photo ? this.photo(waypoint, name) : null,
    );
  }

  photo(waypoint, name) {
    const image = element('img', { alt: `Photo of ${name}`, className: 'photo' });
    const button = element(
      'button', { type: 'button', className: 'photo-button', 'aria-label': `Enlarge the photo of ${name}` }, image,
    );
    button.addEventListener('click', () => this.enlarge(waypoint, name));
    image.addEventListener('load', () => { const marker = this.markers.get(waypoint); marker.getPopup().update(); });
    image.addEventListener('error', async () => {
      const isThere = waypoint.photo.startsWith('data:') || await this.look();
      button.replaceWith(element(
        'p', {}, isThere ? 'This browser cannot show the photo.' : 'The photo cannot be loaded any more.',
      ));
    });
    image.src = waypoint.photo;
    return button;
  }

  /** Shows a photo as large as the window. */
  enlarge(waypoint, name) {
    document.getElementById('large-name').textContent = name;
    const image = document.getElementById('large-photo');
    image.alt = `Photo of ${name}`;
    image.src = waypoint.photo;
    document.getElementById('large').showModal();
  }

  showLine(line, isShown) {
    if (isShown) this.drawn.get(line).addTo(this.map); else this.drawn.get(line).remove();
    if (!isShown && line === this.selected) this.unselect();
  }

  showCategory(category, isShown) {
    if (isShown) this.groups.get(category).addTo(this.map); else this.groups.get(category).remove();
  }

  openWaypoint(waypoint) {
    const marker = this.markers.get(waypoint);
    this.showCategory(waypoint.category, true);
    this.boxes.get(waypoint.category).checked = true;
    this.comeIntoView();
    const zoom = Math.max(this.map.getZoom(), Math.min(15, this.data.region.maximumZoom));
    // The popup moves the map too, which would stop an animation before its end.
    this.map.setView(marker.getLatLng(), zoom, { animate: false });
    marker.openPopup();
  }

  /** On phones, the list is below the map, which may be out of sight. */
  comeIntoView() {
    document.getElementById('middle').scrollIntoView({ block: 'nearest' });
    this.map.invalidateSize();
  }

  select(line, moves) {
    this.unselect();
    this.selected = line;
    this.buttons.get(line).setAttribute('aria-pressed', 'true');
    this.showLine(line, true);
    this.boxes.get(line).checked = true;
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
      this.profile = new Profile(line.profile, line.distance, (sample) => this.mark(sample));
      place.replaceChildren(this.profile.element);
    } else {
      place.replaceChildren(element('p', {}, 'This route has no elevation data.'));
    }
    document.getElementById('details').hidden = false;
    document.getElementById('announcement').textContent = `${line.name || 'Without a name'}: ${facts.join(', ')}`;
    this.map.invalidateSize();
    if (moves) this.comeIntoView();
    const bounds = this.drawn.get(line).stroke.getBounds();
    if (moves && bounds.isValid()) this.map.fitBounds(bounds, { padding: [30, 30] });
  }

  unselect() {
    const details = document.getElementById('details');
    if (this.selected) {
      if (details.contains(document.activeElement)) this.buttons.get(this.selected).focus();
      this.buttons.get(this.selected).setAttribute('aria-pressed', 'false');
      this.drawn.get(this.selected).stroke.setStyle({ weight: 4 });
    }
    this.selected = null;
    this.profile = null;
    this.follower.remove();
    details.hidden = true;
    this.map.invalidateSize();
  }

  followLine(line, place) {
    if (line !== this.selected || !this.profile) return;
    this.profile.choose(this.profile.indexNear(place.lat, Words.longitude(place.lng)));
  }

  mark(sample) {
    if (!sample) this.follower.remove();
    else this.follower.setLatLng(this.place(sample[2], sample[3])).addTo(this.map);
  }
}

async function start() {
  try {
    const data = await load('region');
    const tiles = document.querySelector('script.data-tiles') ? await load('tiles') : null;
    document.title = data.region.name;
    document.getElementById('name').textContent = data.region.name;
    document.getElementById('facts').textContent = [
      Words.count(data.region.hikes, 'recorded hike'),
      Words.count(data.region.plannedRoutes, 'planned route'),
      Words.count(data.region.waypoints, 'waypoint'),
    ].join(', ');
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
