'use strict';
// The list of regions.

async function start() {
  try {
    const { regions } = await load('regions');
    const names = regions.map((region) => region.name);
    const isDouble = (name) => names.indexOf(name) !== names.lastIndexOf(name);
    if (!regions.length) notice('There are no regions yet. The command “hikeshare import” adds one.');
    document.getElementById('regions').append(...regions.map((region) => element(
      'li', {},
      element(
        'a', { href: `${region.id}/` },
        element('span', { className: 'item-name' }, region.name),
        element('span', { className: 'item-facts' }, Words.facts([
          Words.middle(region.bounds), Words.zooms(region.zooms), Words.size(region.mapSize),
          region.wholeMapSize && `part of a map of ${Words.size(region.wholeMapSize)}`,
          region.hikes && Words.count(region.hikes, 'recorded hike'),
          region.plannedRoutes && Words.count(region.plannedRoutes, 'planned route'),
          region.waypoints && Words.count(region.waypoints, 'waypoint'),
          isDouble(region.name) && `id ${region.id.slice(0, 8)}`,
        ])),
      ),
    )));
    document.documentElement.dataset.ready = 'yes';
  } catch (error) {
    notice(`The regions cannot be shown: ${error.message}`);
    document.documentElement.dataset.ready = 'failed';
  }
}

start();
