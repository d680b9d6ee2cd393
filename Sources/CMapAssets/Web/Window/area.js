'use strict';
// A part of a map, which a person draws: a rectangle, or a strip along a hike or route.

shapes.part = ['M6 2v16h16M2 6h16v16'];

/** The distances of a strip to each side, in metres. */
const stripDistances = [100, 150, 200, 300, 500, 700, 1000, 1500, 2000, 3000, 5000, 7000, 10000, 15000, 20000];

/** The edges of a rectangle, in the order of the fields. */
const edgeNames = { north: 'North', west: 'West', east: 'East', south: 'South' };

class PartMode {
  constructor(view, tools) {
    this.view = view;
    this.map = view.map;
    this.tools = tools;
    this.lines = view.data.lines;
    this.measured = null;
    this.asked = 0;
    this.isMeasuring = false;
    this.panel = this.makePanel();
    document.getElementById('panel').before(this.panel);
    const common = { renderer: view.renderer, interactive: false, color: '#7b1fa2' };
    this.box = L.rectangle(view.bounds, { ...common, weight: 3, fillOpacity: 0.15 });
    this.strip = L.polyline([], { ...common, opacity: 0.35, lineCap: 'round', lineJoin: 'round', noClip: true });
    this.handles = ['nw', 'ne', 'se', 'sw'].map((corner) => this.makeHandle(corner));
    this.follow = () => this.draw();
    this.press = (event) => this.begins(event);
    tools.addMode('part', 'Send a part of the map', this);
  }

  makePanel() {
    const radio = (words, value) => {
      const box = element('input', { type: 'radio', name: 'part-form', value, checked: value === 'box', onchange: () => this.change() });
      return element('label', { className: 'option' }, box, words);
    };
    this.fields = {};
    for (const [edge, name] of Object.entries(edgeNames)) {
      this.fields[edge] = element('input', { type: 'number', step: '0.001', oninput: () => this.type(edge) });
      this.fields[edge].labelled = element('label', { className: 'setting' }, `${name} `, this.fields[edge]);
    }
    this.edges = element(
      'div', { className: 'edges', role: 'group', 'aria-label': 'Edges of the rectangle, in degrees' },
      ...Object.values(this.fields).map(({ labelled }) => labelled),
      element('button', { type: 'button', onclick: () => this.takeView() }, 'What the map shows'),
    );
    this.along = element('select', { onchange: () => this.change(true) }, ...this.lines.map((line, index) => element(
      'option', { value: index, dir: 'auto' }, Words.name(line),
    )));
    this.width = element('input', { type: 'range', min: 0, max: stripDistances.length - 1, value: 8, oninput: () => this.change() });
    this.widthWords = element('output', {});
    this.side = element(
      'div', { className: 'edges', hidden: true }, element('label', { className: 'setting' }, 'Along ', this.along),
      element('label', { className: 'setting' }, 'Distance to each side ', this.width), this.widthWords,
    );
    const zooms = this.view.data.region.zooms;
    this.zoom = element('select', { onchange: () => this.change() }, ...zooms.slice().reverse().map((zoom, index) => element(
      'option', { value: index ? zoom : '' }, index ? `up to zoom ${zoom}` : `everything, to zoom ${zoom}`,
    )));
    this.size = element('output', { className: 'size', role: 'status' });
    this.refusal = element('p', { className: 'problem', role: 'alert' });
    this.parts = appWindow.partChoice(() => [this.view.data.region.id], ['map']);
    this.parts.fold.addEventListener('change', () => this.measure());
    this.forms = this.lines.length
      ? [radio('A rectangle', 'box'), radio('A strip along a hike or route', 'strip')] : [];
    const files = appWindow.fold('Save it as a file …', 'stick', async () => {
      const { files: all } = await appWindow.read(`care/${this.view.data.region.id}`);
      // Those that have the map alone; how large they are is known when they are made.
      const wanted = all.filter(({ kind }) => ['mbtiles', 'sqlitedb'].includes(kind)).map((file) => ({ ...file, size: null, purpose: '' }));
      return [exportList(this.view.data.region.id, wanted, {}, () => ({ part: this.part })).list];
    });
    const ways = appWindow.ways('Send this part', (way) => this.send(way));
    return element(
      'section', { id: 'part', 'aria-labelledby': 'part-title', hidden: true },
      element('h2', { id: 'part-title', tabIndex: -1 }, 'Send a part of this map'),
      element('div', { role: 'radiogroup', 'aria-label': 'Form of the part' }, ...this.forms), this.edges, this.side,
      element('label', { className: 'setting' }, 'Details ', this.zoom), this.parts.fold, ...ways.boxes, ways.stick, files,
      element('div', { className: 'end' }, this.size, ways.starter, appWindow.starter(
        'Receive this part from others', '', () => this.receive(),
      ), this.refusal),
    );
  }

  /** A corner that is dragged, or moved with the arrow keys. */
  makeHandle(corner) {
    const name = { nw: 'North-west', ne: 'North-east', se: 'South-east', sw: 'South-west' }[corner];
    const handle = L.marker([0, 0], {
      icon: L.divIcon({ className: 'part-handle', iconSize: [44, 44] }), draggable: true, autoPan: true, zIndexOffset: 1000,
      title: `${name} corner`, alt: `${name} corner. The arrow keys move it.`,
    });
    handle.corner = corner;
    handle.on('drag', () => this.moveCorner(corner, handle.getLatLng()));
    handle.on('add', () => {
      const made = handle.getElement();
      made.setAttribute('role', 'button');
      made.setAttribute('aria-label', `${name} corner. The arrow keys move it.`);
      made.addEventListener('keydown', (event) => {
        const step = event.shiftKey ? 1 : 10;
        const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
        if (!by) return;
        event.preventDefault();
        event.stopPropagation();
        const place = this.map.latLngToContainerPoint(handle.getLatLng()).add(by);
        this.moveCorner(corner, this.map.containerPointToLatLng(place));
      });
    });
    return handle;
  }

  // MARK: The mode

  begin() {
    [this.panel.hidden, document.getElementById('panel').hidden] = [false, true];
    this.map.invalidateSize();
    if (!this.isBegun) this.takeView(0.25);
    this.isBegun = true;
    this.map.on('zoomend', this.follow);
    this.map.getContainer().addEventListener('pointerdown', this.press);
    this.change();
    document.getElementById('part-title').focus({ preventScroll: true });
  }

  end() {
    const hadFocus = this.panel.contains(document.activeElement);
    [this.panel.hidden, document.getElementById('panel').hidden] = [true, false];
    this.map.off('zoomend', this.follow);
    this.map.getContainer().removeEventListener('pointerdown', this.press);
    this.letMove(true);
    for (const layer of [this.box, this.strip, ...this.handles]) layer.remove();
    this.map.invalidateSize();
    if (hadFocus) this.button.focus();
  }

  buttons() {
    this.mover = element('button', { type: 'button', onclick: () => this.letMove(!this.map.dragging.enabled()) }, 'Move the map');
    return [this.mover];
  }

  // A tap alone means nothing.
  tap() {}

  /** Lets the map be moved, or a rectangle be drawn. */
  letMove(moves) {
    this.map.dragging[moves ? 'enable' : 'disable']();
    this.map.getContainer().classList.toggle('drawing', !moves);
    this.mover?.setAttribute('aria-pressed', String(moves));
  }

  get isStrip() { return this.panel.querySelector('input[value="strip"]')?.checked ?? false; }

  // MARK: The rectangle

  /** Takes what is shown, without a share of it at each edge. */
  takeView(margin = 0) {
    this.setBox(this.map.getBounds().pad(-margin));
  }

  setBox(bounds) {
    // A map has an end, and a rectangle has a size.
    const clip = (value) => Math.min(85, Math.max(-85, value));
    const [south, north] = [clip(bounds.getSouth()), clip(bounds.getNorth())];
    this.bounds = L.latLngBounds([south, bounds.getWest()], [north, Math.min(bounds.getEast(), bounds.getWest() + 180)]);
    for (const edge of Object.keys(edgeNames)) {
      if (document.activeElement !== this.fields[edge]) this.fields[edge].value = this.edge(edge).toFixed(3);
    }
    this.change();
  }

  edge(name) {
    const { bounds } = this;
    return {
      north: bounds.getNorth(), south: bounds.getSouth(), west: Words.longitude(bounds.getWest()), east: Words.longitude(bounds.getEast()),
    }[name];
  }

  /** Takes an edge that was typed. */
  type(edge) {
    const value = this.fields[edge].valueAsNumber;
    if (!Number.isFinite(value)) return;
    const edges = Object.fromEntries(Object.keys(edgeNames).map((name) => [name, this.edge(name)]));
    edges[edge] = value;
    const [southWest, northEast] = [this.view.place(edges.south, edges.west), this.view.place(edges.north, edges.east)];
    if (southWest[0] < northEast[0] && southWest[1] < northEast[1]) this.setBox(L.latLngBounds(southWest, northEast));
    else this.say('The north must be above the south, and the east beyond the west.', true);
  }

  moveCorner(corner, place) {
    const [north, south] = corner[0] === 'n' ? [place.lat, this.bounds.getSouth()] : [this.bounds.getNorth(), place.lat];
    const [west, east] = corner[1] === 'w' ? [place.lng, this.bounds.getEast()] : [this.bounds.getWest(), place.lng];
    // A corner does not pass the others.
    if (south < north && west < east) this.setBox(L.latLngBounds([south, west], [north, east]));
    else this.draw();
  }

  /** Draws a rectangle from where the pointer is pressed. */
  begins(event) {
    const isOther = event.target.closest('.leaflet-control, .leaflet-marker-icon, .leaflet-popup');
    if (isOther || this.isStrip || event.button || this.map.dragging.enabled() || !event.isPrimary) return;
    const start = this.map.mouseEventToLatLng(event);
    const from = [event.clientX, event.clientY];
    const move = (moved) => {
      // A second finger zooms.
      if (!moved.isPrimary) return;
      if (Math.hypot(moved.clientX - from[0], moved.clientY - from[1]) < 8) return;
      const place = this.map.mouseEventToLatLng(moved);
      if (place.lat !== start.lat && place.lng !== start.lng) this.setBox(L.latLngBounds(start, place));
    };
    const stop = () => {
      window.removeEventListener('pointermove', move);
      for (const name of ['pointerup', 'pointercancel']) window.removeEventListener(name, stop);
    };
    window.addEventListener('pointermove', move);
    for (const name of ['pointerup', 'pointercancel']) window.addEventListener(name, stop);
  }

  // MARK: What is chosen

  get line() { return this.lines[Number(this.along.value)]; }

  get distance() { return stripDistances[Number(this.width.value)]; }

  /** The bounds of the strip, with its width. */
  get reach() {
    const line = this.strip.getBounds();
    const corners = [line.getSouthWest(), line.getNorthEast()].map((corner) => corner.toBounds(2 * this.distance));
    return corners[0].extend(corners[1]);
  }

  /** Shows what is chosen, and asks how large it is. */
  change(shows = false) {
    const words = Words.distance(this.distance);
    this.widthWords.textContent = words;
    this.width.setAttribute('aria-valuetext', `${words} to each side`);
    [this.edges.hidden, this.side.hidden] = [this.isStrip, !this.isStrip];
    if (!this.tools.mode || this.tools.mode !== this) return;
    if (this.form !== this.isStrip) {
      this.form = this.isStrip;
      this.letMove(this.isStrip);
      this.mover.hidden = this.isStrip;
      shows = this.isStrip;
    }
    this.tools.say(this.isStrip ? 'A strip along a hike or route' : 'Drag on the map to draw a rectangle.');
    this.draw();
    if (shows && this.isStrip) this.map.fitBounds(this.reach, { padding: [20, 20] });
    this.measure();
  }

  draw() {
    const shown = this.isStrip ? [this.strip] : [this.box, ...this.handles];
    for (const layer of [this.box, this.strip, ...this.handles]) {
      if (!shown.includes(layer)) layer.remove();
    }
    if (this.isStrip) {
      const segments = this.line.segments.map((numbers) => {
        const points = [];
        for (let index = 0; index + 1 < numbers.length; index += 2) points.push(this.view.place(numbers[index], numbers[index + 1]));
        return points;
      });
      this.strip.setLatLngs(segments);
      const { lat } = this.strip.getBounds().getCenter();
      const metres = (40075017 * Math.cos((lat * Math.PI) / 180)) / (256 * 2 ** this.map.getZoom());
      this.strip.setStyle({ weight: Math.max(2, (2 * this.distance) / metres) });
    } else {
      this.box.setBounds(this.bounds);
      const corners = [this.bounds.getNorthWest(), this.bounds.getNorthEast(), this.bounds.getSouthEast(), this.bounds.getSouthWest()];
      this.handles.forEach((handle, index) => handle.setLatLng(corners[index]));
    }
    for (const layer of shown) if (!this.map.hasLayer(layer)) layer.addTo(this.map);
  }

  /** The part, as the program takes it. */
  get part() {
    const zoom = this.zoom.value ? { maximumZoom: Number(this.zoom.value) } : {};
    if (this.isStrip) return { along: [this.line.key], within: this.distance, ...zoom };
    return { area: ['west', 'south', 'east', 'north'].map((edge) => Number(this.edge(edge).toFixed(5))), ...zoom };
  }

  /** Asks how large the part is; while an answer is awaited, only the newest wish counts. */
  async measure() {
    this.asked += 1;
    if (this.isMeasuring) return;
    this.isMeasuring = true;
    while (this.measured !== this.asked) {
      const number = this.asked;
      const { area, along, within, maximumZoom } = this.part;
      const path = [
        'part', this.view.data.region.id, area && `area_${area.join('_')}`, ...(along ?? []).map((key) => `along_${key}`),
        within && `within_${within}`, maximumZoom !== undefined && `zoom_${maximumZoom}`,
      ].filter(Boolean).join('/');
      try {
        const answer = await appWindow.read(path);
        this.say(answer.tiles ? this.words(answer) : 'The map has nothing here.', !answer.tiles);
      } catch (error) {
        this.say(error.message);
      }
      this.measured = number;
    }
    this.isMeasuring = false;
  }

  /** How large the part is, with what goes with it. */
  words({ tiles, wholeTiles, size, routing, photos }) {
    const count = (value) => value.toLocaleString('en-GB');
    const withRouting = routing > 0 && this.parts.has('routing');
    const withPhotos = photos > 0 && this.parts.has('photos');
    return [
      Words.size(size + (withRouting ? routing : 0)), `${count(tiles)} of ${count(wholeTiles)} tiles`,
      withRouting && `${Words.size(routing)} of it for routing`, withPhotos && `and photos, at most ${Words.size(photos)}`,
    ].filter(Boolean).join(' · ');
  }

  /** Says how large the part is, or why it cannot be sent. */
  say(words, isNothing = false) {
    this.size.textContent = words;
    this.panel.querySelector('.action').disabled = isNothing;
  }

  /** Asks a machine nearby for what is drawn. */
  async receive() {
    this.refusal.textContent = '';
    const refusal = await appWindow.post('receive', { part: { region: this.view.data.region.id, drawn: this.part } });
    if (refusal) this.refusal.textContent = refusal; else window.location.href = '../';
  }

  async send(way) {
    this.refusal.textContent = '';
    const { part } = this;
    const refusal = await appWindow.post('send', { regions: [this.view.data.region.id], ...this.parts.wish(), part, ...way });
    // What happens now is shown on the other page.
    if (refusal) this.refusal.textContent = refusal; else window.location.href = '../';
  }
}

started.then(() => {
  if (!window.view) return;
  const { data, tools, address } = window.view;
  if (data.region.foreign || !data.region.zooms.length) return;
  const mode = new PartMode(window.view, tools);
  if (address.first === '#draw') tools.enter(mode);
});
