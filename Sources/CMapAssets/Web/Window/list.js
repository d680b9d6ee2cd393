'use strict';
// The list of regions.

/** The facts about a region that tell it from others of its name. */
function regionFacts(region, isDouble) {
  return Words.facts([
    region.mapDate ? `map of ${region.mapDate.slice(0, 10)}` : `added ${Words.day(region.addedAt)}`,
    region.foreign,
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
  const item = element(
    'li', {},
    element(
      'a', { href: `${region.id}/` },
      element('span', { className: 'item-name', dir: 'auto' }, region.name),
      element('span', { className: 'item-facts' }, regionFacts(region, isDouble)),
    ),
    ...appWindow.regionActions(region),
  );
  item.dataset.id = region.id;
  return item;
}

/** The regions that are shown, with their elements, by their ids. */
let shownRegions = new Map();

/** Shows elements; those that stay keep their place, the focus and what is open in them. */
function showItems(list, items) {
  const kept = new Set(items);
  for (const child of [...list.children]) if (!kept.has(child)) child.remove();
  items.forEach((item, index) => {
    if (list.children[index] !== item) list.insertBefore(item, list.children[index] ?? null);
  });
}

/** Shows the regions as they are now. */
async function showRegions() {
  try {
    const { regions } = await load('regions');
    const names = regions.map((region) => region.name);
    const isDouble = (name) => names.indexOf(name) !== names.lastIndexOf(name);
    document.getElementById('empty').hidden = regions.length > 0;
    shownRegions = new Map(regions.map((region) => {
      const facts = JSON.stringify([region, isDouble(region.name)]);
      const known = shownRegions.get(region.id);
      if (known?.facts === facts) return [region.id, known];
      const item = regionItem(region, isDouble(region.name));
      // What was open stays open.
      const former = known?.item.querySelectorAll('details') ?? [];
      item.querySelectorAll('details').forEach((details, index) => { details.open = former[index]?.open ?? false; });
      return [region.id, { facts, item }];
    }));
    showItems(document.getElementById('regions'), [...shownRegions.values()].map(({ item }) => item));
    for (const look of appWindow.listed) look();
    document.documentElement.dataset.ready = 'yes';
  } catch (error) {
    notice(`The regions cannot be shown: ${error.message}`);
    document.documentElement.dataset.ready = 'failed';
  }
}

showRegions();
