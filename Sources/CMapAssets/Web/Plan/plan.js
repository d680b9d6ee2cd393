'use strict';
// A route that a person plans: its places, and the ways through them that the program finds.

/** The maximum number of places of a route, as the program takes it. */
const mostPlaces = 25;

class Plan {
  /** Begins a plan without places; `show` is called after each change, and with each answer of the program. */
  constructor(view, show) {
    this.view = view;
    this.show = show;
    this.places = [];
    // The number of the way that the person has chosen.
    this.chosen = 0;
    this.answer = null;
    // What was before each change.
    this.past = [];
    this.asked = 0;
    this.known = 0;
    this.isAsking = false;
  }

  /** The ways through the places, the best first. */
  get ways() { return this.answer?.ways ?? []; }

  get way() { return this.ways[this.chosen] ?? null; }

  get isFull() { return this.places.length >= mostPlaces; }

  // MARK: Changes

  /** Remembers how it is, so that the next change can be undone. */
  remember() {
    this.past.push({ places: this.places, chosen: this.chosen });
    if (this.past.length > 200) this.past.shift();
  }

  /** Puts places in the place of those before. `isMoving`: more changes of the same kind follow at once. */
  change(places, isMoving = false) {
    [this.places, this.chosen] = [places, 0];
    this.ask(isMoving);
  }

  add(place) {
    if (this.isFull) return;
    const places = this.kept();
    this.remember();
    this.change([...places, place]);
  }

  insert(index, place) {
    this.remember();
    this.change(this.places.toSpliced(index, 0, place), true);
  }

  move(index, place, isMoving) {
    this.change(this.places.with(index, place), isMoving);
  }

  remove(index) {
    this.remember();
    this.change(this.places.toSpliced(index, 1));
  }

  clear() {
    this.remember();
    this.change([]);
  }

  /** Takes back the last change; returns whether there was one. */
  undo() {
    const last = this.past.pop();
    if (!last) return false;
    this.change(last.places);
    this.chosen = last.chosen;
    return true;
  }

  choose(index) {
    if (index === this.chosen) return;
    this.remember();
    this.chosen = index;
    this.show();
  }

  /** Forgets everything. */
  reset() {
    this.past = [];
    this.change([]);
  }

  /** The places, with one on the chosen alternative, which the program would not find again if there were more places. */
  kept() {
    if (!this.chosen || this.places.length !== 2) return this.places;
    // A few hundred points say enough.
    const some = (points) => points.filter((point, index) => index % Math.ceil(points.length / 300) === 0);
    const [best, points] = [this.ways[0], this.way].map((way) => some(this.points(way)));
    const apart = points.map((point) => Math.min(...best.map((other) => Plan.square(point, other))));
    return this.places.toSpliced(1, 0, L.latLng(points[apart.indexOf(Math.max(...apart))]));
  }

  // MARK: Geometry

  /** The points of a way, beside the map. */
  points(way) {
    const points = [];
    for (const numbers of way.segments) {
      for (let at = 0; at + 1 < numbers.length; at += 2) points.push(this.view.place(numbers[at], numbers[at + 1]));
    }
    return points;
  }

  /** The square of the distance of two points, in degrees of latitude. */
  static square([latitude, longitude], [otherLatitude, otherLongitude]) {
    const scale = Math.cos((latitude * Math.PI) / 180);
    return (latitude - otherLatitude) ** 2 + ((longitude - otherLongitude) * scale) ** 2;
  }

  /** Of each place, the index of the point at which the way comes by. */
  static passed(points, places) {
    let from = 0;
    return places.map(({ lat, lng }, index) => {
      if (index === places.length - 1) return points.length - 1;
      if (!index) return 0;
      const distances = points.slice(from).map((point) => Plan.square(point, [lat, lng]));
      from += distances.indexOf(Math.min(...distances));
      return from;
    });
  }

  // MARK: What the program says

  /** Asks for the ways; while an answer is awaited, only the newest wish counts. */
  async ask(isMoving) {
    this.asked += 1;
    this.isMoving = isMoving;
    if (this.places.length < 2) [this.answer, this.known] = [null, this.asked];
    this.show();
    if (this.isAsking) return;
    this.isAsking = true;
    while (this.known !== this.asked) {
      const [number, { places }] = [this.asked, this];
      const answer = await this.load(places, this.isMoving ? 1 : 3);
      if (this.places.length < 2) break;
      // What is old is shown while a place is moved, so that the line follows.
      if (number === this.asked || this.isMoving) this.answer = answer;
      this.known = number;
      this.chosen = Math.max(0, Math.min(this.chosen, this.ways.length - 1));
      this.show();
    }
    this.isAsking = false;
  }

  async load(places, count) {
    const words = places.map(({ lat, lng }) => `${lat.toFixed(5)}_${Words.longitude(lng).toFixed(5)}`);
    try {
      return await appWindow.read(['plan', this.view.data.region.id, count, ...words].join('/'));
    } catch (error) {
      return { refusal: error.message };
    }
  }

  /** Saves the way under a name; returns the key of the new route, or why there is none. */
  async save(name) {
    const places = this.places.map(({ lat, lng }) => [Number(lat.toFixed(5)), Number(Words.longitude(lng).toFixed(5))]);
    const { id } = this.view.data.region;
    return appWindow.send('save-route', { region: id, name, places, way: this.chosen, distance: this.way.distance });
  }
}
