'use strict';
// The page for phones: files to download. upload.js sends files to the laptop.

const titles = {
  mbtiles: ['Map as MBTiles', 'for Locus Map, Guru Maps and AlpineQuest'],
  sqlitedb: ['Map for OsmAnd', 'for OsmAnd, which cannot read MBTiles'],
  gpx: ['Hikes, routes and waypoints', 'one GPX file, for every app'],
  zip: ['Everything as one ZIP', 'for laptops'],
  program: ['The program hikeshare', 'for laptops with Debian or Ubuntu'],
};

/** A file of the list. */
function fileItem(file) {
  const [title, purpose] = titles[file.kind] || [file.name, ''];
  const ready = typeof file.size === 'number';
  const facts = ready ? Words.size(file.size) : file.problem || 'is being made …';
  const text = [
    element('span', { className: 'item-name' }, title),
    element('span', { className: 'item-facts' }, [facts, purpose].filter((part) => part).join(' · ')),
  ];
  const item = ready
    ? element('a', { href: file.url, download: file.name }, ...text)
    : element('div', { className: 'waiting' }, ...text);
  item.dataset.kind = file.kind;
  return element('li', {}, item);
}

function show(data) {
  const { region } = data;
  if (!region.hikes) titles.gpx[0] = 'Routes and waypoints';
  document.title = region.name;
  document.getElementById('name').textContent = region.name;
  document.getElementById('facts').textContent = [
    region.wholeMapSize ? `part of a map of ${Words.size(region.wholeMapSize)}` : '',
    Words.zooms(region.zooms),
    region.hikes ? Words.count(region.hikes, 'recorded hike') : '',
    region.plannedRoutes ? Words.count(region.plannedRoutes, 'planned route') : '',
    region.waypoints ? Words.count(region.waypoints, 'waypoint') : '',
  ].filter((part) => part).join(' · ');
  document.getElementById('look').href = data.map;
  document.getElementById('files').replaceChildren(...data.files.map(fileItem));
  document.getElementById('upload').hidden = !data.takesFiles;
  Uploads.limits.pieceLength = data.pieceLength;
  document.getElementById('privacy').textContent = data.isOwnNetwork
    ? 'Only machines in this laptop’s own Wi-Fi network can open this page.'
    : 'This page is not encrypted: others in this network can see what you download.';
  return data.files.every((file) => file.size !== undefined || file.problem);
}

const pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

/** Shows the page, and again until all files are made. */
async function start() {
  try {
    while (!show(await load('share'))) {
      document.documentElement.dataset.ready = 'partly';
      await pause(1000);
    }
    document.documentElement.dataset.ready = 'yes';
  } catch (error) {
    notice(`The laptop does not answer: ${error.message}. Is this phone still in its network?`);
    document.documentElement.dataset.ready = 'failed';
  }
}

start();
