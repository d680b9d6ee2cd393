'use strict';
// The view in the address of the page, for Reload and for links: #15/42.58010/1.47000/KEY, with the key of what is open.

class Address {
  constructor(view) {
    this.view = view;
    this.timer = null;
    // What the page was opened with.
    this.first = window.location.hash;
    window.addEventListener('hashchange', () => this.apply());
  }

  /** The view that the address has; null for none. */
  static read(hash) {
    const parts = /^#(\d{1,2})\/(-?\d{1,2}(?:\.\d{1,6})?)\/(-?\d{1,3}(?:\.\d{1,6})?)(?:\/([0-9a-f]{12}))?$/.exec(hash);
    if (!parts) return null;
    const [zoom, latitude, longitude] = parts.slice(1, 4).map(Number);
    return { zoom, latitude, longitude, key: parts[4] ?? null };
  }

  /** Shows what the address says. */
  apply() {
    const read = Address.read(window.location.hash);
    if (!read || this.text() === window.location.hash) return;
    const { data, map, waypoints } = this.view;
    const line = data.lines.find((each) => each.key === read.key);
    const waypoint = data.waypoints.find((each) => each.key === read.key);
    if (!line) this.view.unselect();
    else if (line !== this.view.selected) this.view.select(line, false);
    if (waypoint !== waypoints.open) map.closePopup();
    map.setView(this.view.place(read.latitude, read.longitude), read.zoom, { animate: false });
    if (waypoint && waypoint !== waypoints.open) waypoints.show(waypoint);
  }

  /** The address of the view. */
  text() {
    const { map, selected, waypoints } = this.view;
    const { lat, lng } = map.getCenter();
    const key = waypoints.open?.key ?? selected?.key;
    return `#${map.getZoom()}/${lat.toFixed(5)}/${Words.longitude(lng).toFixed(5)}${key ? `/${key}` : ''}`;
  }

  /** Writes the address soon: browsers allow some changes in a while only. */
  noteChange() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.write(), 400);
  }

  /** Writes the address in place of the last one, so that Back leaves the page. */
  write() {
    try {
      window.history.replaceState(null, '', this.text());
    } catch {
      // Some browsers do not allow it to pages from the disk.
    }
  }
}
