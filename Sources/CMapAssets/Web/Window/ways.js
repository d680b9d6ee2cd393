'use strict';
// What is sent of regions, and on which way: the same on the list and on the page of a map.

/** Reads something of the program. */
appWindow.read = async (path) => {
  const answer = await fetch(new URL(path, appWindow.folder));
  if (!answer.ok) throw new Error((await answer.text()).trim());
  return answer.json();
};

/** A fold whose content is made when it is opened, each time anew. */
appWindow.fold = (words, className, fill) => {
  const content = element('div', {});
  const fold = element('details', { className }, element('summary', {}, words), content);
  fold.addEventListener('toggle', async () => {
    if (!fold.open || fold.dataset.isFilling) return;
    fold.dataset.isFilling = 'yes';
    try {
      content.replaceChildren(...await fill());
    } catch (error) {
      content.replaceChildren(element('p', { className: 'problem' }, error.message));
    }
    delete fold.dataset.isFilling;
  });
  return fold;
};

/** The kinds of parts, in the order in which they are shown. */
appWindow.kindOrder = ['map', 'foreign', 'routing', 'hikes', 'planned', 'waypoints', 'photos'];

/** The boxes of the parts of regions, and what of them is wished; `always` are kinds that are wished without a box. */
appWindow.partChoice = (ids, always = []) => {
  const chosen = { kinds: null, lines: null, health: null, photos: null };
  const box = (words, isTicked) => {
    const made = appWindow.option(words);
    made.box.checked = isTicked;
    return made;
  };
  const fill = async () => {
    const all = await Promise.all(ids().slice(0, 50).map((id) => appWindow.read(`contents/${id}`)));
    const kinds = new Map();
    const place = ({ kind }) => appWindow.kindOrder.indexOf(kind);
    for (const kind of all.flatMap((contents) => contents.kinds).sort((one, other) => place(one) - place(other))) {
      if (always.includes(kind.kind)) continue;
      const words = [all.length === 1 ? kind.name : kind.title, all.length === 1 && kind.size && Words.size(kind.size)];
      kinds.set(kind.kind, box(words.filter(Boolean).join(', '), true));
    }
    const lines = all.length === 1 ? all[0].lines : [];
    const boxes = lines.map((line) => ({
      line, ...box(Words.facts([line.name || 'Without a name', line.distance && Words.distance(line.distance)]), true),
    }));
    Object.assign(chosen, { kinds, lines: boxes });
    chosen.health = all.some(({ hasHikes }) => hasHikes) && box('Heart rates and other values of sensors', false);
    chosen.photos = all.some(({ hasPhotos }) => hasPhotos) && box('Where and when photos were taken, and the camera', true);
    const names = boxes.length > 1 && element(
      'details', {}, element('summary', {}, 'Only some hikes and routes …'), ...boxes.map(({ label }) => label),
    );
    return [
      ...[...kinds.values()].map(({ label }) => label), names,
      chosen.health && chosen.health.label, chosen.photos && chosen.photos.label,
    ].filter(Boolean);
  };
  const fold = appWindow.fold('Which parts of it …', 'parts', async () => (chosen.kinds ? [...fold.lastChild.childNodes] : fill()));
  const wish = () => {
    if (!chosen.kinds) return {};
    const ticked = (made) => Boolean(made && made.box.checked);
    let kinds = [...chosen.kinds].filter(([, made]) => ticked(made)).map(([kind]) => kind);
    const lines = chosen.lines.filter(ticked);
    // Of a kind without any of its lines, nothing is left.
    for (const [kind, name] of [['hikes', 'hike'], ['planned', 'planned']]) {
      if (chosen.lines.length && !lines.some(({ line }) => line.kind === name)) kinds = kinds.filter((each) => each !== kind);
    }
    return {
      kinds: [...always, ...kinds],
      ...(lines.length < chosen.lines.length && lines.length ? { lines: lines.map(({ line }) => line.key) } : {}),
      health: ticked(chosen.health), photoDetails: !chosen.photos || ticked(chosen.photos),
    };
  };
  return {
    fold, wish,
    /** Whether a kind is wished. */
    has: (kind) => !chosen.kinds || chosen.kinds.get(kind)?.box.checked === true,
    /** Forgets what was ticked, because the regions are others. */
    forget: () => { [chosen.kinds, fold.open] = [null, false]; },
  };
};

appWindow.driveGroups = 0;

/** The drives that are there, as a choice. */
appWindow.driveChoice = async (describe) => {
  const { drives } = await appWindow.read('drives');
  appWindow.driveGroups += 1;
  const name = `drives-${appWindow.driveGroups}`;
  const radios = drives.map((drive, index) => {
    const radio = element('input', { type: 'radio', name, checked: index === 0 });
    return { drive, radio, label: element('label', { className: 'option' }, radio, Words.facts([drive.name, describe(drive)])) };
  });
  return {
    labels: radios.length
      ? radios.map(({ label }) => label)
      : [element('p', {}, 'There is no stick. Put one in, and open this again.')],
    chosen: () => radios.find(({ radio }) => radio.checked)?.drive.name,
    isEmpty: !radios.length,
  };
};

/** The ways on which something is sent: boxes, the button that begins, and a fold for sticks. `start` sends a wish. */
appWindow.ways = (words, start) => {
  const [network, page] = [
    appWindow.option('Make a Wi-Fi network with this laptop, for places that have none'),
    appWindow.option('Also show a page for phones'),
  ];
  const hint = element(
    'p', { className: 'hint of-phones' }, 'Phones with LocalSend need no page: they appear in a list when you start sending.',
  );
  const requests = ({ requests: count }) => (count ? Words.count(count, 'request') : 'no request');
  const stick = appWindow.fold('To a stick …', 'stick', async () => {
    const drives = await appWindow.driveChoice(requests);
    if (drives.isEmpty) return drives.labels;
    const anyone = appWindow.option('For anyone who has the stick and a link that is shown then');
    return [
      ...drives.labels, anyone.label,
      element('p', { className: 'hint' }, 'Otherwise, it can be opened only by the machines whose requests are on the stick.'),
      appWindow.starter('Write to the stick', '', () => start({ drive: drives.chosen(), anyone: anyone.box.checked })),
    ];
  });
  return {
    boxes: [network.label, page.label, hint], stick,
    starter: appWindow.starter(words, 'action', () => start({ hotspot: network.box.checked, web: page.box.checked })),
  };
};
