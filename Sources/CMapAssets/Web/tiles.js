'use strict';
// The tiles of the map: addresses of the server, or the bytes in the file.

const noTile = 'data:image/gif;base64,R0lGODlhAQABAAD/ACwAAAAAAQABAAACADs=';

/** Tiles whose bytes are a part of the page; `tiles` maps addresses to base64. */
const InsideTiles = L.TileLayer.extend({
  getTileUrl(place) {
    const tile = this.options.tiles[`${place.z}/${place.x}/${place.y}`];
    return tile ? `data:image/${tile.type};base64,${tile.data}` : noTile;
  },
});

/** Creates the layer of tiles; null if this page cannot draw them. */
function tileLayer(region, tiles) {
  if (!['png', 'jpg', 'webp'].includes(region.format)) return null;
  const [south, west, north, east] = region.bounds;
  const options = {
    minNativeZoom: region.minimumZoom,
    maxNativeZoom: region.maximumZoom,
    minZoom: 0,
    maxZoom: region.maximumZoom + 2,
    bounds: [[south, west], [north, east]],
    tiles,
    // A tile that the file lacks is not an error of the page.
    errorTileUrl: noTile,
  };
  return tiles ? new InsideTiles('', options) : L.tileLayer('tiles/{z}/{x}/{y}', options);
}
