'use strict';
// The elevation profile of a line. A sample is [distance, elevation, latitude, longitude].

class Profile {
  /** Draws the profile of a line with a length; `follow` is called with the sample under the pointer, or null. */
  constructor(samples, length, follow) {
    this.samples = samples;
    this.follow = follow;
    this.width = 1000;
    this.height = 120;
    this.length = Math.max(samples[samples.length - 1][0], length) || 1;
    const elevations = samples.map((sample) => sample[1]);
    this.lowest = Math.min(...elevations);
    this.highest = Math.max(...elevations);
    this.element = element('div', { className: 'profile' });
    this.element.append(this.drawing(), this.labels());
    this.show(null);
  }

  x(sample) {
    return (sample[0] / this.length) * this.width;
  }

  y(sample) {
    const range = Math.max(20, this.highest - this.lowest);
    return this.height - 6 - ((sample[1] - this.lowest) / range) * (this.height - 16);
  }

  drawing() {
    const points = this.samples.map((sample) => `${this.x(sample).toFixed(1)} ${this.y(sample).toFixed(1)}`);
    this.svg = svgElement('svg', {
      viewBox: `0 0 ${this.width} ${this.height}`,
      preserveAspectRatio: 'none',
      tabindex: 0,
      role: 'slider',
      'aria-label': t('Elevation profile. The arrow keys move along the line.'),
      'aria-valuemin': 0,
      'aria-valuemax': Math.round(this.length),
    });
    this.svg.append(
      svgElement('path', { class: 'area', d: `M0 ${this.height} L${points.join(' L')} L${this.width} ${this.height}Z` }),
      svgElement('path', { class: 'line', d: `M${points.join(' L')}` }),
    );
    this.cursor = svgElement('line', { class: 'cursor', y1: 0, y2: this.height });
    this.svg.append(this.cursor);
    this.svg.addEventListener('pointermove', (event) => this.point(event));
    this.svg.addEventListener('pointerdown', (event) => this.point(event));
    this.svg.addEventListener('pointerleave', () => this.choose(null));
    this.svg.addEventListener('blur', () => this.choose(null));
    this.svg.addEventListener('keydown', (event) => this.press(event));
    return this.svg;
  }

  labels() {
    this.reading = element('output', { className: 'reading' });
    return element(
      'p', { className: 'profile-labels' },
      element('span', {}, t`${Words.height(this.lowest)} to ${Words.height(this.highest)}`),
      this.reading,
      element('span', {}, Words.distance(this.length)),
    );
  }

  point(event) {
    const box = this.svg.getBoundingClientRect();
    this.choose(this.indexAt(((event.clientX - box.left) / box.width) * this.length));
  }

  press(event) {
    const last = this.samples.length - 1;
    const step = Math.max(1, Math.round(last / 50));
    const index = this.index === null ? 0 : this.index;
    const target = {
      ArrowRight: index + step, ArrowUp: index + step, ArrowLeft: index - step, ArrowDown: index - step,
      Home: 0, End: last,
    }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    this.choose(Math.min(last, Math.max(0, target)));
  }

  /** The index of the sample nearest to a distance. */
  indexAt(distance) {
    let [low, high] = [0, this.samples.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.samples[middle][0] < distance) low = middle + 1; else high = middle;
    }
    const before = Math.max(0, low - 1);
    return distance - this.samples[before][0] < this.samples[low][0] - distance ? before : low;
  }

  /** The index of the sample nearest to a place. */
  indexNear(latitude, longitude) {
    const scale = Math.cos((latitude * Math.PI) / 180);
    let [best, least] = [0, Infinity];
    this.samples.forEach((sample, index) => {
      const distance = (sample[2] - latitude) ** 2 + ((sample[3] - longitude) * scale) ** 2;
      if (distance < least) [best, least] = [index, distance];
    });
    return best;
  }

  choose(index) {
    this.show(index);
    this.follow(index === null ? null : this.samples[index]);
  }

  show(index) {
    this.index = index;
    const sample = this.samples[index === null ? 0 : index];
    const [distance, height] = [Words.distance(sample[0]), Words.height(sample[1])];
    const text = t`${height} at ${distance}`;
    this.cursor.style.display = index === null ? 'none' : '';
    this.reading.textContent = index === null ? '' : text;
    this.svg.setAttribute('aria-valuenow', Math.round(sample[0]));
    this.svg.setAttribute('aria-valuetext', text);
    for (const end of ['x1', 'x2']) this.cursor.setAttribute(end, this.x(sample));
  }
}
