"use strict";

// Shows the film at any time: everything that is seen follows from the time alone, so the slider can go anywhere.
const film = JSON.parse(document.getElementById("film").textContent);
const element = id => document.getElementById(id);
const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
const radius = 290, size = 46;
// How long a ring lasts, and how long peers take to move aside.
const echo = 500, shift = isCalm ? 1 : 600;
const speeds = Array.from(element("speed").options, option => option.value);
const state = { time: 0, isPlaying: false, frame: 0, line: -1 };

function make(name, parent, attributes = {}) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return parent.appendChild(node);
}

const at = (changes, time) => changes.findLast(change => change.time <= time);
const angle = peer => (peer / film.names.length) * 2 * Math.PI - Math.PI / 2;
const hue = peer => `--hue: ${peer * 360 / film.names.length}`;

// Where peers are: parts of a network move away from each other, and a peer alone moves out of the circle.
function place(peer, parts) {
  const [x, y] = [Math.cos(angle(peer)), Math.sin(angle(peer))];
  const members = film.names.map((_, other) => other).filter(other => parts[other] === parts[peer]);
  if (members.length === 1) return [x * (radius + 42), y * (radius + 42)];
  const counts = new Set(parts.filter(part => parts.filter(other => other === part).length > 1));
  if (counts.size < 2) return [x * radius, y * radius];
  const sum = members.reduce(([a, b], other) => [a + Math.cos(angle(other)), b + Math.sin(angle(other))], [0, 0]);
  const length = Math.hypot(...sum) || 1;
  return [x * radius + sum[0] / length * 45, y * radius + sum[1] / length * 45];
}

function places(time) {
  const index = film.networks.findLastIndex(change => change.time <= time);
  const now = film.networks[index], before = film.networks[Math.max(0, index - 1)];
  const share = Math.min(1, (time - now.time) / shift), eased = share * share * (3 - 2 * share);
  return film.names.map((_, peer) => {
    const [from, to] = [place(peer, before.value), place(peer, now.value)];
    return from.map((value, axis) => value + (to[axis] - value) * eased);
  });
}

const lines = film.links.map(() => make("line", element("links")));
const peers = film.names.map((name, peer) => {
  const group = make("g", element("peers"), { style: hue(peer) });
  make("circle", group, { class: "body", r: size });
  make("text", group, { class: "name", y: 9 }).textContent = name;
  return group;
});
// Above all peers, so that none hides the note of another one.
const notes = film.names.map(() => make("text", element("notes"), { class: "note", dy: size + 24 }));

const isUnderWay = (item, time) => time >= item.time && time < (item.end ?? film.length);

function drawLinks(time, where) {
  const parts = at(film.networks, time).value;
  film.links.forEach((link, index) => {
    const isSending = film.resources.some(item => isUnderWay(item, time)
      && [item.sender, item.receiver].includes(link.one) && [item.sender, item.receiver].includes(link.two));
    const isCut = link.cuts.some(cut => time >= cut && time < cut + 1000);
    const state = at(link.states, time)?.value ?? "none";
    // Both sides still rely on a link that the network does not carry any more.
    const isApart = state === "connected" && parts[link.one] !== parts[link.two];
    const word = isApart || state === "oneSided" ? "unnoticed" : state;
    lines[index].setAttribute("class", `link ${word} ${isSending ? "sending" : ""} ${isCut ? "cut" : ""}`);
    const [[x1, y1], [x2, y2]] = [where[link.one], where[link.two]];
    for (const [key, value] of Object.entries({ x1, y1, x2, y2 })) lines[index].setAttribute(key, value);
  });
}

function drawPeers(time, where, waiting) {
  const parts = at(film.networks, time).value;
  peers.forEach((group, peer) => {
    const presence = at(film.presences[peer], time)?.value ?? "absent";
    const isAlone = parts.filter(part => part === parts[peer]).length === 1;
    const word = presence !== "running" ? presence : isAlone ? "alone" : "";
    const words = { absent: "not started", killed: "killed", left: "has left", alone: "cable out" };
    const wait = waiting[peer] ? `${waiting[peer]} wait` : "";
    group.setAttribute("class", `peer ${word}`);
    group.setAttribute("transform", `translate(${where[peer].join(" ")})`);
    notes[peer].setAttribute("class", `note ${word}`);
    notes[peer].setAttribute("x", where[peer][0]);
    notes[peer].setAttribute("y", where[peer][1]);
    notes[peer].textContent = [words[word], wait].filter(Boolean).join(", ");
  });
}

// Draws the dots of messages and files, and counts for each sender what waits.
function drawDots(time, where) {
  element("dots").replaceChildren();
  const waiting = film.names.map(() => 0);
  const between = (one, two, share) => {
    const [cx, cy] = where[one].map((value, axis) => value + (where[two][axis] - value) * share);
    return { cx, cy };
  };
  const ring = (peer, color, age) => make("circle", element("dots"), {
    class: "ring", style: hue(color), ...between(peer, peer, 0), r: size + 3 + (isCalm ? 0 : 14 * age), opacity: 1 - age * .8,
  });
  for (const { sender, time: sent, heard } of film.messages) {
    if (sent > time) break;
    for (const hearing of heard) {
      // Before the network carries it, it waits.
      const start = Math.max(sent, hearing.time - film.delay);
      if (time < start || (isCalm && time < hearing.time)) waiting[sender] += 1;
      else if (time < hearing.time) {
        const share = (time - start) / (hearing.time - start);
        make("circle", element("dots"), { class: "dot", style: hue(sender), r: 9, ...between(sender, hearing.peer, share) });
      } else if (time < hearing.time + echo) ring(hearing.peer, sender, (time - hearing.time) / echo);
    }
  }
  for (const item of film.resources) {
    const link = film.links.find(link => link.one === Math.min(item.sender, item.receiver)
      && link.two === Math.max(item.sender, item.receiver));
    if (!isUnderWay(item, time) || at(link.states, time)?.value !== "connected") continue;
    for (const offset of [0, .25, .5, .75]) {
      const share = isCalm ? offset + .125 : (time / 1200 + offset) % 1;
      make("circle", element("dots"), { class: "dot block", r: 8, ...between(item.sender, item.receiver, share) });
    }
  }
  return waiting;
}

function drawSpeech(time) {
  const message = film.messages.findLast(message => message.time <= time);
  if (!message || time > message.time + 4000) return element("speech").textContent = "";
  const count = message.heard.filter(hearing => hearing.time <= time).length;
  const what = `${film.names[message.sender]}’s message ${message.number + 1}`, all = message.heard.length;
  const hearers = all <= 3 ? message.heard.map(hearing => film.names[hearing.peer]).join(", ") : `all ${all}`;
  element("speech").textContent = all ? `${what} to ${hearers}: heard by ${count} of ${all}` : `Nobody hears ${what}.`;
}

const items = Array.from(element("story").children);
const starts = items.map(item => Number(item.dataset.time));

function drawStory(time) {
  const last = starts.findLastIndex(start => start <= time);
  items.forEach((item, index) => {
    item.classList.toggle("later", index > last);
    const isNow = index <= last && (index === last || time - starts[index] < 3000);
    if (isNow) item.setAttribute("aria-current", "true"); else item.removeAttribute("aria-current");
    item.classList.toggle("now", isNow);
  });
  // Only when it has changed, so that people can scroll meanwhile.
  if (state.line === last) return;
  state.line = last;
  const list = element("story");
  list.scrollTop = items[Math.max(0, last)].offsetTop - list.clientHeight / 2;
}

function clockText(time) {
  const seconds = Math.floor(time / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function show(time) {
  state.time = Math.min(film.length, Math.max(0, time));
  const where = places(state.time);
  drawLinks(state.time, where);
  drawPeers(state.time, where, drawDots(state.time, where));
  drawSpeech(state.time);
  drawStory(state.time);
  element("slider").value = state.time;
  element("slider").setAttribute("aria-valuetext", clockText(state.time));
  element("time").textContent = `${clockText(state.time)} of ${clockText(film.length)}`;
}

function play(isPlaying) {
  if (isPlaying && state.time >= film.length) state.time = 0;
  state.isPlaying = isPlaying;
  element("play").textContent = isPlaying ? "Pause" : "Play";
  cancelAnimationFrame(state.frame);
  let last = performance.now();
  const step = now => {
    show(state.time + (now - last) * Number(element("speed").value));
    last = now;
    if (state.time >= film.length) play(false);
    else state.frame = requestAnimationFrame(step);
  };
  if (isPlaying) state.frame = requestAnimationFrame(step);
}

function goToEvent(direction) {
  const next = direction > 0 ? starts.find(start => start > state.time) : starts.findLast(start => start < state.time - 300);
  show(next ?? (direction > 0 ? film.length : 0));
}

function changeSpeed(direction) {
  const index = speeds.indexOf(element("speed").value) + direction;
  element("speed").value = speeds[Math.min(speeds.length - 1, Math.max(0, index))];
}

const keys = {
  " ": () => play(!state.isPlaying),
  ArrowLeft: event => event.shiftKey ? goToEvent(-1) : show(state.time - 2000),
  ArrowRight: event => event.shiftKey ? goToEvent(1) : show(state.time + 2000),
  ArrowUp: () => changeSpeed(1),
  ArrowDown: () => changeSpeed(-1),
  Home: () => show(0),
  End: () => show(film.length),
};

document.addEventListener("keydown", event => {
  // Buttons and lists have keys of their own.
  const isOwn = event.target.matches("select") || (event.key === " " && event.target.matches("button"));
  if (isOwn || event.ctrlKey || event.altKey || event.metaKey || !keys[event.key]) return;
  event.preventDefault();
  keys[event.key](event);
});
element("play").addEventListener("click", () => play(!state.isPlaying));
element("slider").addEventListener("input", event => show(Number(event.target.value)));
items.forEach((item, index) => item.addEventListener("click", () => show(starts[index])));

function drawEpisodes() {
  const bars = film.episodes.map(({ kind, time, end, peers }) => ({ kind, time, end, who: peers }));
  for (const { time, end, sender, receiver } of film.resources) {
    bars.push({ kind: "resource", time, end: end ?? film.length, who: [sender, receiver] });
  }
  for (const { kind, time, end, who } of bars) {
    const bar = element("episodes").appendChild(document.createElement("span"));
    bar.className = kind;
    bar.title = `${kind}: ${who.map(peer => film.names[peer]).join(", ")}`;
    bar.style.left = `${time / film.length * 100}%`;
    bar.style.width = `${(end - time) / film.length * 100}%`;
    if (kind === "killed" || kind === "cut") bar.style.top = ".5rem";
  }
}

document.body.classList.add("scripted");
document.querySelector(".stage").hidden = false;
element("slider").max = film.length;
drawEpisodes();
// film.html#t=34.5 shows this second, and waits.
const wanted = /^#t=([0-9.]+)$/.exec(location.hash);
show(wanted ? Number(wanted[1]) * 1000 : 0);
if (!wanted && !isCalm) play(true);
