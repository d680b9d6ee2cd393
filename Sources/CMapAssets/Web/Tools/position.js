'use strict';
// Where this device is. Browsers tell that pages from the disk and from this machine only.

class Position {
  constructor(view, tools) {
    if (!window.isSecureContext || !navigator.geolocation) return;
    this.view = view;
    this.map = view.map;
    /** `off`, `following` (the map moves along) or `showing`. */
    this.state = 'off';
    this.circle = L.circle([0, 0], { renderer: view.renderer, interactive: false, color: '#1a73e8', weight: 1, fillOpacity: 0.15 });
    this.dot = L.circleMarker([0, 0], {
      pane: 'follower', interactive: false, radius: 8, color: '#fff', weight: 3, fillColor: '#1a73e8', fillOpacity: 1,
    });
    this.button = tools.add('position', t('Where am I'), () => this.press());
    this.button.setAttribute('aria-pressed', 'false');
    this.map.on('dragstart', () => { if (this.state === 'following') this.enter('showing'); });
    this.map.on('locationfound', (event) => this.found(event));
    this.map.on('locationerror', (event) => this.failed(event));
  }

  press() {
    if (this.state === 'following') return this.enter('off');
    const isNew = this.state === 'off';
    this.enter('following');
    if (isNew) this.map.locate({ watch: true, enableHighAccuracy: true, maximumAge: 10000, timeout: 30000 });
    else this.follow();
  }

  enter(state) {
    this.state = state;
    this.button.setAttribute('aria-pressed', String(state !== 'off'));
    this.button.classList.toggle('following', state === 'following');
    if (state !== 'off') return;
    this.map.stopLocate();
    this.circle.remove();
    this.dot.remove();
    this.last = null;
  }

  found({ latlng, accuracy }) {
    if (this.state === 'off') return;
    const isFirst = !this.last;
    this.last = L.latLng(this.view.place(latlng.lat, latlng.lng));
    this.circle.setLatLng(this.last).setRadius(accuracy).addTo(this.map);
    this.dot.setLatLng(this.last).addTo(this.map);
    const [position, distance] = [Words.degrees(this.last), Words.distance(accuracy)];
    if (isFirst) this.say(t`You are at ${position}, to within ${distance}.`);
    if (this.state === 'following') this.follow(isFirst);
  }

  follow(isFirst) {
    if (!this.last) return;
    const { maxBounds } = this.map.options;
    if (maxBounds && !maxBounds.contains(this.last)) {
      const distance = Words.distance(this.map.distance(this.last, this.view.bounds.getCenter()));
      this.enter('off');
      return this.say(t`You are outside this map, ${distance} from its middle.`, true);
    }
    const zoom = Math.max(this.map.getZoom(), Math.min(15, this.view.data.region.maximumZoom));
    if (isFirst) this.map.setView(this.last, zoom, { animate: false }); else this.map.panTo(this.last);
  }

  failed({ code }) {
    if (this.state === 'off') return;
    // Under trees or between mountains, the next position may still come.
    if (code !== 1 && this.last) return;
    this.enter('off');
    this.say({
      1: t('This page is not allowed to know the position. Allow it in the settings of the browser.'),
      3: t('There is no position yet. Try again under the open sky.'),
    }[code] ?? t('This device does not know its position.'), true);
  }

  say(text, isProblem = false) {
    document.getElementById('announcement').textContent = text;
    if (isProblem) passing(text);
  }
}
