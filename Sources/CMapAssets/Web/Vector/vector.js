'use strict';
// Vector tiles. MapLibre draws them on a canvas among the tiles of the Leaflet map, which moves it like a picture and has it
// drawn again at every stop. So lines, waypoints, popups and controls are those of every map.

/** The tiles of the page: of the server, or in the file. */
class VectorTiles {
  constructor(coverage, tiles) {
    this.coverage = coverage;
    this.tiles = tiles;
  }

  /** Loads a tile as a message of Protocol Buffers; null if there is none. */
  async load(zoom, column, row, signal) {
    if (!this.coverage.has(zoom, column, row)) return null;
    if (this.tiles) {
      const tile = this.tiles[`${zoom}/${column}/${row}`];
      if (!tile || tile.type !== 'pbf') return null;
      const bytes = Uint8Array.from(atob(tile.data), (character) => character.charCodeAt(0));
      const format = bytes[0] === 0x1f ? 'gzip' : bytes[0] === 0x78 ? 'deflate' : null;
      const stream = new Blob([bytes]).stream();
      return VectorTiles.read(format ? stream.pipeThrough(new DecompressionStream(format)) : stream);
    }
    const answer = await fetch(`tiles/${zoom}/${column}/${row}`, { signal });
    if (answer.status === 204) return null;
    if (!answer.ok) throw new Error(t`the tile cannot be loaded: ${answer.status}`);
    return VectorTiles.read(answer.body);
  }

  /** The maximum length of a tile without its compression, in bytes: a small file can become a large one. */
  static maximumLength = 16 << 20;

  static async read(stream) {
    const reader = stream.getReader();
    const pieces = [];
    let length = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      length += value.length;
      if (length > VectorTiles.maximumLength) {
        reader.cancel();
        throw new Error(t('the tile is too large'));
      }
      pieces.push(value);
    }
    return new Uint8Array(await new Blob(pieces).arrayBuffer());
  }

  /** Looks at one tile of each zoom level, the highest first, until the schema is known; collects the names of layers. */
  async layerNames([south, west, north, east]) {
    const names = new Set();
    const middle = L.latLng((south + north) / 2, (west + east) / 2);
    for (const zoom of [...this.coverage.zooms].reverse().slice(0, 8)) {
      const place = L.CRS.EPSG3857.latLngToPoint(middle, zoom).divideBy(256).floor();
      const level = this.coverage.levels.get(zoom);
      let [column, row] = [place.x & (2 ** zoom - 1), place.y];
      if (level && !this.coverage.has(zoom, column, row)) {
        const scale = 2 ** (zoom - level.detail);
        const [first, runs] = [...level.rows][0] ?? [0, [[0, 0]]];
        [column, row] = [Math.floor(runs[0][0] * scale), Math.floor(first * scale)];
      }
      try {
        layerNames(await this.load(zoom, column, row) ?? new Uint8Array()).forEach((name) => names.add(name));
      } catch {
        // A tile that cannot be read says nothing.
      }
      if (schemaOf(names)) break;
    }
    return names;
  }
}

const VectorLayer = L.Layer.extend({
  options: { pane: 'tilePane', padding: 0.15 },

  initialize(options) {
    L.setOptions(this, options);
    this.tiles = new VectorTiles(options.coverage, options.tiles);
    this.dark = window.matchMedia('(prefers-color-scheme: dark)');
    this.isStrong = false;
  },

  onAdd(map) {
    const { region } = this.options;
    map.getContainer().classList.add('vector');
    // MapLibre draws tiles of 512 points: at its lowest zoom level, Leaflet is one higher.
    map.setMinZoom(region.minimumZoom + 1);
    map.setMaxZoom(Math.min(region.maximumZoom + 4, 20));
    this.container = L.DomUtil.create('div', 'vector-tiles');
    if (map.options.zoomAnimation) L.DomUtil.addClass(this.container, 'leaflet-zoom-animated');
    this.getPane().appendChild(this.container);
    this.begin().catch((error) => this.fail(error));
  },

  onRemove() {
    this.gl?.remove();
    this.gl = null;
    this.container.remove();
  },

  getEvents() {
    const soon = () => this.drawSoon();
    return {
      move: soon, zoom: soon, viewreset: soon,
      zoomanim: (event) => { this.isZooming = true; this.place(event.center, event.zoom); },
      zoomend: () => { this.isZooming = false; },
      moveend: () => this.draw(),
      resize: () => this.draw(),
    };
  },

  /** Says why there is no map, and lets the rest of the page go on. */
  fail(error) {
    notice(t`The vector tiles of this map cannot be drawn: ${error.message}. Hikes, routes and waypoints are drawn.`);
    this.fire('load');
  },

  async begin() {
    if (!document.createElement('canvas').getContext('webgl2')) {
      throw new Error(t('this browser has no WebGL 2, or it is switched off'));
    }
    const names = await this.tiles.layerNames(this.options.region.bounds);
    if (!this._map) return;
    this.schema = schemaOf(names);
    this.names = [...names];
    if (!this.schema) {
      const layers = this.names.join(', ');
      notice(names.size
        ? t`This map names its features in its own way, so everything is drawn in grey. Its layers: ${layers}.`
        : t('This map has no tiles that can be read.'));
    }
    maplibregl.addProtocol('region', async ({ url }, abort) => {
      const [zoom, column, row] = url.replace('region://', '').split('/').map(Number);
      const data = await this.tiles.load(zoom, column, row, abort.signal);
      if (!data) throw new Error(missing);
      return { data: data.buffer };
    });
    const still = !this._map.options.zoomAnimation;
    this.fit();
    this.gl = new maplibregl.Map({
      container: this.container, style: this.style(), interactive: false, attributionControl: false, trackResize: false,
      fadeDuration: still ? 0 : 150, minZoom: -2,
      // The style is ours. A check of it takes as long as drawing a tile.
      validateStyle: false,
      // Otherwise the printed page has no map.
      canvasContextAttributes: { preserveDrawingBuffer: true },
      // Leaflet decides what can be seen, also beyond the poles.
      transformConstrain: (center, zoom) => ({ center, zoom }),
      ...this.view(),
    });
    this.gl.on('styleimagemissing', ({ id }) => this.addSign(id));
    this.gl.once('styledata', () => { this.hasStyle = true; });
    this.gl.on('idle', () => this.fire('load'));
    this.gl.on('error', ({ error }) => {
      // MapLibre looks for a tile of a lower zoom level when it draws the next time.
      if (error?.message === missing) this.drawSoon(); else this.fire('tileerror', { error });
    });
    this.gl.on('data', (event) => { if (event.tile) this.fire('tileload'); });
    this.gl.getCanvas().tabIndex = -1;
    this.gl.getCanvas().removeAttribute('role');
    this.dark.addEventListener('change', () => this.restyle());
    strongColors(this).addTo(this._map);
    this.draw();
  },

  themeName() {
    if (this.isStrong) return 'sunlight';
    return this.dark.matches ? 'dark' : 'light';
  },

  style() {
    const { region } = this.options;
    const name = this.themeName();
    const [south, west, north, east] = region.bounds;
    this._map.getContainer().style.background = themes[name].land;
    return {
      version: 8,
      sources: {
        map: {
          type: 'vector', tiles: ['region://{z}/{x}/{y}'], minzoom: region.minimumZoom, maxzoom: region.maximumZoom,
          ...(east > 180 ? {} : { bounds: [west, south, east, north] }),
        },
      },
      layers: this.schema ? styleLayers(this.schema, themes[name], name) : plainLayers(this.names, themes[name]),
    };
  },

  restyle() {
    this.gl?.setStyle(this.style(), { validate: false });
  },

  addSign(id) {
    const [sign, theme] = id.split('-');
    const image = Object.hasOwn(themes, theme) ? drawSign(sign, themes[theme]) : null;
    if (image && !this.gl.hasImage(id)) this.gl.addImage(id, image, { pixelRatio: signScale });
  },

  view() {
    const { lat, lng } = this._map.getCenter();
    return { center: [lng, lat], zoom: this._map.getZoom() - 1 };
  },

  /** Gives the canvas the size of the map with a margin, which is seen while the map moves. Returns whether it had another. */
  fit() {
    const size = this._map.getSize();
    this.margin = size.multiplyBy(this.options.padding).round();
    const whole = size.add(this.margin.multiplyBy(2));
    if (this.whole?.equals(whole)) return false;
    this.whole = whole;
    Object.assign(this.container.style, { width: `${whole.x}px`, height: `${whole.y}px` });
    return true;
  },

  /** Moves what is drawn to where it belongs if the map showed another view. */
  place(center, zoom) {
    if (!this.drawn) return;
    const scale = this._map.getZoomScale(zoom, this.drawn.zoom);
    const middle = this._map.project(this.drawn.center, zoom).subtract(this._map.project(center, zoom));
    const corner = this._map.getSize().divideBy(2).add(middle).subtract(this.whole.multiplyBy(scale / 2));
    L.DomUtil.setTransform(this.container, this._map.containerPointToLayerPoint(corner), scale);
  },

  drawSoon() {
    if (this.isZooming || this.request) return;
    this.request = L.Util.requestAnimFrame(() => { this.request = null; if (!this.isZooming) this.draw(); });
  },

  /** Draws the view of the map. The picture and its place change at once. */
  draw() {
    if (!this.gl || !this._map) return;
    if (this.fit()) this.gl.resize();
    this.drawn = { center: this._map.getCenter(), zoom: this._map.getZoom() };
    this.gl.jumpTo(this.view());
    if (this.hasStyle) this.gl.redraw();
    this.place(this.drawn.center, this.drawn.zoom);
  },
});

/** The message of the error for a tile that does not exist. */
const missing = 'no such tile';

/** A button for strong colours, which can be seen in sunlight. */
function strongColors(layer) {
  const control = L.control({ position: 'topleft' });
  control.onAdd = () => {
    const button = element('a', {
      href: '#', role: 'button', title: t('Strong colours, for sunlight'), 'aria-label': t('Strong colours, for sunlight'),
      'aria-pressed': 'false', className: 'strong-colors',
    }, '☀');
    L.DomEvent.disableClickPropagation(button);
    L.DomEvent.on(button, 'click', (event) => {
      L.DomEvent.preventDefault(event);
      layer.isStrong = !layer.isStrong;
      button.setAttribute('aria-pressed', `${layer.isStrong}`);
      layer.restyle();
    });
    // As on any button.
    L.DomEvent.on(button, 'keydown', (event) => {
      if (event.key !== ' ') return;
      L.DomEvent.preventDefault(event);
      button.click();
    });
    return element('div', { className: 'leaflet-bar' }, button);
  };
  return control;
}

/** Creates the layer of a map with vector tiles. */
function vectorLayer({ region, coverage }, tiles) {
  return new VectorLayer({ region, coverage: new Coverage(region, coverage), tiles });
}
