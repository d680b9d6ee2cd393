'use strict';
// Texts and drawings of the window. The program sends them as data; they go into the page as text only.

const WindowText = {
  /** The pieces of a line, each with its style. */
  pieces(pieces) {
    return pieces.flatMap((piece) => {
      if (!piece.style) return [piece.text];
      const isCommand = piece.style === 'command';
      const made = element(isCommand ? 'code' : 'span', { className: piece.style }, piece.text);
      return isCommand && piece.text.includes('://') ? [made, ' ', WindowText.copier(made)] : [made];
    });
  },

  /** A button that copies the text of an element, or selects it if the browser does not let it. */
  copier(place) {
    const button = element('button', { type: 'button', className: 'copy' }, 'Copy');
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(place.textContent);
        button.textContent = 'Copied';
      } catch (error) {
        getSelection().selectAllChildren(place);
      }
    });
    return button;
  },

  table(rows) {
    return element('table', {}, ...rows.map((row) => element(
      'tr', {}, ...row.map((cell) => element('td', {}, ...WindowText.pieces(cell))),
    )));
  },

  /** The elements of a text: paragraphs and tables. */
  blocks(text) {
    return text.blocks.map((block) => (block.rows
      ? WindowText.table(block.rows) : element('p', { className: 'text' }, ...WindowText.pieces(block.pieces))));
  },

  /** The words of a text, for the title of the page and for screen readers. */
  words(text) {
    return text.blocks.map((block) => (block.rows ? block.rows.flat(2) : block.pieces)
      .map((piece) => piece.text).join(block.rows ? ' ' : '')).join(' ').trim();
  },

  svg(name, attributes) {
    const made = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  },

  /** A QR code, with the margin that scanners need. */
  code({ caption, side, modules }) {
    const margin = 4;
    let path = '';
    for (let index = 0; index < modules.length; index += 1) {
      if (modules[index] === '1') path += `M${margin + (index % side)},${margin + Math.floor(index / side)}h1v1h-1z`;
    }
    const size = side + 2 * margin;
    const drawing = WindowText.svg('svg', {
      viewBox: `0 0 ${size} ${size}`, role: 'img', 'aria-label': `QR code ${caption}`.trim(), 'shape-rendering': 'crispEdges',
    });
    drawing.append(
      WindowText.svg('rect', { width: size, height: size, fill: '#fff' }),
      WindowText.svg('path', { d: path, fill: '#000' }),
    );
    return element('figure', { className: 'code' }, drawing, caption && element('figcaption', {}, caption));
  },

  /** The lines of an offer in the area of its map. */
  sketch({ area: [south, west, north, east], lines }) {
    const shrink = Math.max(0.05, Math.cos(((south + north) / 2) * Math.PI / 180));
    const [width, height] = [(east - west) * shrink, north - south];
    if (!(width > 0 && height > 0)) return null;
    const scale = 200 / Math.max(width, height);
    const drawing = WindowText.svg('svg', {
      viewBox: `-4 -4 ${width * scale + 8} ${height * scale + 8}`, role: 'img', class: 'sketch',
      'aria-label': `The area of the map, with ${Words.count(lines.length, 'line')}`,
    });
    drawing.append(WindowText.svg('rect', { class: 'area', width: width * scale, height: height * scale }));
    for (const line of lines) {
      const points = [];
      for (let index = 0; index + 1 < line.points.length; index += 2) {
        const x = (line.points[index + 1] - west) * shrink * scale;
        points.push(`${x.toFixed(1)},${((north - line.points[index]) * scale).toFixed(1)}`);
      }
      drawing.append(WindowText.svg('polyline', { points: points.join(' '), class: line.isHike ? 'hike' : 'planned' }));
    }
    return element('figure', {}, drawing);
  },

  drawing(drawing) {
    return drawing.modules === undefined ? WindowText.sketch(drawing) : WindowText.code(drawing);
  },
};
