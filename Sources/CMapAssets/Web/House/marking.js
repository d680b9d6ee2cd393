'use strict';
// What a person changes on the map of a region: new waypoints, and the names of items.

shapes.waypoint = ['M12 21s-6-6.5-6-11a6 6 0 0 1 12 0c0 4.5-6 11-6 11z', 'M12 7v6M9 10h6'];

const Marking = {
  kinds: { hike: ['hike', 'recorded hike'], planned: ['plannedRoute', 'planned route'] },

  /** Shows what is in the region now, with what was open. */
  async renew() {
    const { view } = window;
    const answer = await fetch('region.json');
    if (!answer.ok) {
      if (answer.status === 404) notice('This region was removed.');
      return;
    }
    const data = await answer.json();
    const items = ({ region, lines, waypoints }) => JSON.stringify([region, lines, waypoints]);
    if (items(data) === items(view.data)) return;
    const state = Marking.state(view);
    Marking.clear(view);
    Object.assign(view.data, data);
    showRegionFacts(view.data);
    view.data.lines.forEach((line) => view.drawLine(line));
    view.waypoints.drawWaypoints();
    view.limit();
    document.getElementById('panel').replaceChildren();
    fillPanel(view.data, view);
    Marking.restore(view, state);
  },

  /** What is hidden, selected and open, by keys. */
  state(view) {
    const hiddenLines = view.data.lines.filter((line) => !view.boxes.get(line).checked).map(({ key }) => key);
    return {
      hidden: new Set([...view.waypoints.hidden, ...hiddenLines]), selected: view.selected?.key, open: view.waypoints.open?.key,
    };
  },

  clear(view) {
    view.unselect();
    view.map.closePopup();
    view.drawn.forEach((line) => line.remove());
    view.waypoints.markers.forEach((marker) => marker.remove());
    view.waypoints.clusters.forEach((mark) => mark?.remove());
    for (const some of [view.drawn, view.buttons, view.boxes, view.waypoints.markers, view.waypoints.clusters]) some.clear();
    view.waypoints.hidden.clear();
    view.waypoints.places = [];
  },

  restore(view, { hidden, selected, open }) {
    view.boxes.forEach((box, key) => { if (hidden.has(key.key ?? key)) box.click(); });
    const line = view.data.lines.find(({ key }) => key === selected);
    if (line) view.select(line, false);
    Marking.open(view, open);
  },

  /** Opens the popup of a waypoint. */
  open(view, key) {
    const waypoint = key && view.data.waypoints.find((each) => each.key === key);
    if (waypoint) view.waypoints.show(waypoint);
  },

  /** Changes something; returns the refusal, or shows what was changed. */
  async change(action, content) {
    const { text, key, refusal } = await appWindow.send(action, { region: window.view.data.region.id, ...content });
    if (refusal) return refusal;
    await Marking.renew();
    passing(text);
    document.getElementById('announcement').textContent = text;
    if (key) Marking.open(window.view, key);
    return undefined;
  },

  /** The buttons for one item. */
  buttons(kind, noun, key, name, hasPhoto) {
    const item = { kind, key, name };
    const words = name ? `${noun} ${Words.apart(name)}` : noun;
    return element(
      'div', { className: 'answers' },
      appWindow.button('Rename …', '', () => appWindow.nameDialog(`Rename the ${words}`, 'New name', name, (to) => (
        Marking.change('rename-item', { item, name: to })
      )), `Rename the ${words}`),
      appWindow.button('Remove …', '', () => appWindow.dialog(`Remove the ${words}?`, [
        element('p', { className: 'text' }, `It is removed${hasPhoto ? ' with its photo' : ''} for good.`),
      ], {
        submitWords: 'Remove for good', submitClass: 'danger', submit: () => Marking.change('remove-item', { item }),
      }).querySelector('.answers button:last-child').focus(), `Remove the ${words}`),
    );
  },
};

/** Adds waypoints where a person taps, or in the middle of the map. */
class WaypointMode {
  constructor(view) {
    this.view = view;
    this.map = view.map;
    this.tools = view.tools;
    this.tools.addMode('waypoint', 'Add a waypoint', this);
  }

  begin() {
    this.tools.say('Tap the place of the new waypoint, or move the map.');
    this.map.getContainer().classList.add('aiming');
  }

  end() {
    this.map.getContainer().classList.remove('aiming');
  }

  buttons() {
    return [appWindow.button('Add in the middle', '', () => this.tap(this.map.getCenter()))];
  }

  tap(place) {
    const label = element('input', { type: 'text', required: true, autocomplete: 'off', maxLength: 1000 });
    const category = element('select', {}, ...this.view.data.categories.map(({ id, name }) => (
      element('option', { value: id, selected: id === 'custom' }, name)
    )));
    const note = element('textarea', { rows: 3 });
    const dialog = appWindow.dialog('Add a waypoint', [
      element('p', { className: 'text' }, Words.degrees(place)),
      appWindow.field('Name', label), appWindow.field('Kind of place', category), appWindow.field('Note', note),
    ], { submitWords: 'Add', submit: () => this.add(place, label.value, category.value, note.value) });
    dialog.addEventListener('close', () => { if (!this.tools.mode) this.button.focus(); });
    label.focus();
  }

  async add(place, label, category, note) {
    const refusal = await Marking.change('waypoint', {
      latitude: place.lat, longitude: Words.longitude(place.lng), label, category, note,
    });
    if (!refusal) this.tools.enter(null);
    return refusal;
  }
}

waypointParts.push(({ key, label, photo }) => Marking.buttons('waypoint', 'waypoint', key, label, Boolean(photo)));
lineParts.push(({ key, kind, name }) => Marking.buttons(...Marking.kinds[kind], key, name, false));

started.then(() => {
  if (!window.view) return;
  if (!window.view.data.region.isAreaUnknown) new WaypointMode(window.view);
  appWindow.changed.push(() => Marking.renew());
});
