'use strict';
// The window of the program: what it is doing, what it asks, and what a person wants.
// On the page of a map, a line that leads there.

const appWindow = {
  folder: new URL('../window/', document.currentScript.src),
  isList: document.body.classList.contains('list-page'),
  title: document.title,
  job: 0,
  line: 0,
  question: 0,
  isRunning: false,
  /** The current job, in words; empty for none. */
  work: '',
  isOver: false,
  isLost: false,
  failures: 0,
};

/** Does something for a button, and says why not if it is refused. */
appWindow.act = async (action, content) => {
  appWindow.part('refusal').textContent = '';
  const refusal = await appWindow.post(action, content);
  appWindow.part('refusal').textContent = refusal;
  return !refusal;
};

appWindow.part = (name) => document.getElementById(`window-${name}`);

/** A checkbox with its words. */
appWindow.option = (words) => {
  const box = element('input', { type: 'checkbox' });
  return { box, label: element('label', { className: 'option' }, box, words) };
};

/** A button that begins something. It cannot be used while the program is busy. */
appWindow.starter = (words, className, start) => element(
  'button', { type: 'button', className: `starter ${className}`, onclick: start, disabled: appWindow.isRunning }, words,
);

/** What can be done with a region, besides showing it: functions that make an element, or nothing. Other scripts add theirs. */
appWindow.regionParts = [];

appWindow.regionActions = (region) => appWindow.regionParts.map((make) => make(region)).filter(Boolean);

/** The sections above and below the list of regions, and what is folded above it: functions that make an element. Other scripts add theirs. */
appWindow.sectionsAbove = [];
appWindow.foldsAbove = [];
appWindow.sectionsBelow = [];

/** What is done after the list was shown, and with each state that is shown. Other scripts add theirs. */
appWindow.listed = [];
appWindow.shown = [];

/** What is done when regions or items have changed, by whatever page or program. Other scripts add theirs. */
appWindow.changed = [];

/** The parts of the window on the page with the list. */
appWindow.build = () => {
  document.querySelector('header').append(element('nav', {}, element('button', {
    id: 'window-quit', type: 'button', onclick: () => appWindow.quit(),
  }, 'Quit')));
  const main = document.querySelector('main');
  main.prepend(
    element('p', { id: 'window-name', hidden: true }),
    element(
      'div', { id: 'window-start' }, element('div', { className: 'first' }, ...appWindow.sectionsAbove.map((make) => make())),
      ...appWindow.foldsAbove.map((make) => make()),
    ),
    element('p', { id: 'window-refusal', className: 'problem', role: 'alert' }),
    element(
      'section', { id: 'window', hidden: true, 'aria-labelledby': 'window-title' },
      element(
        'div', { className: 'title' }, element('h2', { id: 'window-title', tabIndex: -1 }),
        element('a', { id: 'window-open', className: 'action', hidden: true }, 'Show the map'),
        element('button', { id: 'window-stop', type: 'button', onclick: () => appWindow.act('stop') }, 'Stop'),
      ),
      element('div', {
        id: 'window-question', role: 'group', tabIndex: -1, 'aria-label': 'Question',
        'aria-describedby': 'window-question-notice window-question-introduction window-question-words', hidden: true,
      }),
      element('div', { id: 'window-status', role: 'status' }),
      element(
        'div', { id: 'window-progress', hidden: true },
        element('progress', { max: 1, 'aria-label': 'Progress' }), element('div', { className: 'words' }),
      ),
      element('div', { role: 'log', 'aria-label': 'News' }, element('ol', { id: 'window-lines' })),
    ),
  );
  main.append(...appWindow.sectionsBelow.map((make) => make()));
};

appWindow.quit = async () => {
  const work = appWindow.work || appWindow.phones.work;
  if (work && !window.confirm(`${work} goes on. End it?`)) return;
  // The program may end before its answer is here.
  await appWindow.post('quit');
  appWindow.end('hikeshare has ended. You can close this page.');
};

/** Lets the buttons do something, or not. */
appWindow.enable = (isEnabled) => {
  const buttons = document.querySelectorAll('.starter, #window button, #window-quit');
  for (const button of buttons) button.disabled = !isEnabled;
};

/** Shows that the program is gone. */
appWindow.end = (sentence) => {
  appWindow.isOver = true;
  appWindow.enable(false);
  // Nothing else of the page is true any more.
  const place = document.getElementById('notice');
  [place.textContent, place.hidden] = [sentence, false];
  document.querySelector('main').replaceChildren(place);
  window.scrollTo(0, 0);
};

/** Shows how others see this machine, and lets a person change that. */
appWindow.showName = (name) => {
  const place = appWindow.part('name');
  place.hidden = !name;
  if (!name || place.dataset.name === name) return;
  place.dataset.name = name;
  place.replaceChildren('You are ', element('bdi', {}, name), ' · ', appWindow.renamer(name));
};

/** A button that changes how others see this machine. */
appWindow.renamer = (name) => element('button', {
  type: 'button', className: 'link', 'aria-label': 'Change your name', onclick: () => {
    const wanted = window.prompt('What should others call you?', name);
    if (wanted !== null) appWindow.act('name', { answer: wanted });
  },
}, 'change');

/** Shows that the program does not answer, or that it does again. */
appWindow.lose = (isLost) => {
  appWindow.isLost = isLost;
  if (isLost) appWindow.lastFocus = document.activeElement;
  appWindow.enable(!isLost);
  if (!isLost && document.activeElement === document.body) appWindow.lastFocus?.focus();
  let place = appWindow.part('lost');
  if (!place) {
    place = element('p', { id: 'window-lost', className: 'problem', role: 'alert' });
    document.querySelector('header').after(place);
  }
  place.textContent = isLost
    ? 'hikeshare does not answer. If it has ended, start it again: it opens a new page. Else this page goes on by itself.'
    : '';
};

/** Shows a question. */
appWindow.ask = (question, number) => {
  const place = appWindow.part('question');
  place.hidden = !question;
  if (!question || number === appWindow.question) return;
  appWindow.question = number;
  const answer = async (text) => {
    const buttons = place.querySelectorAll('button');
    const focused = document.activeElement;
    for (const button of buttons) button.disabled = true;
    appWindow.moveFocus(focused);
    if (await appWindow.act('answer', { question: number, answer: text })) return;
    // If the question is still there, it can be answered again.
    for (const button of buttons) button.disabled = appWindow.isOver;
    if (focused.checkVisibility()) focused.focus();
  };
  const button = (words, className, text) => element(
    'button', { type: 'button', className, onclick: () => answer(typeof text === 'function' ? text() : text) }, words,
  );
  // A screen reader says them with the focus.
  const words = (id, text) => element('div', { id: `window-question-${id}` }, ...(text ? WindowText.blocks(text) : []));
  place.replaceChildren(
    words('notice', question.notice),
    words('introduction', question.introduction),
    ...(question.drawing ? [WindowText.drawing(question.drawing)].filter((made) => made) : []),
    words('words', question.text),
    appWindow.answers(question, button, answer),
  );
  const field = place.querySelector('input[type="text"]');
  field?.setAttribute('aria-describedby', 'window-question-notice window-question-introduction');
  (field ?? place).focus();
  field?.select();
};

/** Moves the focus to the first title that is shown or, without one, to the first button, if it was on what cannot be used any more. */
appWindow.moveFocus = (focused) => {
  const isLost = focused !== document.body && (focused.disabled || !focused.checkVisibility());
  if (!isLost || ![focused, document.body].includes(document.activeElement)) return;
  const titles = [...document.querySelectorAll('#window-title, #window-came-title')];
  (titles.find((title) => title.checkVisibility()) ?? document.querySelector('.starter')).focus();
};

/** How much is chosen of a list with sizes, and buttons for all and nothing of a long one. */
appWindow.sums = (boxes) => {
  if (boxes.length < 2 || !boxes.every(({ choice }) => choice.size !== undefined)) return {};
  const place = element('span', { className: 'chosen', role: 'status' });
  const show = () => {
    const wanted = boxes.filter(({ box }) => box.checked);
    const size = wanted.reduce((sum, { choice }) => sum + choice.size, 0);
    place.textContent = `${wanted.length} of ${boxes.length} chosen${wanted.length ? `, ${Words.size(size)}` : ''}`;
  };
  const set = (isChecked) => {
    for (const { box } of boxes) box.checked = isChecked;
    show();
  };
  for (const { box } of boxes) box.addEventListener('change', show);
  show();
  const buttons = [['All', true], ['None', false]].map(([words, isChecked]) => element(
    'button', { type: 'button', className: 'link', onclick: () => set(isChecked) }, words,
  ));
  return { place, buttons: boxes.length > 4 ? element('p', { className: 'answers all' }, ...buttons) : null };
};

/** The buttons or the field of a question. */
appWindow.answers = (question, button, answer) => {
  switch (question.form) {
    case 'yesOrNo':
      return element('p', { className: 'answers' }, button('Yes', 'action', 'y'), button('No', '', 'n'));
    case 'choice':
      return element('ul', { className: 'choices' }, ...question.choices.map((choice) => element('li', {}, element(
        'button', { type: 'button', onclick: () => answer(choice.answer) },
        element('span', { className: 'item-name' }, choice.name),
        element('span', { className: 'item-facts' }, choice.facts),
      ))));
    case 'parts': {
      const boxes = question.choices.map((choice) => ({ choice, ...appWindow.option(choice.facts ? element(
        'span', { className: 'words' }, element('span', { className: 'item-name' }, choice.name),
        // A date stays in one line.
        element('span', { className: 'item-facts' }, Words.facts(choice.facts.split(' · ')).replaceAll('-', '\u2011')),
      ) : choice.name) }));
      for (const { choice, label } of boxes) label.classList.toggle('long', Boolean(choice.facts));
      const usual = question.usual ? question.usual.split(' ') : null;
      // A single choice has no box: a yes takes it.
      for (const { box, choice } of boxes) box.checked = !usual || boxes.length === 1 || usual.includes(choice.answer);
      const chosen = () => {
        const wanted = boxes.filter(({ box }) => box.checked).map(({ choice }) => choice.answer);
        return wanted.length === boxes.length ? 'y' : wanted.join(' ') || 'n';
      };
      // With one choice, its facts stay above the buttons.
      const list = boxes.length > 1 ? boxes.map(({ label }) => label)
        : boxes.filter(({ choice }) => choice.facts).map(({ choice }) => element('p', {}, `${choice.name}, ${choice.facts}`));
      const sums = appWindow.sums(boxes);
      return element(
        'div', { className: 'parts' }, sums.buttons, ...list,
        element('p', { className: 'answers' }, button('Yes', 'action', chosen), button('No', '', 'n'), sums.place),
      );
    }
    default: {
      const field = element('input', { type: 'text', value: question.usual, autocomplete: 'off',
        'aria-label': WindowText.words(question.text) });
      const form = element(
        'form', { className: 'answers' }, field, element('button', { className: 'action' }, 'OK'),
        ...question.choices.map((choice) => button(choice.name, '', choice.answer)),
      );
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        answer(field.value);
      });
      return form;
    }
  }
};

/** Shows what has happened, and what happens. */
appWindow.show = (state) => {
  const focused = document.activeElement;
  if (state.job !== appWindow.job) {
    [appWindow.job, appWindow.line] = [state.job, 0];
    appWindow.part('lines').replaceChildren();
    appWindow.region = undefined;
    if (appWindow.hasLooked) window.scrollTo(0, 0);
  }
  appWindow.hasLooked = true;
  document.getElementById('window').hidden = !state.job && !state.question;
  appWindow.showName(state.name);
  appWindow.showEnd(state);
  for (const button of document.querySelectorAll('.starter')) button.disabled = state.isRunning;
  for (const line of state.lines.filter(({ number }) => number > appWindow.line)) {
    appWindow.line = line.number;
    // The newest is in sight.
    appWindow.part('lines').prepend(element(
      'li', { className: line.kind }, ...WindowText.blocks(line.text),
      line.answer && element('p', { className: 'given' }, line.answer),
      ...line.drawings.map(WindowText.drawing),
    ));
  }
  const isMeasured = state.fraction !== undefined;
  appWindow.part('progress').hidden = !isMeasured;
  const words = state.status ? WindowText.words(state.status) : '';
  if (isMeasured) {
    appWindow.part('progress').querySelector('progress').value = state.fraction;
    appWindow.part('progress').querySelector('.words').textContent = words.replace(/ {2,}/g, ' · ');
  }
  const status = appWindow.part('status');
  // A screen reader would read every change of the progress.
  if (status.dataset.words !== (isMeasured ? '' : words)) {
    status.dataset.words = isMeasured ? '' : words;
    status.replaceChildren(...(state.status && !isMeasured ? WindowText.blocks(state.status) : []));
  }
  for (const show of appWindow.shown) show(state);
  appWindow.ask(state.question, state.questionNumber);
  appWindow.moveFocus(focused);
  if (appWindow.isRunning && !state.isRunning) {
    showRegions();
    appWindow.part('title').scrollIntoView({ block: 'nearest' });
  }
};

/** What is going on, in words: a question may come from a phone, and have nothing to do with a job that is over. */
appWindow.headline = (state) => {
  if (!state.isRunning && state.question) return 'A phone asks';
  if (state.region) return state.title;
  return state.isRunning ? `${state.title} …` : `${state.title}: ended`;
};

/** Shows whether the job is running, or that a map is here. */
appWindow.showEnd = (state) => {
  const isAside = !state.isRunning && Boolean(state.question);
  appWindow.part('title').textContent = appWindow.headline(state);
  appWindow.part('stop').hidden = !state.isRunning;
  const { classList } = document.getElementById('window');
  // The codes lead nowhere any more.
  classList.toggle('over', !state.isRunning);
  classList.toggle('aside', isAside);
  appWindow.work = state.isRunning && !state.region ? state.title : '';
  const open = appWindow.part('open');
  open.hidden = !state.region || isAside;
  if (!state.region || state.region === appWindow.region) return;
  appWindow.region = state.region;
  open.href = `${state.region}/`;
  showRegions();
};

/** Leads from the page of a map to the window. */
appWindow.lead = (state) => {
  let place = appWindow.part('lead');
  if (!place) {
    place = element('p', { id: 'window-lead', className: 'notice', role: 'status', hidden: true });
    document.querySelector('header').after(place);
  }
  // The lines are on the other page; the next answer need not have them again.
  for (const line of state.lines) appWindow.line = line.number;
  const headline = appWindow.headline(state);
  const words = state.isRunning && state.question ? `${state.title}: there is a question.` : headline;
  const isHidden = !state.isRunning && !state.question;
  if (place.dataset.words === words && place.hidden === isHidden) return;
  place.dataset.words = words;
  place.hidden = isHidden;
  place.replaceChildren(`${words} `, element('a', { href: '../' }, state.question ? 'Answer it' : 'Show it'));
};

/** Shows regions and items anew if they have changed. */
appWindow.noteRevision = (revision) => {
  const isNew = appWindow.revision !== undefined && appWindow.revision !== revision;
  appWindow.revision = revision;
  if (isNew) for (const show of appWindow.changed) show();
};

/** Looks at the state of the program once. */
appWindow.look = async () => {
  try {
    const answer = await fetch(new URL(`state/${appWindow.line}`, appWindow.folder));
    if (!answer.ok) throw new Error(answer.statusText);
    const state = await answer.json();
    appWindow.failures = 0;
    if (appWindow.isOver) return;
    if (appWindow.isLost) appWindow.lose(false);
    if (appWindow.isList) appWindow.show(state); else appWindow.lead(state);
    appWindow.isRunning = state.isRunning;
    document.body.classList.toggle('has-phones', state.phones.isOn === true);
    appWindow.noteRevision(state.revision);
    document.title = (state.question ? '(?) ' : '') + (appWindow.isList ? appWindow.title : document.title.replace(/^\(\?\) /, ''));
  } catch (error) {
    appWindow.failures += 1;
    if (appWindow.failures === 3 && !appWindow.isOver) appWindow.lose(true);
  }
};

appWindow.follow = async () => {
  while (!appWindow.isOver) {
    await appWindow.look();
    const time = appWindow.isLost ? 3000 : appWindow.isRunning ? 400 : 1500;
    await new Promise((resolve) => { setTimeout(resolve, time); });
  }
};

