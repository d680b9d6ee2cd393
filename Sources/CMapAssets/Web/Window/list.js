'use strict';
// The list of regions.

/** The facts about a region that tell it from others of its name. */
function regionFacts(region, isDouble) {
  return Words.facts([
    region.mapDate ? `map of ${region.mapDate.slice(0, 10)}` : `added ${Words.day(region.addedAt)}`,
    region.sealed,
    ...(region.isAreaUnknown ? ['area unknown'] : [Words.area(region.bounds), `at ${Words.middle(region.bounds)}`]),
    Words.zooms(region.zooms), Words.size(region.mapSize),
    region.isPart && Words.part(region),
    region.hikes && Words.count(region.hikes, 'recorded hike'),
    region.plannedRoutes && Words.count(region.plannedRoutes, 'planned route'),
    region.waypoints && Words.count(region.waypoints, 'waypoint'),
    isDouble && `id ${region.id.slice(0, 8)}`,
  ]);
}

function regionItem(region, isDouble) {
  return element(
    'li', {},
    element(
      'a', { href: `${region.id}/` },
      element('span', { className: 'item-name', dir: 'auto' }, region.name),
      element('span', { className: 'item-facts' }, regionFacts(region, isDouble)),
    ),
    appWindow.regionActions(region),
  );
}

/** Shows the regions as they are now. */
async function showRegions() {
  try {
    const { regions } = await load('regions');
    const names = regions.map((region) => region.name);
    const isDouble = (name) => names.indexOf(name) !== names.lastIndexOf(name);
    document.getElementById('empty').hidden = regions.length > 0;
    document.getElementById('regions').replaceChildren(
      ...regions.map((region) => regionItem(region, isDouble(region.name))),
    );
    document.documentElement.dataset.ready = 'yes';
  } catch (error) {
    notice(`The regions cannot be shown: ${error.message}`);
    document.documentElement.dataset.ready = 'failed';
  }
}

showRegions();
