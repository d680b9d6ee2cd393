'use strict';
// Sentences, numbers, times and elements. Text from the store is data: it goes into the page as text only, never as HTML.

/** Creates an element with properties and children; strings become text. */
function element(name, properties, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties || {})) {
    if (key.startsWith('aria-') || ['role', 'for', 'dir'].includes(key)) made.setAttribute(key, value);
    else made[key] = value;
  }
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== ''));
  return made;
}

function svgElement(name, attributes) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** The language of the page, and its sentences by the English ones. A page of a server has one language, a file has all of them. */
const [language, sentences] = (() => {
  const tables = typeof languageTables === 'undefined' ? {} : languageTables;
  const root = document.documentElement;
  const names = ['en', ...Object.keys(tables)];
  const isFile = Boolean(document.querySelector('script.data-region'));
  const wishes = isFile ? [...(navigator.languages || [])] : [];
  const wish = wishes.map((each) => each.toLowerCase().split('-')[0]).find((each) => names.includes(each));
  if (wish) root.lang = wish;
  return [root.lang, new Map(Object.entries(tables[root.lang] || {}))];
})();

/** A number of things in a sentence. */
class Counted {
  constructor(number, noun) {
    [this.number, this.noun] = [number, noun];
  }

  toString() {
    return `${this.number} ${this.noun}${this.number === 1 ? '' : 's'}`;
  }
}

const counted = (number, noun) => new Counted(number, noun);

/** A sentence in the language of the page: t`Photo of ${name}`, t('Close'). Without a translation, it is the English one. */
function t(parts, ...values) {
  const pieces = typeof parts === 'string' ? [parts] : parts;
  const place = (value) => (value instanceof Counted ? `{# ${value.noun}}` : '{}');
  const found = sentences.get(pieces.reduce((text, piece, index) => text + place(values[index - 1]) + piece));
  if (found === undefined) return pieces.reduce((text, piece, index) => `${text}${values[index - 1]}${piece}`);
  const first = values.findIndex((value) => value instanceof Counted);
  const plurals = sentences.get('');
  const form = (number) => plurals[number < 200 ? number : 100 + (number % 100)];
  return (Array.isArray(found) ? found[form(values[first].number)] : found).replace(/\{(\d)\}/g, (mark, index) => {
    const value = values[index];
    if (!(value instanceof Counted)) return `${value}`;
    return Number(index) === first ? `${value.number}` : t(['', ''], value);
  });
}

/** A sentence of the data: an English one, or an array of an English one with places and what belongs there. */
function said(sentence) {
  if (!Array.isArray(sentence)) return t(sentence);
  return t(sentence[0].split('{}'), ...sentence.slice(1).map((value) => (Array.isArray(value) ? said(value) : value)));
}

/** Puts the texts that stand in a file, which are English, into the language of the page. */
function translatePage() {
  const isText = ({ parentNode }) => !['SCRIPT', 'STYLE', 'NOSCRIPT'].includes(parentNode.nodeName);
  const translated = (text) => t(text.trim().replace(/\s+/g, ' '));
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    if (isText(texts.currentNode) && texts.currentNode.data.trim()) texts.currentNode.data = translated(texts.currentNode.data);
  }
  document.querySelectorAll('[aria-label]').forEach((each) => { each.ariaLabel = translated(each.ariaLabel); });
}

if (language !== 'en' && document.querySelector('script.data-region')) translatePage();

/** Letters that are no letter with an accent. */
const foldings = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ı: 'i', þ: 'th', ð: 'd' };

const Words = {
  /** A number with digits after the decimal mark of the language. */
  decimal(value, places) {
    // Translators: Half, as a number. Only its decimal mark is taken: 0,5.
    return value.toFixed(places).replace('.', t('0.5').charAt(1));
  },

  /** A distance: 850 m, 8.0 km, 123 km. */
  distance(metres) {
    if (!Number.isFinite(metres)) return '?';
    if (metres < 999.5) return `${Math.round(metres)} m`;
    return `${Words.decimal(metres / 1000, metres < 99950 ? 1 : 0)} km`;
  },

  height(metres) {
    return Number.isFinite(metres) ? `${Math.round(metres)} m` : '?';
  },

  /** A length of time: 12 s, 3 min, 2 h 05 min. */
  duration(seconds) {
    if (!Number.isFinite(seconds) || seconds < 0) return '?';
    if (seconds < 59.5) return `${Math.round(seconds)} s`;
    const minutes = Math.round(seconds / 60);
    if (minutes < 60) return `${minutes} min`;
    return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
  },

  size(bytes) {
    if (bytes < 1000) return Words.count(bytes, 'byte');
    const [kilobytes, megabytes] = [Math.round(bytes / 1000), Words.decimal(bytes / 1e6, 1)];
    return bytes < 999500 ? t`${kilobytes} kB` : t`${megabytes} MB`;
  },

  /** Zoom levels, the lowest first: zooms 12 to 15; zooms 8, 11, 14 to 16; zoom 14. */
  zooms(levels) {
    if (!levels.length) return '';
    const ranges = [];
    for (const level of levels) {
      const last = ranges.at(-1);
      if (last && last[1] + 1 === level) last[1] = level; else ranges.push([level, level]);
    }
    const words = ranges.map(([low, high]) => (low === high ? `${low}` : t`${low} to ${high}`)).join(', ');
    return levels.length === 1 ? t`zoom ${words}` : t`zooms ${words}`;
  },

  /** A longitude between -180 and 180. */
  longitude(degrees) {
    return degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees;
  },

  /** The middle of an area. */
  middle([south, west, north, east]) {
    const [latitude, longitude] = [(south + north) / 2, Words.longitude((west + east) / 2)];
    return `${Math.abs(latitude).toFixed(2)}° ${latitude < 0 ? 'S' : 'N'}, `
      + `${Math.abs(longitude).toFixed(2)}° ${longitude < 0 ? 'W' : 'E'}`;
  },

  /** A place in degrees, as other programs read it: 42.57012, 1.48123. */
  degrees({ lat, lng }) {
    return `${lat.toFixed(5)}, ${Words.longitude(lng).toFixed(5)}`;
  },

  /** A place in degrees and minutes, as maps and GPS receivers show it: 42° 34.207′ N, 1° 28.874′ E. */
  minutes({ lat, lng }) {
    const part = (value, [positive, negative]) => {
      const thousandths = Math.round(Math.abs(value) * 60000);
      const minutes = ((thousandths % 60000) / 1000).toFixed(3).padStart(6, '0');
      return `${Math.floor(thousandths / 60000)}° ${minutes}′ ${value < 0 ? negative : positive}`;
    };
    return `${part(lat, 'NS')}, ${part(Words.longitude(lng), 'EW')}`;
  },

  /** A text in which letters differ neither by case nor by accents. */
  folded(text) {
    return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
      .replace(/[ßæœøłđıþð]/g, (letter) => foldings[letter]);
  },

  /** A text whose direction of writing does not change that of the text around it. */
  apart(text) {
    return `\u2068${text}\u2069`;
  },

  /** The width and height of an area: 9.2 × 6.8 km. */
  area([south, west, north, east]) {
    const kilometres = (length) => Words.decimal(length, length < 99.95 ? 1 : 0);
    const width = (east - west) * 111.32 * Math.cos(((south + north) / 2) * Math.PI / 180);
    return `${kilometres(width)} × ${kilometres((north - south) * 110.57)} km`;
  },

  /** The name of a hike or route. */
  name(line) {
    return line.name || t('Without a name');
  },

  // What a map is that has only some of the tiles of another one.
  part({ wholeMapSize }) {
    const size = Words.size(wholeMapSize);
    return wholeMapSize ? t`part of a map of ${size}` : t('part of a map');
  },

  count(number, noun) {
    return t`${counted(number, noun)}`;
  },

  /** Facts in one line. If it does not fit, it breaks between two facts, and not within one. */
  facts(facts) {
    return facts.filter((fact) => fact).map((fact) => fact.replaceAll(' ', '\u00a0')).join(' · ');
  },

  /** A day in the time zone of this machine: 2026-11-21. */
  day(text) {
    const time = new Date(text);
    return Number.isNaN(time.getTime()) ? '?' : new Intl.DateTimeFormat(language === 'en' ? 'sv-SE' : language).format(time);
  },

  /** A time in the time zone of this machine. */
  time(text) {
    const time = new Date(text);
    if (Number.isNaN(time.getTime())) return '?';
    return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, { dateStyle: 'medium', timeStyle: 'short' }).format(time);
  },

  /** The facts about a line, as the list and the details show them. */
  line(line) {
    const facts = [
      Words.distance(line.distance),
      t`${Words.height(line.ascent)} up`,
      t`${Words.height(line.descent)} down`,
    ];
    if (line.kind === 'planned') facts.push(t`about ${Words.duration(line.duration)}`);
    else if (line.walkingTime + line.restingTime > 0) {
      facts.push(`${Words.duration(line.walkingTime + line.restingTime)}`);
    }
    return facts;
  },
};

/** Shows a sentence above the map. */
function notice(sentence) {
  const place = document.getElementById('notice');
  place.textContent = [place.textContent, sentence].filter((text) => text).join(' ');
  place.hidden = false;
}

/** Shows a sentence above the map for a while. */
function passing(sentence) {
  const place = document.getElementById('message');
  place.textContent = sentence;
  place.hidden = false;
  clearTimeout(passing.timer);
  passing.timer = setTimeout(() => { place.hidden = true; }, 10000);
}

/** The data of the page: a part of the file, or else from the server. */
async function load(name) {
  const inside = [...document.querySelectorAll(`script.data-${name}`)];
  if (inside.length) return JSON.parse(inside.map((block) => block.textContent).join(''));
  const answer = await fetch(`${name}.json`);
  if (!answer.ok) throw new Error((await answer.text()).trim());
  return answer.json();
}
