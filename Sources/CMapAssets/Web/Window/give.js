'use strict';
// Giving regions to others.

/** The ids of the regions that are ticked. */
appWindow.several = new Set();

appWindow.regionParts.push((region) => {
  const { box, label } = appWindow.option('Send it');
  box.checked = appWindow.several.has(region.id);
  box.setAttribute('aria-label', `Send ${region.name}`);
  box.addEventListener('change', () => {
    appWindow.several[box.checked ? 'add' : 'delete'](region.id);
    appWindow.countSeveral();
  });
  label.classList.add('several');
  return label;
});

appWindow.regionParts.push((region) => {
  const parts = appWindow.partChoice(() => [region.id]);
  const start = (way) => appWindow.act('send', { regions: [region.id], ...parts.wish(), ...way });
  const ways = appWindow.ways('Start sending', start);
  const piece = region.foreign ? null : element('a', { className: 'button', href: `${region.id}/#draw` }, 'Send a part of the map …');
  const summary = element('summary', { 'aria-label': `Send ${region.name}` }, 'Send …');
  const section = element(
    'details', { className: 'send' }, summary, ...ways.boxes, parts.fold, ways.starter, piece, ways.stick,
  );
  // The button that begins may be below the window. A list that is made anew opens it, too, and must not move the page.
  const showWhole = () => {
    if (section.open) section.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  };
  summary.addEventListener('click', () => section.addEventListener('toggle', showWhole, { once: true }));
  return section;
});

appWindow.foldsAbove.push(() => {
  const parts = appWindow.partChoice(() => appWindow.shownSeveral());
  const boxes = () => [...document.querySelectorAll('#regions .several input')];
  const all = appWindow.option('All');
  const count = element('p', { role: 'status' });
  all.box.addEventListener('change', () => {
    for (const box of boxes()) if (box.checked !== all.box.checked) box.click();
  });
  appWindow.shownSeveral = () => {
    const shown = [...document.querySelectorAll('#regions > li')].map(({ dataset }) => dataset.id);
    return shown.filter((id) => appWindow.several.has(id));
  };
  appWindow.countSeveral = () => {
    const chosen = appWindow.shownSeveral();
    const number = chosen.length;
    count.textContent = number ? `${Words.count(number, 'map')} ticked in the list` : 'Tick maps in the list.';
    all.box.checked = number > 0 && number === boxes().length;
    all.box.indeterminate = number > 0 && number < boxes().length;
    if (chosen.join() !== appWindow.lastSeveral) parts.forget();
    appWindow.lastSeveral = chosen.join();
  };
  const start = (way) => {
    const regions = appWindow.shownSeveral();
    if (!regions.length) appWindow.part('refusal').textContent = 'Tick the maps in the list that you want to send.';
    else appWindow.act('send', { ...(all.box.checked ? { all: true } : { regions }), ...parts.wish(), ...way });
  };
  const ways = appWindow.ways('Start sending', start);
  const section = element(
    'details', { id: 'window-several', hidden: true }, element('summary', {}, 'Send several …'),
    count, all.label, ...ways.boxes, parts.fold, ways.starter, ways.stick,
  );
  section.addEventListener('toggle', () => {
    document.getElementById('regions').classList.toggle('ticking', section.open);
    appWindow.countSeveral();
  });
  queueMicrotask(appWindow.offerSeveral);
  return section;
});

/** Several can be sent if there are several. */
appWindow.offerSeveral = () => {
  const place = document.getElementById('window-several');
  // The list may be there first.
  if (!place) return;
  place.hidden = document.querySelectorAll('#regions > li').length < 2;
  if (place.hidden) place.open = false;
  appWindow.countSeveral();
};

appWindow.listed.push(() => appWindow.offerSeveral());

appWindow.foldsAbove.push(() => appWindow.fold('Receive from a stick …', 'stick', async () => {
  const facts = ({ files, requests }) => Words.facts([
    files ? Words.count(files, 'sealed map') : 'no map', requests && Words.count(requests, 'request'),
  ]);
  const drives = await appWindow.driveChoice(facts);
  if (drives.isEmpty) return drives.labels;
  const link = element('input', { type: 'text', autocomplete: 'off', spellcheck: false });
  return [
    ...drives.labels,
    element('label', { className: 'setting' }, 'The link, if the map is for anyone who has it ', link),
    appWindow.starter('Receive from the stick', 'action', () => appWindow.act('stick', { drive: drives.chosen(), link: link.value })),
    element('p', { className: 'hint' }, 'If no map on it is for this machine, it writes a request for one.'),
  ];
}));

/** Shows who gets what is sent, and how far each of them is. */
appWindow.shown.push(({ receivers, isRunning }) => {
  let table = appWindow.part('receivers');
  if (!table) {
    table = element(
      'table', { id: 'window-receivers', hidden: true }, element('caption', {}, 'Who gets it'),
      element('thead', { className: 'unseen' }, element(
        'tr', {}, element('th', { scope: 'col' }, 'Name'), element('th', { scope: 'col' }, 'State'),
      )),
      element('tbody', {}),
    );
    appWindow.part('progress').after(table);
    table.after(element(
      'p', { id: 'window-served', className: 'hint', hidden: true }, 'If nobody else wants it, choose “Stop”.',
    ));
  }
  table.hidden = !receivers.length;
  const isServed = receivers.length > 0 && receivers.every(({ state }) => state === 'received');
  appWindow.part('served').hidden = !(isRunning && isServed);
  const body = table.tBodies[0];
  while (body.rows.length > receivers.length) body.deleteRow(-1);
  receivers.forEach((receiver, index) => {
    if (!body.rows[index]) {
      body.append(element(
        'tr', {}, element('th', { scope: 'row' }, element('bdi', {})),
        element('td', {}, element('span', {}), element('progress', { max: 1 }), appWindow.phones.stopper()),
      ));
    }
    const row = body.rows[index];
    appWindow.phones.showStopper(row.querySelector('button'), receiver);
    const [name, words, progress] = [row.querySelector('bdi'), row.querySelector('span'), row.querySelector('progress')];
    row.className = receiver.state;
    if (name.textContent !== receiver.name) name.textContent = receiver.name;
    if (words.textContent !== receiver.words) words.textContent = receiver.words;
    progress.setAttribute('aria-label', `How much ${receiver.name} has`);
    progress.hidden = receiver.fraction === undefined;
    progress.value = receiver.fraction ?? 0;
  });
});
