'use strict';
// The coordinates of any place on the map.

/** The distance within which an elevation of the data is that of a place, in metres. */
const nearby = 50;

/** Copies a text. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Over http, browsers have the older way only.
    const field = element('textarea', { className: 'unseen', value: text, readOnly: true, 'aria-hidden': 'true' });
    const focused = document.activeElement;
    document.body.append(field);
    field.select();
    const isCopied = document.execCommand('copy');
    field.remove();
    focused?.focus?.({ preventScroll: true });
    return isCopied;
  }
}

/** The coordinates of a place, and a button that copies them. */
function coordinates(place) {
  const text = Words.degrees(place);
  const button = element('button', { type: 'button', 'aria-label': t`Copy the coordinates ${text}` }, t('Copy'));
  const state = element('span', { role: 'status' });
  button.addEventListener('click', async () => {
    state.textContent = await copy(text) ? t('Copied') : t('This browser does not allow it. Select the numbers instead.');
  });
  return element('p', { className: 'coordinates' }, element('span', { className: 'numbers' }, text), button, state);
}

/** Shows the coordinates of places that are tapped. */
class PlaceMode {
  constructor(view, tools) {
    this.view = view;
    this.map = view.map;
    this.tools = tools;
    tools.addMode('place', t('Coordinates of a place'), this);
    // A long press or the right button needs no mode.
    this.map.on('contextmenu', (event) => this.show(event.latlng));
  }

  begin() {
    this.tools.say(t('Tap a place, or move the map.'));
    this.map.getContainer().classList.add('aiming');
  }

  end() {
    this.map.getContainer().classList.remove('aiming');
  }

  buttons() {
    const middle = element('button', { type: 'button' }, t('Show the middle'));
    middle.addEventListener('click', () => {
      const popup = this.show(this.map.getCenter());
      // From the keyboard, the button that copies is next, and then this one again.
      popup.getElement().querySelector('.coordinates button').focus({ preventScroll: true });
      popup.on('remove', () => middle.focus({ preventScroll: true }));
    });
    return [middle];
  }

  tap(place) {
    this.show(place);
  }

  /** Opens a popup with the coordinates of a place, and returns it. */
  show(place) {
    const height = this.height(place);
    const [mark, elevation] = ['\u0000', Words.height(height?.elevation)];
    const [before, behind] = t`About ${elevation}, as ${mark}`.split(mark);
    const content = element(
      'div', { className: 'waypoint' },
      element('h2', {}, t('Place')),
      element('p', {}, Words.minutes(place)),
      height ? element('p', {}, before, element('bdi', {}, height.name), behind) : null,
      coordinates(place),
    );
    document.getElementById('announcement').textContent = `${Words.degrees(place)}; ${Words.minutes(place)}`;
    return L.popup({ ...this.view.popupPlace(), minWidth: Math.min(230, this.view.waypoints.popupWidth()) })
      .setLatLng(place).setContent(content).openOn(this.map);
  }

  /** The elevation of what is nearest to a place, and its name; null if nothing near is known. */
  height({ lat, lng }) {
    const scale = Math.cos((lat * Math.PI) / 180);
    let [best, least] = [null, nearby / 111195];
    const look = (latitude, longitude, elevation, name) => {
      const distance = Math.hypot(latitude - lat, (longitude - Words.longitude(lng)) * scale);
      if (distance <= least && Number.isFinite(elevation)) [best, least] = [{ elevation, name }, distance];
    };
    this.view.data.lines.forEach((line) => {
      (line.profile ?? []).forEach((sample) => look(sample[2], sample[3], sample[1], line.name || t('a route here')));
    });
    this.view.data.waypoints.forEach((waypoint) => {
      look(waypoint.latitude, waypoint.longitude, waypoint.elevation, this.view.waypoints.name(waypoint));
    });
    return best;
  }
}
