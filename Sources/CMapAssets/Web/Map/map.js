'use strict';
// The map: tiles, lines, and what is selected.

const lineColors = { hike: '#c2185b', planned: '#1557d6' };

/** What else is in the details of a line: functions that make an element. The window adds its own. */
const lineParts = [];

class MapView {
  constructor(data, tiles) {
    this.data = data;
    this.buttons = new Map();
    // The boxes in the list that say what is on the map, by the line or the id of the category.
    this.boxes = new Map();
    this.drawn = new Map();
    this.selected = null;
    const { region } = data;
    const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.map = L.map('map', {
      attributionControl: false,
      zoomControl: false,
      preferCanvas: true,
      minZoom: Math.max(0, region.minimumZoom - 2),
      maxZoom: region.maximumZoom + 2,
      zoomAnimation: !still, fadeAnimation: !still, markerZoomAnimation: !still,
    });
    L.control.zoom({ zoomInTitle: t('Zoom in'), zoomOutTitle: t('Zoom out') }).addTo(this.map);
    // A finger needs 44 pixels, and the radius of a marker is 7.
    const isTouched = window.matchMedia('(pointer: coarse)').matches;
    this.renderer = L.canvas({ padding: 0.3, tolerance: isTouched ? 15 : 6 });
    this.waypoints = new WaypointLayer(this);
    const [south, west, north, east] = region.bounds;
    this.bounds = L.latLngBounds([[south, west], [north, east]]);
    const read = Address.read(window.location.hash);
    if (read) this.map.setView(this.place(read.latitude, read.longitude), read.zoom); else this.showWhole();
    L.control.scale({ imperial: false }).addTo(this.map);
    this.coarse = element('p', { className: 'coarse-note', role: 'status', hidden: true });
    const note = L.control({ position: 'bottomleft' });
    note.onAdd = () => this.coarse;
    note.addTo(this.map);
    this.drawAttribution(region);
    this.drawTiles(data, tiles);
    // A pane above the lines, which the pointer does not notice: it would hide them from it.
    this.map.createPane('follower');
    this.follower = L.circleMarker([0, 0], {
      pane: 'follower', radius: 7, color: '#fff', weight: 2, fillColor: '#000', fillOpacity: 1, interactive: false,
    });
    this.tools = new Tools(this);
    this.position = new Position(this, this.tools);
    this.placeMode = new PlaceMode(this, this.tools);
    this.measureMode = new MeasureMode(this, this.tools);
    this.address = new Address(this);
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
      const other = region.format === 'pbf'
        ? t('This map has vector tiles. This program was built without MapLibre, which draws them. '
          + 'Hikes, routes and waypoints are drawn.')
        : t('The tiles of this map have a format that this page does not draw.');
      notice(region.foreign
        ? t`${t(region.foreign)}: other programs open it, and this page does not draw it. Hikes, routes and waypoints are drawn.`
        : other);
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
    this.map.on('moveend', () => this.noteDetail());
    this.noteDetail();
  }

  /** Says so if the place in the middle has less detail than others. */
  noteDetail() {
    const [z, { coverage }] = [this.map.getZoom(), this.layer.options];
    const { x, y } = this.map.project(this.map.getCenter(), z).divideBy(256).floor();
    const length = 2 ** z;
    const isCoarse = coverage.isCoarseAt({ x: ((x % length) + length) % length, y, z });
    const note = this.data.lack ? t('This file has less detail here') : t('This map has less detail here');
    const words = isCoarse ? note : '';
    if (this.coarse.textContent !== words) this.coarse.textContent = words;
    this.coarse.hidden = !words;
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
      place.textContent = t('The program that shows this page does not answer any more, or this device has left its network. '
        + 'What was not loaded yet stays empty.');
      place.hidden = false;
      return false;
    }
  }

  /** Shows the whole map. */
  showWhole() {
    this.map.fitBounds(this.bounds);
  }

  /** Where popups move the map to: the buttons stay free. */
  popupPlace() {
    return { autoPanPaddingTopLeft: [60, 64], autoPanPaddingBottomRight: [12, 12] };
  }

  /** Ticks a box of the list, and so shows what it stands for. */
  check(key) {
    const box = this.boxes.get(key);
    if (!box.checked) box.click();
  }

  /** Notes that the view or what is open has changed. */
  noteChange() {
    this.address?.noteChange();
  }

  /** Closes what is open: the popup, or else the mode, or else the details. */
  leave() {
    if (document.getElementById('large').open) return;
    if (document.querySelector('.leaflet-popup')) this.map.closePopup();
    else if (this.tools.mode) this.tools.enter(null);
    else if (this.selected) this.unselect();
  }

  drawItems() {
    this.data.lines.forEach((line) => this.drawLine(line));
    this.waypoints.drawWaypoints();
    this.limit();
    this.map.on('moveend', () => this.noteChange());
  }

  /** Lets the map be moved as far as it and its items reach, and once their size farther. */
  limit() {
    const all = L.latLngBounds(this.bounds.getSouthWest(), this.bounds.getNorthEast());
    this.drawn.forEach((line) => { if (line.stroke.getBounds().isValid()) all.extend(line.stroke.getBounds()); });
    this.waypoints.markers.forEach((marker) => all.extend(marker.getLatLng()));
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
    stroke.bindTooltip(element('span', { dir: 'auto' }, Words.name(line)), { sticky: true });
    stroke.on('click', () => this.select(line, false));
    stroke.on('mousemove', (event) => this.followLine(line, event.latlng));
    stroke.on('mouseout', () => { if (this.profile) this.profile.choose(null); });
    this.drawn.set(line, L.layerGroup([casing, stroke]).addTo(this.map));
    this.drawn.get(line).stroke = stroke;
  }

  showLine(line, isShown) {
    if (isShown) this.drawn.get(line).addTo(this.map); else this.drawn.get(line).remove();
    if (!isShown && line === this.selected) this.unselect();
  }

  /** On phones, the list is below the map, which may be out of sight. */
  comeIntoView() {
    document.getElementById('middle').scrollIntoView({ block: 'nearest' });
    this.map.invalidateSize();
  }

  select(line, moves) {
    this.map.closePopup();
    this.unselect();
    this.selected = line;
    this.buttons.get(line).setAttribute('aria-pressed', 'true');
    this.check(line);
    this.drawn.get(line).stroke.setStyle({ weight: 6 }).bringToFront();
    const facts = Words.line(line);
    if (line.startTime) facts.push(t`from ${Words.time(line.startTime)} to ${Words.time(line.endTime)}`);
    if (line.restingTime > 0) {
      facts.push(t`${Words.duration(line.walkingTime)} in motion, ${Words.duration(line.restingTime)} at rest`);
    }
    document.getElementById('details-name').textContent = Words.name(line);
    document.getElementById('details-facts').textContent = Words.facts(facts);
    document.getElementById('details-comment').textContent = line.comment || '';
    offerFile(document.getElementById('details-save'), line);
    document.getElementById('details-more').replaceChildren(...lineParts.map((make) => make(line)));
    const place = document.getElementById('profile');
    if (line.profile) {
      this.profile = new Profile(line.profile, line.distance, (sample) => this.mark(sample));
      place.replaceChildren(this.profile.element);
    } else {
      place.replaceChildren(element('p', {}, t('This route has no elevation data.')));
    }
    document.getElementById('details').hidden = false;
    document.getElementById('announcement').textContent = `${Words.name(line)}: ${facts.join(', ')}`;
    this.map.invalidateSize();
    if (moves) this.comeIntoView();
    const bounds = this.drawn.get(line).stroke.getBounds();
    if (moves && bounds.isValid()) this.map.fitBounds(bounds, { paddingTopLeft: [30, 64], paddingBottomRight: [30, 30] });
    this.noteChange();
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
    this.noteChange();
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

/** Shows the name of the region, and how much it has. */
function showRegionFacts({ region }) {
  document.title = region.name;
  document.getElementById('name').textContent = region.name;
  document.getElementById('facts').textContent = [
    region.hikes && Words.count(region.hikes, 'recorded hike'),
    region.plannedRoutes && Words.count(region.plannedRoutes, 'planned route'),
    region.waypoints && Words.count(region.waypoints, 'waypoint'),
  ].filter(Boolean).join(', ');
}

async function start() {
  try {
    const data = await load('region');
    const tiles = document.querySelector('script.data-tiles') ? await load('tiles') : null;
    showRegionFacts(data);
    data.leftOut.forEach((sentence) => notice(said(sentence)));
    window.view = new MapView(data, tiles);
    // The browser asks for the tiles when the script pauses. It loads them while the rest is drawn.
    await null;
    window.view.drawItems();
    fillPanel(data, window.view);
    window.view.address.apply();
    preparePrinting(window.view);
  } catch (error) {
    notice(t`The map cannot be shown: ${error.message}`);
    document.documentElement.dataset.ready = 'failed';
  }
}

const started = start();
