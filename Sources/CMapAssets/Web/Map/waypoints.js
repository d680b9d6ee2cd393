'use strict';
// The waypoints on the map: their markers, popups and photos.

const categoryColors = {
  trailMarker: '#8d6e63', viewpoint: '#8e24aa', waterSource: '#0288d1', campsite: '#2e7d32', danger: '#d50000',
  food: '#ef6c00', shelter: '#5d4037', parking: '#3949ab', custom: '#546e7a',
};

/** The maximum number of names in the popup of a cluster. */
const clusterNames = 50;

/** What else is in the popup of a waypoint: functions that make an element. The window adds its own. */
const waypointParts = [];

class WaypointLayer {
  constructor(view) {
    this.view = view;
    this.data = view.data;
    this.map = view.map;
    this.categories = new Map(this.data.categories.map((category) => [category.id, category]));
    this.hidden = new Set();
    this.markers = new Map();
    this.places = [];
    /** The clusters, and the marks of those in sight. */
    this.clusters = new Map();
    /** The waypoint whose popup is open: it is never in a cluster. */
    this.open = null;
    this.map.on('zoomend', () => this.update());
    this.map.on('moveend', () => this.drawClusters());
    this.map.on('resize', () => this.sizePopups());
  }

  drawWaypoints() {
    this.data.waypoints.forEach((waypoint) => this.addWaypoint(waypoint));
    this.update();
  }

  addWaypoint(waypoint) {
    const marker = L.circleMarker(this.view.place(waypoint.latitude, waypoint.longitude), {
      renderer: this.view.renderer, color: '#fff', weight: 2, fillOpacity: 1, fillColor: categoryColors[waypoint.category],
    });
    const name = this.name(waypoint);
    marker.bindTooltip(() => element('span', { dir: 'auto' }, name));
    // A photo that is as narrow as a short name cannot be seen.
    const minWidth = Math.min(waypoint.photo ? 280 : 230, this.popupWidth());
    // Leaflet asks for the content at every update, and the photo updates its popup when it is there: a new photo for each
    // update would do so without end.
    let content = null;
    marker.on('popupopen', () => { this.open = waypoint; this.view.noteChange(); });
    marker.on('popupclose', () => {
      content = null;
      if (this.open === waypoint) this.open = null;
      // The click that closes it may be one on a cluster, which must be there until it gets the click.
      queueMicrotask(() => this.update());
      this.view.noteChange();
    });
    marker.bindPopup(() => content ??= this.popup(waypoint, name), {
      ...this.view.popupPlace(), minWidth, maxWidth: this.popupWidth(), maxHeight: this.popupHeight(),
    });
    this.markers.set(waypoint, marker);
    const { x, y } = this.map.project(marker.getLatLng(), 0);
    this.places.push({ x, y, waypoint, marker });
  }

  name(waypoint) {
    return waypoint.label || t(this.categories.get(waypoint.category).name);
  }

  /** Draws each waypoint of the categories that are shown, alone or in a cluster. */
  update() {
    const shown = this.places.filter(({ waypoint }) => !this.hidden.has(waypoint.category) && waypoint !== this.open);
    const { alone, clusters } = cluster(shown, this.map.getZoom());
    const drawn = new Set(alone.map(({ marker }) => marker));
    if (this.open) drawn.add(this.markers.get(this.open));
    const radius = this.radius();
    this.markers.forEach((marker) => {
      if (!drawn.has(marker)) return void marker.remove();
      marker.setRadius(radius);
      marker.addTo(this.map);
    });
    this.clusters.forEach((mark) => mark?.remove());
    this.clusters = new Map(clusters.map((places) => [places, null]));
    this.drawClusters();
  }

  /** Draws the clusters in sight: of many waypoints, there may be many of them elsewhere. */
  drawClusters() {
    const bounds = this.map.getBounds().pad(0.2);
    this.clusters.forEach((known, places) => {
      if (!bounds.contains(places[0].marker.getLatLng())) return void known?.remove();
      // One that stays is the same element, which may have the focus.
      this.clusters.set(places, (known ?? this.clusterMark(places)).addTo(this.map));
    });
  }

  clusterMark(places) {
    const middle = places[0].marker.getLatLng();
    const text = Words.count(places.length, 'waypoint');
    const number = element('span', { 'aria-hidden': 'true' }, String(places.length));
    const mark = L.marker(middle, {
      icon: L.divIcon({ className: 'cluster', iconSize: [44, 44], html: number }), title: text,
    });
    mark.on('add', () => {
      mark.getElement().setAttribute('role', 'button');
      mark.getElement().setAttribute('aria-label', text);
    });
    mark.on('click', () => this.enter(places, middle));
    mark.on('keydown', ({ originalEvent }) => {
      if (!['Enter', ' '].includes(originalEvent.key)) return;
      originalEvent.preventDefault();
      this.enter(places, middle);
    });
    return mark;
  }

  /** Shows what is in a cluster: nearer, or by name if that would not divide it. */
  enter(places, middle) {
    const bounds = L.latLngBounds(places.map(({ marker }) => marker.getLatLng()));
    const zoom = Math.min(this.map.getBoundsZoom(bounds, false, [60, 60]), this.map.getMaxZoom());
    if (zoom > this.map.getZoom()) {
      // The mark that has the focus goes away.
      this.map.getContainer().focus({ preventScroll: true });
      return void this.map.setView(bounds.getCenter(), zoom);
    }
    const buttons = places.slice(0, clusterNames).map(({ waypoint }) => element('li', {}, this.listButton(waypoint)));
    const rest = places.length - buttons.length;
    const content = element(
      'div', { className: 'waypoint' },
      element('h2', {}, Words.count(places.length, 'waypoint')), element('ul', {}, ...buttons),
      rest > 0 ? element('p', {}, t`and ${rest} more`) : null,
    );
    const popup = L.popup({ ...this.view.popupPlace(), minWidth: 180, maxHeight: this.popupHeight() });
    popup.setLatLng(middle).setContent(content).openOn(this.map);
    buttons[0].firstChild.focus({ preventScroll: true });
  }

  /** A button of a list that opens a waypoint. */
  listButton(waypoint) {
    const facts = [];
    if (waypoint.elevation !== undefined) facts.push(Words.height(waypoint.elevation));
    if (waypoint.photo) facts.push(t('photo'));
    if (waypoint.note) facts.push(Words.apart(waypoint.note.length > 80 ? `${waypoint.note.slice(0, 79)}…` : waypoint.note));
    return element(
      'button', { type: 'button', onclick: () => this.openWaypoint(waypoint) },
      element('span', { className: `dot category-${waypoint.category}` }),
      element('span', { className: 'item-name', dir: 'auto' }, this.name(waypoint)),
      element('span', { className: 'item-facts' }, facts.join(' · ')),
    );
  }

  popupWidth() {
    return Math.max(120, Math.min(320, this.map.getSize().x - 130));
  }

  /** The height from which a popup scrolls: it has the margins of the map, and its tip. */
  popupHeight() {
    return Math.max(120, this.map.getSize().y - 140);
  }

  sizePopups() {
    const [maxWidth, maxHeight] = [this.popupWidth(), this.popupHeight()];
    this.markers.forEach((marker) => Object.assign(marker.getPopup().options, { maxWidth, maxHeight }));
  }

  /** The radius of markers: small where they are close together. */
  radius() {
    return Math.max(4, Math.min(7, this.map.getZoom() - 7));
  }

  popup(waypoint, name) {
    const facts = [t(this.categories.get(waypoint.category).name)];
    if (waypoint.elevation !== undefined) facts.push(Words.height(waypoint.elevation));
    const place = L.latLng(waypoint.latitude, waypoint.longitude);
    return element(
      'div', { className: 'waypoint' },
      element('h2', { dir: 'auto' }, name),
      element('p', {}, Words.facts(facts)),
      waypoint.note ? element('p', { className: 'note', dir: 'auto' }, waypoint.note) : null,
      waypoint.photo ? this.photo(waypoint, name) : null,
      coordinates(place),
      ...waypointParts.map((make) => make(waypoint)),
    );
  }

  photo(waypoint, name) {
    const image = element('img', { alt: t`Photo of ${name}`, className: 'photo' });
    const button = element('button', {
      type: 'button', className: 'photo-button', 'aria-label': t`Enlarge the photo of ${name}`,
      onclick: () => this.enlarge(waypoint, name),
    }, image);
    image.addEventListener('load', () => { const marker = this.markers.get(waypoint); marker.getPopup().update(); });
    image.addEventListener('error', async () => {
      const isThere = waypoint.photo.startsWith('data:') || await this.view.look();
      button.replaceWith(element(
        'p', {}, isThere ? t('This browser cannot show the photo.') : t('The photo cannot be loaded any more.'),
      ));
    });
    image.src = waypoint.photo;
    return button;
  }

  /** Shows a photo as large as the window. */
  enlarge(waypoint, name) {
    document.getElementById('large-name').textContent = name;
    const image = document.getElementById('large-photo');
    image.alt = t`Photo of ${name}`;
    image.src = waypoint.photo;
    document.getElementById('large').showModal();
  }

  showCategory(category, isShown) {
    if (isShown) this.hidden.delete(category); else this.hidden.add(category);
    if (!isShown && this.open?.category === category) this.map.closePopup();
    this.update();
  }

  openWaypoint(waypoint) {
    this.view.comeIntoView();
    const zoom = Math.max(this.map.getZoom(), Math.min(15, this.data.region.maximumZoom));
    // The popup moves the map too, which would stop an animation before its end.
    this.map.setView(this.markers.get(waypoint).getLatLng(), zoom, { animate: false });
    this.show(waypoint);
  }

  /** Opens the popup of a waypoint. */
  show(waypoint) {
    this.view.check(waypoint.category);
    this.map.closePopup();
    this.open = waypoint;
    this.update();
    this.markers.get(waypoint).openPopup();
  }
}
