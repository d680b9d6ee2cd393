'use strict';
// The page for phones: files to download. upload.js sends files to the laptop.

/** A file of the list. */
function fileItem(file) {
  const ready = typeof file.size === 'number';
  const facts = ready ? Words.size(file.size) : file.problem || t('is being made …');
  const text = [
    element('span', { className: 'item-name' }, file.title),
    element('span', { className: 'item-facts' }, [facts, file.purpose].filter((part) => part).join(' · ')),
    file.detail && element('span', { className: 'item-facts' }, file.detail),
    element('span', { className: 'item-facts' }, file.personal),
  ];
  const item = ready
    ? element('a', { href: file.url, download: file.name }, ...text)
    : element('div', { className: 'waiting' }, ...text);
  item.dataset.kind = file.kind;
  return element('li', {}, item);
}

/** The kinds of files that a phone opens by itself. */
const kept = ['html', 'pdf'];

/** Says when the downloads of this phone have their turn. */
function showTurn({ turn }) {
  const line = document.getElementById('turn');
  [line.hidden, line.textContent] = [!turn, turn || ''];
}

function show(data) {
  const { region } = data;
  showTurn(data);
  document.title = region.name;
  document.getElementById('name').textContent = region.name;
  document.getElementById('facts').textContent = [
    region.isPart ? Words.part(region) : '',
    region.foreign ? t(region.foreign) : Words.zooms(region.zooms),
    region.hikes ? Words.count(region.hikes, 'recorded hike') : '',
    region.plannedRoutes ? Words.count(region.plannedRoutes, 'planned route') : '',
    region.waypoints ? Words.count(region.waypoints, 'waypoint') : '',
  ].filter((part) => part).join(' · ');
  const look = document.getElementById('look');
  look.href = data.map;
  // A map of another program is not drawn, and its file says which app opens it.
  look.hidden = Boolean(region.foreign) && !(region.hikes + region.plannedRoutes + region.waypoints);
  document.getElementById('apps').closest('section').hidden = Boolean(region.foreign);
  document.getElementById('take').hidden = false;
  const [own, others] = [true, false].map((isKept) => data.files.filter((file) => kept.includes(file.kind) === isKept));
  document.getElementById('keep').hidden = !own.length && !data.keepProblem;
  document.getElementById('keep-files').replaceChildren(...own.map(fileItem));
  if (!own.length) document.getElementById('keep-hint').textContent = data.keepProblem;
  document.getElementById('files').replaceChildren(...others.map(fileItem));
  document.getElementById('upload').hidden = !data.takesFiles;
  Uploads.limits.blockLength = data.blockLength;
  return data.files.every((file) => file.size !== undefined || file.problem);
}

/** Shows the page, and again until all files are made, also if the phone is out of reach for a while. */
async function start() {
  const problem = document.getElementById('notice');
  for (let isComplete = false; !isComplete;) {
    try {
      isComplete = show(await load('share'));
      [problem.hidden, problem.textContent] = [true, ''];
      document.documentElement.dataset.ready = isComplete ? 'yes' : 'partly';
    } catch (error) {
      if (problem.hidden) notice(t`The laptop does not answer: ${error.message}. Is this phone still in its network?`);
      document.documentElement.dataset.ready = 'failed';
    }
    if (!isComplete) await pause(1000);
  }
}

/** Shows the turn for as long as the page is looked at. */
async function followTurn() {
  for (;;) {
    await pause(3000);
    if (!document.hidden) showTurn(await load('share').catch(() => ({})));
  }
}

start().then(followTurn);
