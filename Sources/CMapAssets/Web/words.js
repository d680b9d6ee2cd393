'use strict';
// Numbers, times and elements. Text from the store is data: it goes into the page as text only, never as HTML.

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

/** Letters that are no letter with an accent. */
const foldings = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ı: 'i', þ: 'th', ð: 'd' };

const Words = {
  /** A distance: 850 m, 8.0 km, 123 km. */
  distance(metres) {
    if (!Number.isFinite(metres)) return '?';
    if (metres < 999.5) return `${Math.round(metres)} m`;
    return `${(metres / 1000).toFixed(metres < 99950 ? 1 : 0)} km`;
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
    if (bytes < 1000) return `${bytes} bytes`;
    return bytes < 999500 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
  },

  /** Zoom levels, the lowest first: zooms 12 to 15; zooms 8, 11, 14 to 16; zoom 14. */
  zooms(levels) {
    if (!levels.length) return '';
    const ranges = [];
    for (const level of levels) {
      const last = ranges.at(-1);
      if (last && last[1] + 1 === level) last[1] = level; else ranges.push([level, level]);
    }
    const words = ranges.map(([low, high]) => (low === high ? `${low}` : `${low} to ${high}`)).join(', ');
    return `zoom${levels.length === 1 ? '' : 's'} ${words}`;
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
    const kilometres = (length) => length.toFixed(length < 99.95 ? 1 : 0);
    const width = (east - west) * 111.32 * Math.cos(((south + north) / 2) * Math.PI / 180);
    return `${kilometres(width)} × ${kilometres((north - south) * 110.57)} km`;
  },

  /** The name of a hike or route. */
  name(line) {
    return line.name || 'Without a name';
  },

  // What a map is that has only some of the tiles of another one.
  part({ wholeMapSize }) {
    return wholeMapSize ? `part of a map of ${Words.size(wholeMapSize)}` : 'part of a map';
  },

  count(number, noun) {
    return `${number} ${noun}${number === 1 ? '' : 's'}`;
  },

  /** Facts in one line. If it does not fit, it breaks between two facts, and not within one. */
  facts(facts) {
    return facts.filter((fact) => fact).map((fact) => fact.replaceAll(' ', '\u00a0')).join(' · ');
  },

  /** A day in the time zone of this machine: 2026-11-21. */
  day(text) {
    const time = new Date(text);
    return Number.isNaN(time.getTime()) ? '?' : new Intl.DateTimeFormat('sv-SE').format(time);
  },

  /** A time in the time zone of this machine. */
  time(text) {
    const time = new Date(text);
    if (Number.isNaN(time.getTime())) return '?';
    return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' }).format(time);
  },

  /** The facts about a line, as the list and the details show them. */
  line(line) {
    const facts = [
      Words.distance(line.distance),
      `${Words.height(line.ascent)} up`,
      `${Words.height(line.descent)} down`,
    ];
    if (line.kind === 'planned') facts.push(`about ${Words.duration(line.duration)}`);
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
