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
  /** What goes on, in words; empty if nothing does. */
  work: '',
  isOver: false,
  isLost: false,
  failures: 0,
};

/** Asks the program to do something; returns the sentence with which it refuses, or an empty text. */
appWindow.post = async (action, content) => {
  try {
    const answer = await fetch(new URL(action, appWindow.folder), {
      method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(content || {}),
    });
    if (!answer.ok) return (await answer.text()).trim();
  } catch (error) {
    return 'hikeshare does not answer.';
  }
  appWindow.look();
  return '';
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

/** What can be done with a region, for the list of regions. */
appWindow.regionActions = (region) => {
  const [network, page] = [
    appWindow.option('Make a Wi-Fi network with this laptop, for places that have none'),
    appWindow.option('Also show a page for phones'),
  ];
  return element(
    'details', { className: 'send' },
    element('summary', { 'aria-label': `Send ${region.name}` }, 'Send …'),
    network.label, page.label,
    appWindow.starter('Start sending', 'action', () => appWindow.act('send', {
      region: region.id, hotspot: network.box.checked, web: page.box.checked,
    })),
  );
};

/** The parts of the window on the page with the list. */
appWindow.build = () => {
  const [link, network] = [
    appWindow.option('I have a share link'), appWindow.option('Join the Wi-Fi network that the sender has made'),
  ];
  document.querySelector('header').append(element('nav', {}, element('button', {
    id: 'window-quit', type: 'button', onclick: () => appWindow.quit(),
  }, 'Quit')));
  document.querySelector('main').prepend(
    element('p', { id: 'window-name', hidden: true }),
    element(
      'section', { id: 'window-start', 'aria-label': 'Receive' },
      appWindow.starter('Receive a map', 'action', () => appWindow.act('receive', {
        link: link.box.checked, join: network.box.checked && !link.box.checked,
      })),
      element('details', {}, element('summary', {}, 'Other ways'), link.label, network.label),
    ),
    element('p', { id: 'window-refusal', className: 'problem', role: 'alert' }),
    element(
      'section', { id: 'window', hidden: true, 'aria-labelledby': 'window-title' },
      element(
        'div', { className: 'title' }, element('h2', { id: 'window-title' }),
        element('a', { id: 'window-open', className: 'action', hidden: true }, 'Show the map'),
        element('button', { id: 'window-stop', type: 'button', onclick: () => appWindow.act('stop') }, 'Stop'),
      ),
      element('div', { id: 'window-question', role: 'group', tabIndex: -1, 'aria-label': 'Question', hidden: true }),
      element('div', { id: 'window-status', role: 'status' }),
      element(
        'div', { id: 'window-progress', hidden: true },
        element('progress', { max: 1, 'aria-label': 'Progress' }), element('div', { className: 'words' }),
      ),
      element('div', { role: 'log', 'aria-label': 'News' }, element('ol', { id: 'window-lines' })),
    ),
  );
};

appWindow.quit = async () => {
  if (appWindow.work && !window.confirm(`${appWindow.work} goes on. End it?`)) return;
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
  place.replaceChildren('You are ', element('bdi', {}, name), ' · ', element('button', {
    type: 'button', className: 'link', 'aria-label': 'Change your name', onclick: () => {
      const wanted = window.prompt('What should others call you?', name);
      if (wanted !== null) appWindow.act('name', { answer: wanted });
    },
  }, 'change'));
};

/** Shows that the program does not answer, or that it does again. */
appWindow.lose = (isLost) => {
  appWindow.isLost = isLost;
  appWindow.enable(!isLost);
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
    for (const button of buttons) button.disabled = true;
    if (await appWindow.act('answer', { question: number, answer: text })) return;
    // If the question is still there, it can be answered again.
    for (const button of buttons) button.disabled = appWindow.isOver;
  };
  const button = (words, className, text) => element(
    'button', { type: 'button', className, onclick: () => answer(typeof text === 'function' ? text() : text) }, words,
  );
  place.replaceChildren(
    ...(question.introduction ? WindowText.blocks(question.introduction) : []),
    ...(question.drawing ? [WindowText.drawing(question.drawing)].filter((made) => made) : []),
    ...WindowText.blocks(question.text),
    appWindow.answers(question, button, answer),
  );
  const field = place.querySelector('input[type="text"]');
  (field ?? place).focus();
  field?.select();
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
      const boxes = question.choices.map((choice) => ({ choice, ...appWindow.option(choice.name) }));
      const usual = question.usual ? question.usual.split(' ') : null;
      // A single choice has no box: a yes takes it.
      for (const { box, choice } of boxes) box.checked = !usual || boxes.length === 1 || usual.includes(choice.answer);
      const chosen = () => {
        const wanted = boxes.filter(({ box }) => box.checked).map(({ choice }) => choice.answer);
        return wanted.length === boxes.length ? 'y' : wanted.join(' ') || 'n';
      };
      return element(
        'div', { className: 'parts' }, ...(boxes.length > 1 ? boxes.map(({ label }) => label) : []),
        element('p', { className: 'answers' }, button('Yes', 'action', chosen), button('No', '', 'n')),
      );
    }
    default: {
      const field = element('input', { type: 'text', value: question.usual, autocomplete: 'off',
        'aria-label': WindowText.words(question.text) });
      const form = element('form', { className: 'answers' }, field, element('button', { className: 'action' }, 'OK'));
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
  if (state.job !== appWindow.job) {
    [appWindow.job, appWindow.line] = [state.job, 0];
    appWindow.part('lines').replaceChildren();
    appWindow.region = undefined;
    if (appWindow.hasLooked) window.scrollTo(0, 0);
  }
  appWindow.hasLooked = true;
  document.getElementById('window').hidden = !state.job;
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
    appWindow.part('progress').querySelector('.words').textContent = words;
  }
  const status = appWindow.part('status');
  // A screen reader would read every change of the progress.
  if (status.dataset.words !== (isMeasured ? '' : words)) {
    status.dataset.words = isMeasured ? '' : words;
    status.replaceChildren(...(state.status && !isMeasured ? WindowText.blocks(state.status) : []));
  }
  appWindow.ask(state.question, state.questionNumber);
  if (appWindow.isRunning && !state.isRunning) {
    showRegions();
    appWindow.part('title').scrollIntoView({ block: 'nearest' });
  }
};

/** Shows whether the work goes on, or that a map is here. */
appWindow.showEnd = (state) => {
  const title = state.isRunning ? `${state.title} …` : `${state.title}: ended`;
  appWindow.part('title').textContent = state.region ? state.title : title;
  appWindow.part('stop').hidden = !state.isRunning;
  appWindow.work = state.isRunning && !state.region ? state.title : '';
  const open = appWindow.part('open');
  open.hidden = !state.region;
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
  const words = state.question ? `${state.title}: there is a question.` : `${state.title} …`;
  if (place.dataset.words === words && place.hidden === !state.isRunning) return;
  place.dataset.words = words;
  place.hidden = !state.isRunning;
  place.replaceChildren(`${words} `, element('a', { href: '../' }, state.question ? 'Answer it' : 'Show it'));
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

if (appWindow.isList) appWindow.build();
appWindow.follow();
