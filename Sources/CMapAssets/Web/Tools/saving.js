'use strict';
// One hike or route as a GPX file.

/** Whether the page is a file, which has its data inside. */
const isFile = () => Boolean(document.querySelector('script.data-region'));

/** The elevations along a line, in the order of its drawn points; null where they are not known. */
function elevations(line) {
  const samples = line.profile ?? [];
  let [distance, index, lengths] = [0, 0, []];
  line.segments.forEach((numbers) => {
    for (let at = 0; at + 1 < numbers.length; at += 2) {
      if (at) distance += L.latLng(numbers[at - 2], numbers[at - 1]).distanceTo([numbers[at], numbers[at + 1]]);
      lengths.push(distance);
    }
  });
  // The drawn line is a little shorter than the profile.
  const scale = samples.length && distance ? samples.at(-1)[0] / distance : 0;
  return lengths.map((length) => {
    if (!scale) return null;
    while (index + 2 < samples.length && samples[index + 1][0] < length * scale) index += 1;
    const [from, to] = [samples[index], samples[index + 1]];
    const part = Math.min(1, Math.max(0, (length * scale - from[0]) / Math.max(1, to[0] - from[0])));
    return from[1] + part * (to[1] - from[1]);
  });
}

/** A GPX file with the points that the page draws. */
function gpx(line) {
  const space = 'http://www.topografix.com/GPX/1/1';
  const made = document.implementation.createDocument(space, 'gpx');
  const add = (parent, name, text) => {
    const child = parent.appendChild(made.createElementNS(space, name));
    if (text) child.textContent = text;
    return child;
  };
  const root = made.documentElement;
  root.setAttribute('version', '1.1');
  root.setAttribute('creator', 'hikeshare');
  const isHike = line.kind === 'hike';
  const track = add(root, isHike ? 'trk' : 'rte');
  // XML has no place for these characters.
  const plain = (text) => (text ?? '').replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '');
  add(track, 'name', plain(line.name));
  if (line.comment) add(track, 'cmt', plain(line.comment));
  const heights = elevations(line);
  let count = 0;
  line.segments.forEach((numbers) => {
    const segment = isHike ? add(track, 'trkseg') : track;
    for (let at = 0; at + 1 < numbers.length; at += 2) {
      const point = add(segment, isHike ? 'trkpt' : 'rtept');
      point.setAttribute('lat', numbers[at].toFixed(6));
      point.setAttribute('lon', numbers[at + 1].toFixed(6));
      if (Number.isFinite(heights[count])) add(point, 'ele', heights[count].toFixed(1));
      count += 1;
    }
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(made)}\n`;
}

/** Lets a link save a line: the file of the server has all of its points; a page from the disk has those that it draws. */
function offerFile(link, line) {
  link.onclick = null;
  if (!isFile()) {
    link.href = `lines/${line.key}.gpx`;
    return;
  }
  link.download = `${(line.name || 'route').replace(/[^\p{L}\p{M}\p{N}]+/gu, '-').slice(0, 80)}.gpx`;
  link.href = '#';
  link.onclick = () => {
    const address = URL.createObjectURL(new Blob([gpx(line)], { type: 'application/gpx+xml' }));
    link.href = address;
    setTimeout(() => { URL.revokeObjectURL(address); link.href = '#'; }, 10000);
  };
}
