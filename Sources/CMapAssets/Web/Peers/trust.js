'use strict';
// The machines that this one trusts.

appWindow.trust = {
  /** What the list shows. */
  known: null,

  /** Does something for a dialog; returns why not. */
  async change(action, content) {
    const refusal = await appWindow.post(action, content);
    if (!refusal) appWindow.trust.show();
    return refusal;
  },

  rename(peer) {
    appWindow.nameDialog(`Rename ${peer.name}`, 'Its name on this laptop', peer.name,
      (name) => appWindow.trust.change('peer-rename', { id: peer.id, name }));
  },

  forget(peer) {
    appWindow.dialog(`Forget ${peer.name}?`, [element(
      'p', {}, 'Maps that you have from it stay. Nothing more comes from it by itself, and you both compare digits again '
        + 'before the next map.',
    )], { submitWords: 'Forget', submit: () => appWindow.trust.change('peer-forget', { id: peer.id }) });
  },

  /** A machine or a phone, with what can be done with it. */
  item(peer, facts, rename, forget) {
    const button = (words, act) => {
      const made = appWindow.button(`${words} …`, '', () => act(peer), `${words} … ${peer.name}`);
      // The list may be made anew while the dialog is open.
      made.dataset.opener = `${words} ${peer.id}`;
      return made;
    };
    return element(
      'li', {}, element('bdi', { className: 'item-name' }, peer.name),
      element('span', { className: 'item-facts' }, Words.facts(facts)),
      element('p', { className: 'answers' }, button('Rename', rename), button('Forget', forget)),
    );
  },

  machine(peer) {
    const facts = [`since ${Words.day(peer.since)}`, peer.seen ? `last map ${Words.day(peer.seen)}` : '', `id ${peer.short}`];
    return appWindow.trust.item(peer, facts, appWindow.trust.rename, appWindow.trust.forget);
  },

  /** Shows the machines as they are now. */
  async show() {
    const place = appWindow.part('trust-list');
    try {
      const { own, peers } = await appWindow.read('peers');
      // A list that is made anew takes no notice of a click that began before.
      const known = JSON.stringify([own, peers]);
      if (known === appWindow.trust.known) return;
      appWindow.trust.known = known;
      place.replaceChildren(
        element('p', {}, peers.length
          ? 'These machines send and receive without digits: their owners and you have compared them once.'
          : 'None yet. The first time you share with another laptop, you both compare six digits. Then it is listed here.'),
        element('ul', { className: 'machines' }, ...peers.map(appWindow.trust.machine)),
        element('p', { className: 'item-facts' }, 'Your own id: ', element('code', {}, own.id)),
      );
    } catch (error) {
      appWindow.trust.known = null;
      place.replaceChildren(element('p', { className: 'problem' }, error.message));
    }
  },
};

appWindow.sectionsBelow.push(() => {
  const section = element(
    'details', { id: 'window-trust' }, element('summary', {}, 'Machines you trust'), element('div', { id: 'window-trust-list' }),
  );
  section.addEventListener('toggle', () => { if (section.open) appWindow.trust.show(); });
  return section;
});

/** A job may have brought a machine. */
appWindow.shown.push((state) => {
  if (appWindow.isRunning && !state.isRunning && appWindow.part('trust').open) appWindow.trust.show();
});
