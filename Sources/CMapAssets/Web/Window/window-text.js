'use strict';
// Texts and drawings of the window. The program sends them as data; they go into the page as text only.

const WindowText = {
  /** The runs of a line, each with its style. */
  runs(runs) {
    return runs.flatMap((run) => {
      if (!run.style) return [run.text];
      const isCommand = run.style === 'command';
      const made = element(isCommand ? 'code' : 'span', { className: run.style }, run.text);
      return isCommand ? [made, ' ', WindowText.copier(made)] : [made];
    });
  },

  /** A button that copies the text of an element, or selects it if the browser does not let it. */
  copier(place) {
    const button = element('button', {
      type: 'button', className: 'copy', 'aria-label': `Copy ${place.textContent}`,
    }, 'Copy');
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
      'tr', {}, ...row.map((cell) => element('td', {}, ...WindowText.runs(cell))),
    )));
  },

  /** The elements of a text: paragraphs and tables. */
  blocks(text) {
    return text.blocks.map((block) => (block.rows
      ? WindowText.table(block.rows) : element('p', { className: 'text' }, ...WindowText.runs(block.runs))));
  },

  /** The words of a text, for the title of the page and for screen readers. */
  words(text) {
    return text.blocks.map((block) => (block.rows ? block.rows.flat(2) : block.runs)
      .map((run) => run.text).join(block.rows ? ' ' : '')).join(' ').trim();
  },

  /** A QR code, with the margin that scanners need. */
  code({ caption, side, modules }) {
    const margin = 4;
    let path = '';
    for (let index = 0; index < modules.length; index += 1) {
      if (modules[index] === '1') path += `M${margin + (index % side)},${margin + Math.floor(index / side)}h1v1h-1z`;
    }
    const size = side + 2 * margin;
    const drawing = svgElement('svg', {
      viewBox: `0 0 ${size} ${size}`, role: 'img', 'aria-label': `QR code ${caption}`.trim(), 'shape-rendering': 'crispEdges',
    });
    drawing.append(
      svgElement('rect', { width: size, height: size, fill: '#fff' }),
      svgElement('path', { d: path, fill: '#000' }),
    );
    return element('figure', { className: 'code' }, drawing, caption && element('figcaption', {}, caption));
  },

  /** Rectangles of the cells that are marked, those of a row together. */
  cells(text, columns, width, height) {
    let path = '';
    for (let index = 0; index < text.length; index += 1) {
      if (text[index] !== '1') continue;
      const column = index % columns;
      let end = index + 1;
      while (end % columns && text[end] === '1') end += 1;
      const [x, y] = [column * width, Math.floor(index / columns) * height];
      path += `M${x.toFixed(2)},${y.toFixed(2)}h${((end - index) * width).toFixed(2)}v${height.toFixed(2)}H${x.toFixed(2)}z`;
      index = end - 1;
    }
    return path;
  },

  /** The lines of an offer in the area of its map, and where the map differs from that of this machine. */
  sketch({ area: [south, west, north, east], lines, marks }) {
    const shrink = Math.max(0.05, Math.cos(((south + north) / 2) * Math.PI / 180));
    const [width, height] = [(east - west) * shrink, north - south];
    if (!(width > 0 && height > 0)) return null;
    const scale = 200 / Math.max(width, height);
    const drawing = svgElement('svg', {
      viewBox: `-4 -4 ${width * scale + 8} ${height * scale + 8}`, role: 'img', class: 'sketch', preserveAspectRatio: 'xMinYMid',
      'aria-label': `The area of the map, with ${Words.count(lines.length, 'line')}`
        + (marks && marks.changes ? `, and where it ${marks.isNew ? 'is new' : 'differs'}` : ''),
    });
    drawing.append(svgElement('rect', { class: 'area', width: width * scale, height: height * scale }));
    const legend = [];
    if (marks) {
      const cell = [marks.columns, (width * scale) / marks.columns, (height * scale) / marks.rows];
      for (const [kind, words] of [['gaps', 'no map'], ['changes', marks.isNew ? 'new' : 'differs']]) {
        if (!marks[kind]) continue;
        drawing.append(svgElement('path', { d: WindowText.cells(marks[kind], ...cell), class: kind }));
        legend.push(element('span', { className: 'legend' }, element('span', { className: `sample ${kind}` }), words));
      }
    }
    for (const line of lines) {
      const points = [];
      for (let index = 0; index + 1 < line.points.length; index += 2) {
        const x = (line.points[index + 1] - west) * shrink * scale;
        points.push(`${x.toFixed(1)},${((north - line.points[index]) * scale).toFixed(1)}`);
      }
      drawing.append(svgElement('polyline', { points: points.join(' '), class: line.isHike ? 'hike' : 'planned' }));
    }
    return element('figure', {}, drawing, legend.length ? element('figcaption', {}, ...legend) : null);
  },

  drawing(drawing) {
    return drawing.modules === undefined ? WindowText.sketch(drawing) : WindowText.code(drawing);
  },
};
