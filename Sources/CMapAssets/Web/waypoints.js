'use strict';
// The waypoints on the map: their markers, popups and photos.

const categoryColors = {
  trailMarker: '#8d6e63', viewpoint: '#8e24aa', waterSource: '#0288d1', campsite: '#2e7d32', danger: '#d50000',
  food: '#ef6c00', shelter: '#5d4037', parking: '#3949ab', custom: '#546e7a',
};

class WaypointLayer {
  constructor(view) {
    this.view = view;
    this.data = view.data;
    this.map = view.map;
    this.markers = new Map();
    this.groups = new Map();
    this.map.on('zoomend', () => this.sizeMarkers());
    this.map.on('resize', () => this.sizePopups());
  }

  drawWaypoints() {
    this.data.waypoints.forEach((waypoint) => this.drawWaypoint(waypoint));
    this.groups.forEach((group) => group.addTo(this.map));
  }

  drawWaypoint(waypoint) {
    const marker = L.circleMarker(this.view.place(waypoint.latitude, waypoint.longitude), {
      renderer: this.view.renderer, radius: this.radius(), color: '#fff', weight: 2, fillOpacity: 1,
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
      const isThere = waypoint.photo.startsWith('data:') || await this.view.look();
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

  showCategory(category, isShown) {
    if (isShown) this.groups.get(category).addTo(this.map); else this.groups.get(category).remove();
  }

  openWaypoint(waypoint) {
    const marker = this.markers.get(waypoint);
    this.showCategory(waypoint.category, true);
    this.view.boxes.get(waypoint.category).checked = true;
    this.view.comeIntoView();
    const zoom = Math.max(this.map.getZoom(), Math.min(15, this.data.region.maximumZoom));
    // The popup moves the map too, which would stop an animation before its end.
    this.map.setView(marker.getLatLng(), zoom, { animate: false });
    marker.openPopup();
  }
}
