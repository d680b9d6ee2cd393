'use strict';
// The search over hikes, routes and waypoints.

/** The maximum number of results that are shown. */
const shownResults = 100;

/** Compares names as people sort them: 9 before 10. */
const inOrder = new Intl.Collator(language, { numeric: true });

/** What can be found, with the texts in which it is looked for. */
function searchEntries(data, view) {
  const entry = (name, other, button) => ({ name: Words.folded(name), other: Words.folded(other), button });
  const categories = new Map(data.categories.map((category) => [category.id, t(category.name)]));
  const lines = data.lines.map((line) => entry(
    Words.name(line), `${line.kind === 'hike' ? t('hike') : t('route')} ${line.comment ?? ''}`,
    () => lineButton(line, view),
  ));
  const waypoints = data.waypoints.map((waypoint) => entry(
    view.waypoints.name(waypoint), `${categories.get(waypoint.category)} ${waypoint.note ?? ''}`,
    () => view.waypoints.listButton(waypoint),
  ));
  return lines.concat(waypoints);
}

/** The entries that have all words of a text, those first whose names begin with it. */
function find(text, entries) {
  const query = Words.folded(text).trim();
  const words = query.split(/\s+/).filter(Boolean);
  const rank = ({ name }) => {
    if (name.startsWith(query)) return 0;
    if (` ${name}`.includes(` ${query}`)) return 1;
    return words.every((word) => name.includes(word)) ? 2 : 3;
  };
  return entries
    .filter(({ name, other }) => words.every((word) => name.includes(word) || other.includes(word)))
    .map((each) => [rank(each), each])
    .sort(([one, { name }], [other, { name: otherName }]) => one - other || inOrder.compare(name, otherName))
    .map(([, each]) => each);
}

/** Creates the field with its results; `lists` are hidden while it has a text. */
function searchField(data, view, lists) {
  const field = element('input', {
    type: 'search', id: 'search', placeholder: t('Search'), autocomplete: 'off', enterKeyHint: 'search',
    'aria-label': t('Search hikes, routes and waypoints'),
  });
  const state = element('p', { className: 'found', role: 'status' });
  const results = element('ul', { id: 'results' });
  let entries = null;
  const show = () => {
    const isEmpty = !field.value.trim();
    lists.hidden = !isEmpty;
    if (isEmpty) {
      state.textContent = '';
      results.replaceChildren();
      return;
    }
    entries ??= searchEntries(data, view);
    const found = find(field.value, entries);
    const number = found.length;
    state.textContent = number > shownResults
      ? t`${number} found; the first ${shownResults} are shown.` : t`${number} found`;
    results.replaceChildren(...found.slice(0, shownResults).map(({ button }) => element('li', {}, button())));
  };
  field.addEventListener('input', show);
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') {
      // The keyboard of a phone would cover the map.
      if (window.matchMedia('(pointer: coarse)').matches) field.blur();
      results.querySelector('button')?.click();
    }
    if (event.key !== 'Escape' || !field.value) return;
    // Not every browser empties the field itself, and nothing else is closed by this.
    event.stopPropagation();
    event.preventDefault();
    field.value = '';
    show();
  });
  return element('div', { className: 'search', role: 'search' }, field, state, results);
}
