'use strict';
// The lists beside the map. They have everything that the map has, for keyboards and screen readers too.

/** The list of hikes or planned routes. */
function lineSection(title, lines, view) {
  const items = lines.map((line) => {
    const shown = element('input', { type: 'checkbox', checked: true, 'aria-label': `Show ${line.name} on the map` });
    shown.addEventListener('change', () => view.showLine(line, shown.checked));
    view.boxes.set(line, shown);
    const facts = Words.line(line);
    if (line.startTime) facts.push(Words.time(line.startTime));
    const button = element(
      'button', { type: 'button' },
      element('span', { className: `sample ${line.kind}` }),
      element('span', { className: 'item-name' }, line.name || 'Without a name'),
      element('span', { className: 'item-facts' }, Words.facts(facts)),
    );
    button.addEventListener('click', () => view.select(line, true));
    view.buttons.set(line, button);
    return element('li', {}, element('label', { className: 'check' }, shown), button);
  });
  return section(title, items);
}

/** The waypoints of one category. */
function waypointSection(category, waypoints, view) {
  const shown = element('input', { type: 'checkbox', checked: true, id: `category-${category.id}` });
  shown.addEventListener('change', () => view.waypoints.showCategory(category.id, shown.checked));
  view.boxes.set(category.id, shown);
  const items = waypoints.map((waypoint) => {
    const facts = [];
    if (waypoint.elevation !== undefined) facts.push(Words.height(waypoint.elevation));
    if (waypoint.photo) facts.push('photo');
    if (waypoint.note) facts.push(waypoint.note.length > 80 ? `${waypoint.note.slice(0, 79)}…` : waypoint.note);
    const button = element(
      'button', { type: 'button' },
      element('span', { className: `dot category-${category.id}` }),
      element('span', { className: 'item-name' }, waypoint.label || category.name),
      element('span', { className: 'item-facts' }, facts.join(' · ')),
    );
    button.addEventListener('click', () => view.waypoints.openWaypoint(waypoint));
    return element('li', {}, button);
  });
  const summary = element(
    'summary', {},
    element('span', { className: `dot category-${category.id}` }),
    `${category.name} (${waypoints.length})`,
  );
  const label = element('label', { className: 'on-map' }, shown, ' on the map');
  return element('details', { className: 'category' }, summary, label, element('ul', {}, ...items));
}

function section(title, items) {
  return element(
    'section', {},
    element('h2', {}, `${title} (${items.length})`),
    element('ul', {}, ...items),
  );
}

/** Fills the panel. */
function fillPanel(data, view) {
  const panel = document.getElementById('panel');
  const hikes = data.lines.filter((line) => line.kind === 'hike');
  const planned = data.lines.filter((line) => line.kind === 'planned');
  if (hikes.length) panel.append(lineSection('Recorded hikes', hikes, view));
  if (planned.length) panel.append(lineSection('Planned routes', planned, view));
  if (data.waypoints.length) {
    const groups = data.categories
      .map((category) => [category, data.waypoints.filter((waypoint) => waypoint.category === category.id)])
      .filter(([, waypoints]) => waypoints.length);
    panel.append(element(
      'section', {},
      element('h2', {}, `Waypoints (${data.waypoints.length})`),
      ...groups.map(([category, waypoints]) => waypointSection(category, waypoints, view)),
    ));
  }
  if (!panel.children.length) panel.append(element('p', {}, 'This region has no hikes, routes or waypoints.'));
  const { region } = data;
  const sentences = [
    `Map: ${Words.zooms(region.zooms)}, ${Words.count(region.tileCount, 'tile')}, `
      + Words.size(region.mapSize)
      + (region.wholeMapSize ? `, part of a map of ${Words.size(region.wholeMapSize)}` : ''),
    region.attribution ?? '',
    'Drawn with Leaflet',
  ];
  panel.append(element('div', { className: 'about' }, ...sentences.filter(Boolean).map((text) => element('p', {}, text))));
}
