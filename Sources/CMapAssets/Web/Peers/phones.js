'use strict';
// Phones that have LocalSend: what is sent to them, and what comes from them.

appWindow.phones = {
  /** A button that stops what a phone gets, in the row of the phone. */
  stopper() {
    return element('button', {
      type: 'button', className: 'link', hidden: true,
      onclick: ({ currentTarget }) => appWindow.act('phone-stop', { phone: Number(currentTarget.dataset.phone) }),
    }, 'Stop');
  },

  showStopper(button, { phone, name }) {
    button.hidden = phone === undefined;
    button.dataset.phone = phone ?? '';
    button.setAttribute('aria-label', `Stop sending to ${name}`);
  },

  // MARK: Those that can get something

  /** The elements of the phones in the list, by their numbers. */
  items: new Map(),

  /** What phones can get, as it was last. */
  files: [],

  /** What one phone gets, as a choice. */
  choice() {
    const select = element('select', {});
    const groups = new Map();
    appWindow.phones.files.forEach((file, index) => {
      const option = element('option', { value: index }, file.title);
      if (!file.regionName) return select.append(option);
      if (!groups.has(file.region)) {
        groups.set(file.region, element('optgroup', { label: file.regionName }));
        select.append(groups.get(file.region));
      }
      return groups.get(file.region).append(option);
    });
    select.hidden = appWindow.phones.files.length < 2;
    return select;
  },

  /** A phone, what it gets, and a button that sends it. */
  item(number) {
    const name = element('bdi', { className: 'item-name' });
    const facts = element('span', { className: 'item-facts' });
    const select = appWindow.phones.choice();
    const send = appWindow.button('Send', 'action', () => {
      const { region, kind } = appWindow.phones.files[select.value];
      appWindow.act('phone-send', { phone: number, region, kind });
    });
    return {
      place: element('li', {}, element('div', { className: 'words' }, name, facts), select, send),
      show(phone) {
        if (name.textContent !== phone.name) name.textContent = phone.name;
        if (facts.textContent !== phone.facts) facts.textContent = phone.facts;
        select.setAttribute('aria-label', `What ${phone.name} gets`);
        send.setAttribute('aria-label', `Send to ${phone.name}`);
        send.disabled = phone.isBusy || !appWindow.phones.files.length;
      },
    };
  },

  /** Shows the phones that are there, those that stay with what was chosen for them. */
  showList({ list, files, trouble }) {
    let place = appWindow.part('phones');
    if (!place) {
      place = element(
        'section', { id: 'window-phones', 'aria-labelledby': 'window-phones-title' },
        element('h3', { id: 'window-phones-title', tabIndex: -1 }, 'Phones nearby'), element('p', { role: 'status' }),
        element('ul', {}),
      );
      appWindow.part('served').after(place);
    }
    place.hidden = !list;
    const { items } = appWindow.phones;
    if (JSON.stringify(files) !== JSON.stringify(appWindow.phones.files)) {
      appWindow.phones.files = files;
      items.clear();
    }
    const shown = list ?? [];
    for (const number of [...items.keys()]) if (!shown.some((phone) => phone.number === number)) items.delete(number);
    for (const phone of shown) {
      if (!items.has(phone.number)) items.set(phone.number, appWindow.phones.item(phone.number));
      items.get(phone.number).show(phone);
    }
    const hadFocus = place.querySelector('ul').contains(document.activeElement);
    showItems(place.querySelector('ul'), shown.map(({ number }) => items.get(number).place));
    if (hadFocus && document.activeElement === document.body) place.querySelector('h3').focus();
    place.querySelector('h3').hidden = !shown.length;
    const status = place.querySelector('p');
    const none = trouble ? WindowText.words(trouble) : 'Phones that have LocalSend appear here.';
    const words = shown.length ? `${Words.count(shown.length, 'phone')} nearby` : none;
    if (status.textContent !== words) status.textContent = words;
    status.className = shown.length ? 'unseen' : 'hint';
  },

  // MARK: What comes from them

  /** What comes now, in words; empty for nothing. */
  work: '',

  /** The number of the newest line that is shown, or was. */
  newest: 0,

  /** The job that was shown last, and whether something has come since it ended. */
  job: 0,
  isNewer: false,

  /** Shows what comes above what is left of an old job, and else below. */
  placeNews(place, state, hasNews) {
    const isNewJob = state.isRunning || state.job !== appWindow.phones.job;
    appWindow.phones.job = state.job;
    appWindow.phones.isNewer = !isNewJob && (hasNews || appWindow.phones.isNewer);
    const job = document.getElementById('window');
    // A question comes first.
    const isAbove = appWindow.phones.isNewer && !state.question;
    if (isAbove === (place.nextElementSibling === job)) return;
    const focused = document.activeElement;
    if (isAbove) job.before(place); else job.after(place);
    if (place.contains(focused)) focused.focus({ preventScroll: true });
  },

  line(line) {
    const made = element(
      'li', { className: line.isProblem ? 'problem' : '' },
      element('span', { className: 'item-facts' }, Words.time(line.time)), ...WindowText.blocks(line.text),
      line.answer && element('p', { className: 'given' }, line.answer),
      line.region && element('a', { className: 'button', href: `${line.region}/` }, 'Show the map'),
      line.link && appWindow.starter('Receive the map', 'action', () => appWindow.act('receive', { url: line.link })),
    );
    made.dataset.number = line.number;
    return made;
  },

  /** What is above the list of regions. */
  news() {
    const lines = element('ul', { className: 'kept' });
    const place = element(
      'section', { id: 'window-came', 'aria-labelledby': 'window-came-title', hidden: true },
      element(
        'div', { className: 'title' }, element('h2', { id: 'window-came-title', tabIndex: -1 }, 'From phones'),
        appWindow.button('Clear', '', () => {
          lines.replaceChildren();
          appWindow.look();
        }),
      ),
      element('p', { role: 'status' }), element('ul', { className: 'coming' }),
      element('div', { role: 'log', 'aria-label': 'News from phones' }, lines),
    );
    return place;
  },

  showNews(state) {
    const { phones } = state;
    let place = appWindow.part('came');
    if (!place) {
      place = appWindow.phones.news();
      document.getElementById('window').after(place);
    }
    const focused = document.activeElement;
    const lines = place.querySelector('.kept');
    const numbers = phones.lines.map(({ number }) => number);
    for (const made of [...lines.children]) if (!numbers.includes(Number(made.dataset.number))) made.remove();
    const { newest } = appWindow.phones;
    const isFirst = newest === 0;
    for (const line of phones.lines.filter(({ number }) => number > appWindow.phones.newest)) {
      appWindow.phones.newest = line.number;
      lines.prepend(appWindow.phones.line(line));
      if (line.region && !isFirst) showRegions();
      // The answer may have been a name.
      if (line.answer && appWindow.part('listening').open) appWindow.phones.showKnown();
    }
    const coming = place.querySelector('.coming');
    while (coming.children.length > phones.rows.length) coming.lastChild.remove();
    phones.rows.forEach((row, index) => {
      if (!coming.children[index]) {
        coming.append(element('li', {}, element('span', {}), element('progress', { max: 1 })));
      }
      const [words, progress] = coming.children[index].children;
      const text = `${row.name} ${row.words}`;
      if (words.textContent !== text) words.textContent = text;
      progress.setAttribute('aria-label', `How much has come from ${row.name}`);
      progress.value = row.fraction ?? 0;
    });
    const status = place.querySelector('[role="status"]');
    const words = phones.status ? WindowText.words(phones.status) : '';
    if (status.textContent !== words) status.textContent = words;
    appWindow.phones.work = phones.rows.length ? 'What a phone sends' : '';
    place.querySelector('button').hidden = !lines.children.length;
    place.hidden = !lines.children.length && !phones.rows.length && !words;
    appWindow.phones.placeNews(place, state, appWindow.phones.newest > newest || phones.rows.length > 0 || words !== '');
    if (place.contains(focused)) appWindow.moveFocus(focused);
  },

  // MARK: Those that this laptop knows

  /** Does something for a dialog; returns why not. */
  async change(action, content) {
    const refusal = await appWindow.post(action, content);
    if (!refusal) appWindow.phones.showKnown();
    return refusal;
  },

  rename(phone) {
    appWindow.nameDialog(`Rename ${phone.name}`, 'Its name on this laptop', phone.name,
      (name) => appWindow.phones.change('phone-rename', { id: phone.id, name }));
  },

  forget(phone) {
    appWindow.dialog(`Forget ${phone.name}?`, [element(
      'p', {}, 'What you have from it stays. The next time, it is shown as new, under the name that it says itself.',
    )], { submitWords: 'Forget', submit: () => appWindow.phones.change('phone-forget', { id: phone.id }) });
  },

  known(phone) {
    const facts = [
      `since ${Words.day(phone.since)}`, `last here ${Words.day(phone.seen)}`,
      phone.short !== phone.name && `calls itself ${phone.short}`,
    ];
    return appWindow.trust.item(phone, facts, appWindow.phones.rename, appWindow.phones.forget);
  },

  /** Shows the phones to which a person has given a name. */
  async showKnown() {
    const place = appWindow.part('known');
    try {
      const { phones } = await appWindow.read('peers');
      place.replaceChildren(...(phones.length ? [
        element('h2', {}, 'Phones you know'),
        element('p', {}, 'This laptop recognises them by the names that you have given them. It still asks before anything comes.'),
        element('ul', { className: 'machines' }, ...phones.map(appWindow.phones.known)),
      ] : []));
    } catch (error) {
      place.replaceChildren(element('p', { className: 'problem' }, error.message));
    }
  },

  // MARK: Whether they find this laptop

  /** A switch with which phones find this laptop, and under which name. */
  listening() {
    const on = appWindow.option('Phones can find this laptop');
    on.box.setAttribute('role', 'switch');
    const [summary, status] = [element('summary', {}), element('p', { role: 'status' })];
    const refusal = element('p', { className: 'problem', role: 'alert' });
    on.box.addEventListener('change', async () => {
      refusal.textContent = await appWindow.post('phones', { on: on.box.checked });
      if (refusal.textContent) on.box.checked = !on.box.checked;
    });
    const place = element(
      'details', { id: 'window-listening', hidden: true }, summary,
      element('p', {}, 'Phones that have LocalSend show this laptop in their list while this window is open. They can send maps, tracks '
        + 'and photos to it. You are asked before anything comes.'),
      on.label, refusal, status, element('div', { id: 'window-known' }),
    );
    place.addEventListener('toggle', () => { if (place.open) appWindow.phones.showKnown(); });
    const called = element('p', {});
    status.after(called);
    appWindow.shown.push(({ phones }) => {
      place.hidden = phones.isOn === undefined;
      on.box.checked = phones.isOn === true;
      const what = phones.trouble ? WindowText.words(phones.trouble) : '';
      if (status.textContent !== what) status.textContent = what;
      called.hidden = !phones.isOn || !phones.name;
      if (!called.hidden && called.dataset.name !== phones.name) {
        called.dataset.name = phones.name;
        called.replaceChildren(
          'On phones, this laptop is called ', element('bdi', {}, phones.name), ' · ', appWindow.renamer(phones.name),
        );
      }
      const words = `Phones with LocalSend · ${!phones.isOn ? 'off' : phones.trouble ? 'on, with a problem' : 'on'}`;
      if (summary.textContent !== words) summary.textContent = words;
    });
    return place;
  },
};

appWindow.sectionsBelow.push(() => appWindow.phones.listening());
appWindow.shown.push((state) => {
  appWindow.phones.showList(state.phones);
  appWindow.phones.showNews(state);
});
