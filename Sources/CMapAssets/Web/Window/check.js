'use strict';
// What hinders sharing, and what helps.

appWindow.sectionsBelow.push(() => {
  const field = element('input', { id: 'check-to', type: 'text', autocomplete: 'off', spellcheck: false });
  const form = element(
    'form', { className: 'answers' }, field,
    element('button', { className: 'starter', disabled: appWindow.isRunning }, 'Check the way to it'),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (field.value.trim()) appWindow.act('check', { to: field.value }); else field.focus();
  });
  return element(
    'details', { id: 'window-check' }, element('summary', {}, 'Something does not work?'),
    element('p', {}, 'hikeshare can look for what keeps laptops apart. Nothing is changed. Do it on both laptops.'),
    appWindow.starter('Check this machine', '', () => appWindow.act('check')),
    element('p', {}, element('label', { for: 'check-to' }, 'Or paste the share link, or the address, of the other machine:')),
    form,
  );
});

/** Offers to look for the cause of a problem whose cause is not known. */
appWindow.shown.push((state) => {
  let place = appWindow.part('cause');
  if (!place) {
    place = element('p', { id: 'window-cause', hidden: true }, appWindow.starter(
      'Look for the cause', '', () => appWindow.act('check'),
    ));
    appWindow.part('question').before(place);
  }
  place.hidden = !state.isUnexplained;
});
