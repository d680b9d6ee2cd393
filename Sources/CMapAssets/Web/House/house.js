'use strict';
// Regions of this machine: their facts, names, exports and removal.

const House = {
  /** Says what was done, and shows the regions as they are now. */
  async tell(words) {
    await showRegions();
    document.getElementById('done').textContent = words;
  },

  async load(name, region) {
    try {
      const answer = await fetch(new URL(`${name}/${region.id}`, appWindow.folder));
      if (!answer.ok) return { refusal: (await answer.text()).trim() };
      return await answer.json();
    } catch (error) {
      return { refusal: 'hikeshare does not answer.' };
    }
  },

  async showFacts(region, place) {
    const { text, drawing, refusal } = await House.load('facts', region);
    if (refusal) return void place.replaceChildren(element('p', { className: 'problem' }, refusal));
    place.replaceChildren(...(drawing ? [WindowText.drawing(drawing)].filter((made) => made) : []), ...WindowText.blocks(text));
  },

  rename(region) {
    appWindow.nameDialog(`Rename ${Words.apart(region.name)}`, 'New name, on this laptop only', region.name, async (name) => {
      const { text, refusal } = await appWindow.send('rename', { region: region.id, name });
      if (!refusal) await House.tell(text);
      return refusal;
    });
  },

  async export(region) {
    const care = await House.load('care', region);
    if (care.refusal) return void House.tell(care.refusal);
    const { options, labels } = exportOptions(care);
    const { list, end } = exportList(region.id, care.files, options);
    const dialog = appWindow.dialog(`Export ${Words.apart(care.name)}`, [...labels, list], { cancelWords: 'Close' });
    dialog.addEventListener('close', end);
  },

  async remove(region) {
    let care = await House.load('care', region);
    if (care.refusal) return void House.tell(care.refusal);
    let end = () => {};
    const body = element('div', {});
    const fill = () => {
      end();
      const wanted = [['zip', 'gpx'], ['mbtiles', 'foreign']]
        .map((kinds) => care.files.filter(({ kind }) => kinds.includes(kind))).find((files) => files.length) ?? [];
      const exports = exportList(region.id, wanted, {});
      end = exports.end;
      body.replaceChildren(
        element('p', { className: 'text' }, `It has: ${care.contents}.`),
        care.losses && element('p', { className: 'text caution' }, `Lost with it: ${care.losses}.`),
        ...care.warnings.map((words) => element('p', { className: 'text caution' }, words)),
        ...(wanted.length ? [element('h3', {}, 'Keep a copy first'), exports.list] : []),
      );
    };
    fill();
    const dialog = appWindow.dialog(`Remove ${Words.apart(care.name)} from this laptop?`, [body], {
      submitWords: 'Remove for good', submitClass: 'danger', submit: async () => {
        const { text, refusal } = await appWindow.send('remove', { region: region.id, mark: care.mark });
        if (!refusal) return void await House.tell(text);
        const now = await House.load('care', region);
        if (!now.refusal) {
          care = now;
          fill();
        }
        return refusal;
      },
    });
    dialog.addEventListener('close', () => end());
    // Nothing is removed by a key that was pressed too often.
    [...dialog.querySelectorAll('.answers button')].at(-1).focus();
  },
};

document.getElementById('regions').before(element('p', { id: 'done', role: 'status', tabIndex: -1 }));

// What was done is no news any more when something else begins.
appWindow.shown.push(({ isRunning }) => {
  if (isRunning && !appWindow.isRunning) document.getElementById('done').textContent = '';
});

appWindow.regionParts.push((region) => {
  const facts = element('div', { className: 'region-facts' });
  const button = (words, name, press, opener) => {
    const made = appWindow.button(words, '', press, name);
    made.dataset.opener = `${opener} ${region.id}`;
    return made;
  };
  const details = element(
    'details', { className: 'more' },
    element('summary', { 'aria-label': `More about ${region.name}` }, 'More …'),
    element(
      'div', { className: 'answers' },
      button('Export …', `Export ${region.name}`, () => House.export(region), 'export'),
      button('Rename …', `Rename ${region.name}`, () => House.rename(region), 'rename'),
      button('Remove …', `Remove ${region.name}`, () => House.remove(region), 'remove'),
    ),
    facts,
  );
  details.addEventListener('toggle', () => { if (details.open) House.showFacts(region, facts); });
  return details;
});

appWindow.changed.push(() => showRegions());
