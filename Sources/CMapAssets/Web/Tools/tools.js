'use strict';
// The buttons on the map.

/** The shapes of the buttons, in a square of 24 units. */
const shapes = {
  whole: ['M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5'],
  position: ['M12 3v4M12 17v4M3 12h4M17 12h4', 'M12 7a5 5 0 1 0 0 10a5 5 0 1 0 0-10'],
  place: ['M12 21s-6-6.5-6-11a6 6 0 0 1 12 0c0 4.5-6 11-6 11z', 'M12 8a2 2 0 1 0 0 4a2 2 0 1 0 0-4'],
  measure: ['M3 16L16 3l5 5L8 21z', 'M7 12l2 2M10 9l3 3M13 6l2 2'],
};

/** The row of buttons, and the bar below the map that belongs to one of them. */
class Tools {
  constructor(view) {
    this.view = view;
    this.map = view.map;
    this.row = element('div', { className: 'tools', role: 'group', 'aria-label': t('Tools of the map') });
    this.addControl('topright', this.row);
    this.bar = element('div', { className: 'bar', hidden: true });
    this.reading = element('p', { role: 'status' });
    this.addControl('bottomleft', this.bar);
    this.mode = null;
    this.add('whole', t('Whole region'), () => view.showWhole());
    this.map.on('click', (event) => { if (this.mode && !this.isRepeated(event)) this.mode.tap(event.latlng); });
  }

  /** Whether a click was told already: in WebKit, Leaflet makes a click of the pointer, and then comes that of the browser. */
  isRepeated({ originalEvent }) {
    const now = Date.now();
    if (originalEvent?._simulated) this.madeAt = now;
    return !originalEvent?._simulated && now - this.madeAt < 500;
  }

  addControl(position, content) {
    const control = L.control({ position });
    control.onAdd = () => content;
    control.addTo(this.map);
    // What is done to a button is not done to the map behind it.
    L.DomEvent.disableClickPropagation(content);
    L.DomEvent.disableScrollPropagation(content);
    L.DomEvent.on(content, 'contextmenu', L.DomEvent.stopPropagation);
  }

  /** Adds a button, and returns it. */
  add(shape, name, press) {
    const drawing = svgElement('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' });
    drawing.append(...shapes[shape].map((d) => svgElement('path', { d })));
    const button = element('button', { type: 'button', title: name, 'aria-label': name, onclick: press }, drawing);
    this.row.append(button);
    return button;
  }

  /** Adds a button that begins and ends a mode: one in which a tap on the map means something else. */
  addMode(shape, name, mode) {
    mode.button = this.add(shape, name, () => this.enter(this.mode === mode ? null : mode));
    mode.button.setAttribute('aria-pressed', 'false');
  }

  /** Begins a mode, after the end of the one before; null for none. */
  enter(mode) {
    const last = this.mode;
    this.mode = mode;
    if (last) {
      last.button.setAttribute('aria-pressed', 'false');
      last.end();
      if (!mode && this.bar.contains(document.activeElement)) last.button.focus();
    }
    this.bar.hidden = !mode;
    this.map.getContainer().classList.toggle('pointing', Boolean(mode));
    // A second tap soon after the first one is a second place.
    this.map.doubleClickZoom[mode ? 'disable' : 'enable']();
    if (!mode) return;
    mode.button.setAttribute('aria-pressed', 'true');
    this.map.closePopup();
    const done = element('button', { type: 'button', onclick: () => this.enter(null) }, t('Done'));
    this.bar.replaceChildren(this.reading, ...mode.buttons(), done);
    mode.begin();
  }

  /** Says what a mode shows or waits for. */
  say(text) {
    this.reading.textContent = text;
  }
}
