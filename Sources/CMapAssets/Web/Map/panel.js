'use strict';
// The lists beside the map. They have everything that the map has, for keyboards and screen readers too.

/** The number of waypoints from which the list of a category is made when it is opened. */
const manyWaypoints = 500;

/** A button that shows a line. */
function lineButton(line, view) {
  const facts = Words.line(line);
  if (line.startTime) facts.push(Words.time(line.startTime));
  return element(
    'button', { type: 'button', onclick: () => view.select(line, true) },
    element('span', { className: `sample ${line.kind}` }),
    element('span', { className: 'item-name', dir: 'auto' }, Words.name(line)),
    element('span', { className: 'item-facts' }, Words.facts(facts)),
  );
}

/** The list of hikes or planned routes. */
function lineSection(title, lines, view) {
  const boxes = [];
  const items = lines.map((line) => {
    const name = Words.name(line);
    const shown = element('input', { type: 'checkbox', checked: true, 'aria-label': t`Show ${name} on the map` });
    shown.addEventListener('change', () => view.showLine(line, shown.checked));
    view.boxes.set(line, shown);
    boxes.push(shown);
    const button = lineButton(line, view);
    view.buttons.set(line, button);
    return element('li', {}, element('label', { className: 'check' }, shown), button);
  });
  return element('section', {}, sectionHead(title, lines.length, boxes), element('ul', {}, ...items));
}

/** The waypoints of one category. */
function waypointSection(category, waypoints, isLong, view) {
  const shown = element('input', { type: 'checkbox', checked: true, id: `category-${category.id}` });
  shown.addEventListener('change', () => view.waypoints.showCategory(category.id, shown.checked));
  view.boxes.set(category.id, shown);
  const list = element('ul', {});
  const fill = () => {
    if (!list.children.length) list.append(...waypoints.map((each) => element('li', {}, view.waypoints.listButton(each))));
  };
  const summary = element(
    'summary', {},
    element('span', { className: `dot category-${category.id}` }),
    `${t(category.name)} (${waypoints.length})`,
  );
  const label = element('label', { className: 'on-map' }, shown, ` ${t('on the map')}`);
  const details = element('details', { className: 'category' }, summary, label, list);
  if (isLong) details.addEventListener('toggle', fill); else fill();
  return details;
}

/** The title of a section, and a box for all of its boxes. */
function sectionHead(title, count, boxes) {
  const all = element('input', { type: 'checkbox', checked: true });
  all.addEventListener('change', () => {
    const isShown = all.checked;
    boxes.forEach((box) => { if (box.checked !== isShown) box.click(); });
  });
  boxes.forEach((box) => box.addEventListener('change', () => {
    const shown = boxes.filter(({ checked }) => checked).length;
    all.checked = shown > 0;
    all.indeterminate = shown > 0 && shown < boxes.length;
  }));
  return element(
    'div', { className: 'head' },
    element('h2', {}, `${title} (${count})`),
    element('label', { className: 'all' }, all, element('span', { className: 'unseen' }, `${t`${title}: all`} `), ` ${t('on the map')}`),
  );
}

/** The section of the waypoints. */
function waypointsSection(data, view) {
  const groups = data.categories
    .map((category) => [category, data.waypoints.filter((waypoint) => waypoint.category === category.id)])
    .filter(([, waypoints]) => waypoints.length);
  const isLong = data.waypoints.length > manyWaypoints;
  const lists = groups.map(([category, waypoints]) => waypointSection(category, waypoints, isLong, view));
  const boxes = groups.map(([category]) => view.boxes.get(category.id));
  return element('section', {}, sectionHead(t('Waypoints'), data.waypoints.length, boxes), ...lists);
}

/** Fills the panel. */
function fillPanel(data, view) {
  const lists = element('div', { id: 'lists' });
  const hikes = data.lines.filter((line) => line.kind === 'hike');
  const planned = data.lines.filter((line) => line.kind === 'planned');
  if (hikes.length) lists.append(lineSection(t('Recorded hikes'), hikes, view));
  if (planned.length) lists.append(lineSection(t('Planned routes'), planned, view));
  if (data.waypoints.length) lists.append(waypointsSection(data, view));
  const panel = document.getElementById('panel');
  if (lists.children.length) panel.append(searchField(data, view, lists));
  else lists.append(element('p', {}, t('This map has no hikes, routes or waypoints.')));
  const { region } = data;
  const sentences = [
    [
      region.foreign ? t(region.foreign) : t`Map: ${Words.zooms(region.zooms)}, ${counted(region.tileCount, 'tile')}`,
      Words.size(region.mapSize), region.isPart && Words.part(region),
    ].filter(Boolean).join(', '),
    data.lack ? said(data.lack) : '',
    region.attribution ?? '',
    window.vectorLayer ? t('Drawn with Leaflet and MapLibre') : t('Drawn with Leaflet'),
  ];
  lists.append(element('div', { className: 'about' }, ...sentences.filter(Boolean).map((text) => element('p', {}, text))));
  panel.append(lists);
}
