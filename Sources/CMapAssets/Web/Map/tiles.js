'use strict';
// The tiles of the map: which there are, and their addresses at the server or their bytes in the file.

const noTile = 'data:image/gif;base64,R0lGODlhAQABAAD/ACwAAAAAAQABAAACADs=';

/** By how many zoom levels less than the best a place has to have, so that it is coarse: its tiles are 4 times as large. */
const coarseLevels = 2;

/** Where the map has tiles. `text` is a coverage in the form of ItemFormats.md, in base64; null if it is not known. */
class Coverage {
  constructor(region, text) {
    this.levels = new Map(region.zooms.map((zoom) => [zoom, null]));
    if (text) this.read(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
    this.zooms = region.zooms;
  }

  read(bytes) {
    let position = 1;
    const number = () => {
      let [value, factor, byte] = [0, 1, 0];
      do {
        byte = bytes[position++];
        value += (byte & 0x7f) * factor;
        factor *= 128;
      } while (byte & 0x80);
      return value;
    };
    for (let count = number(); count > 0; count -= 1) {
      const [zoom, detail] = [number(), number()];
      number();
      const rows = new Map();
      let [row, start] = [0, 0];
      for (let groups = number(); groups > 0; groups -= 1) {
        const first = row + number();
        row = first + number() + 1;
        const runs = [];
        for (let rest = number(), index = 0; index <= rest; index += 1) {
          const step = number();
          if (index === 0) start += step % 2 ? -(step + 1) / 2 : step / 2;
          const from = index === 0 ? start : runs.at(-1)[1] + 2 + step;
          runs.push([from, from + number()]);
        }
        for (let each = first; each < row; each += 1) rows.set(each, runs);
      }
      if (this.levels.has(zoom)) this.levels.set(zoom, { detail, rows });
    }
  }

  /** Whether there is, or may be, a tile. */
  has(zoom, column, row) {
    if (!this.levels.has(zoom)) return false;
    const level = this.levels.get(zoom);
    if (!level) return true;
    const scale = 2 ** (zoom - level.detail);
    const place = Math.floor(column / scale);
    const runs = level.rows.get(Math.floor(row / scale)) ?? [];
    let [low, high] = [0, runs.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (runs[middle][1] < place) low = middle + 1; else high = middle;
    }
    return low < runs.length && runs[low][0] <= place;
  }

  /** Whether a tile of a zoom level is coarse for the zoom level of the page: other places have finer ones. */
  isCoarse(zoom, z) {
    return (this.zooms.findLast((each) => each <= z) ?? zoom) - zoom >= coarseLevels;
  }

  /** Whether the place of a tile of the page has only coarse tiles. */
  isCoarseAt({ x, y, z }) {
    const best = this.zooms.findLast((zoom) => zoom <= z && this.has(zoom, ...[x, y].map((each) => each >> (z - zoom))));
    return best !== undefined && this.isCoarse(best, z);
  }
}

/** By how many zoom levels a tile is made larger at most, and smaller: each level more is four times as many tiles. */
const [largest, smallest] = [7, 2];

/** A layer that draws a tile of the nearest zoom level that has one, larger or smaller. */
const ScaledTiles = L.GridLayer.extend({
  /** The tiles that show a place of the page's zoom level: those in the background first. */
  parts({ x, y, z }) {
    const { coverage } = this.options;
    const near = coverage.zooms.filter((zoom) => zoom >= z - largest && zoom <= z + smallest)
      .sort((one, other) => Math.abs(one - z) - Math.abs(other - z) || other - one);
    const parts = [];
    for (const zoom of near) {
      if (zoom <= z) {
        const scale = 2 ** (z - zoom);
        const [column, row] = [Math.floor(x / scale), Math.floor(y / scale)];
        if (!coverage.has(zoom, column, row)) continue;
        parts.push({ zoom, column, row, size: scale, left: column * scale - x, top: row * scale - y });
        return parts.reverse();
      }
      // Only the nearest of the higher zoom levels; where it has no tile, one of a lower level is behind it.
      if (parts.length) continue;
      const scale = 2 ** (zoom - z);
      let isWhole = true;
      for (let index = 0; index < scale * scale; index += 1) {
        const [left, top] = [index % scale, Math.floor(index / scale)];
        const [column, row] = [x * scale + left, y * scale + top];
        if (coverage.has(zoom, column, row)) {
          parts.push({ zoom, column, row, size: 1 / scale, left: left / scale, top: top / scale });
        } else isWhole = false;
      }
      if (isWhole) return parts;
    }
    return parts.reverse();
  },

  createTile(place, done) {
    const tile = L.DomUtil.create('div', 'tile');
    const parts = this.parts(place);
    const length = this.getTileSize().x;
    let [waiting, failure] = [parts.length, null];
    const finish = (error) => {
      failure ??= error;
      waiting -= 1;
      if (waiting <= 0) done(failure, tile);
    };
    for (const part of parts) {
      // Where the finer tiles end can be seen: names at the seam may be there twice.
      const image = L.DomUtil.create('img', this.options.coverage.isCoarse(part.zoom, place.z) ? 'coarse' : '', tile);
      image.alt = '';
      Object.assign(image.style, {
        position: 'absolute', left: `${part.left * length}px`, top: `${part.top * length}px`,
        width: `${part.size * length}px`, height: `${part.size * length}px`, maxWidth: 'none',
      });
      image.addEventListener('load', () => finish(null));
      image.addEventListener('error', () => {
        // A tile that the file lacks is not an error of the page.
        image.remove();
        finish(new Error('no tile'));
      });
      image.src = this.address(part);
    }
    // Leaflet does not expect an answer before it has the element.
    if (!parts.length) setTimeout(() => done(null, tile));
    return tile;
  },

  address({ zoom, column, row }) {
    const { tiles } = this.options;
    if (!tiles) return `tiles/${zoom}/${column}/${row}`;
    const tile = tiles[`${zoom}/${column}/${row}`];
    return tile ? `data:image/${tile.type};base64,${tile.data}` : noTile;
  },
});

/** Creates the layer of tiles; null if this page cannot draw them. */
function tileLayer({ region, coverage }, tiles) {
  // Its script is a part of the page only if the map has vector tiles and the program has MapLibre.
  if (region.format === 'pbf' && window.vectorLayer) return window.vectorLayer({ region, coverage }, tiles);
  if (!['png', 'jpg', 'webp'].includes(region.format)) return null;
  const [south, west, north, east] = region.bounds;
  return new ScaledTiles({
    minZoom: 0,
    maxZoom: region.maximumZoom + 2,
    // Where the tiles are not known, there is nothing but the area.
    bounds: coverage ? null : [[south, west], [north, east]],
    coverage: new Coverage(region, coverage),
    tiles,
  });
}
