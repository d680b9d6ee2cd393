'use strict';
// Which waypoints are drawn as one mark, because they are too many in one place.

/** The distance from each other below which places are one cluster, in pixels. */
const clusterRadius = 44;
/** The number of places from which a cluster is drawn: fewer can be told apart. */
const clusterSize = 5;

/**
 * Groups places that are close together.
 *
 * `places` have the coordinates `x` and `y` at zoom level 0, in pixels. Returns those that are drawn alone, and the clusters. The
 * mark of a cluster is at its first place: these are farther from each other than a mark is wide. Each place is compared with those
 * of the cells around it only, so the time does not grow with the square of their number.
 */
function cluster(places, zoom) {
  const radius = clusterRadius / 2 ** zoom;
  const cells = new Map();
  const cell = (value) => Math.floor(value / radius);
  for (const place of places) {
    const key = `${cell(place.x)} ${cell(place.y)}`;
    if (cells.has(key)) cells.get(key).push(place); else cells.set(key, [place]);
  }
  const taken = new Set();
  const [alone, clusters] = [[], []];
  for (const place of places) {
    if (taken.has(place)) continue;
    const near = [place];
    for (let column = cell(place.x) - 1; column <= cell(place.x) + 1; column += 1) {
      for (let row = cell(place.y) - 1; row <= cell(place.y) + 1; row += 1) {
        for (const other of cells.get(`${column} ${row}`) ?? []) {
          if (other === place || taken.has(other)) continue;
          if (Math.hypot(other.x - place.x, other.y - place.y) <= radius) near.push(other);
        }
      }
    }
    if (near.length < clusterSize) {
      taken.add(place);
      alone.push(place);
    } else {
      near.forEach((other) => taken.add(other));
      clusters.push(near);
    }
  }
  return { alone, clusters };
}
