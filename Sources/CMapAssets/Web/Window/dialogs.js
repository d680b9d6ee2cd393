'use strict';
// What the program is asked to do, and the dialogs for it.

/** Asks the program to do something; returns what it answers, or the sentence with which it refuses as `refusal`. */
appWindow.send = async (action, content) => {
  try {
    const answer = await fetch(new URL(action, appWindow.folder), {
      method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(content ?? {}),
    });
    if (!answer.ok) return { refusal: (await answer.text()).trim() };
    return await answer.json();
  } catch (error) {
    return { refusal: 'hikeshare does not answer.' };
  }
};

/** Asks the program to do something; returns the sentence with which it refuses, or an empty text. */
appWindow.post = async (action, content) => {
  const { refusal } = await appWindow.send(action, content);
  if (refusal) return refusal;
  appWindow.look();
  return '';
};

/** A button. Its words are also its name, unless it has another one. */
appWindow.button = (words, className, press, name) => {
  const button = element('button', { type: 'button', className, onclick: press }, words);
  if (name) button.setAttribute('aria-label', name);
  return button;
};

/** A field with its words above it. */
appWindow.field = (words, field) => element('label', { className: 'field' }, element('span', {}, words), field);

/**
 * Opens a dialog with a form; `submit` returns whether it may close.
 *
 * The focus returns to where it was, also to the same button of a list that was made anew (`data-opener`).
 */
appWindow.dialog = (title, content, { submitWords, submitClass = 'action', submit, cancelWords = 'Cancel' }) => {
  const opener = document.activeElement;
  const refusal = element('p', { className: 'problem', role: 'alert' });
  const cancel = appWindow.button(cancelWords, '', () => dialog.close());
  const accept = submit && element('button', { className: submitClass }, submitWords);
  const form = element(
    'form', {}, element('h2', { id: 'dialog-title', dir: 'auto' }, title), ...content, refusal,
    element('p', { className: 'answers' }, accept, cancel),
  );
  const dialog = element('dialog', { className: 'window-dialog', 'aria-labelledby': 'dialog-title' }, form);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (!accept || accept.disabled) return;
    accept.disabled = true;
    refusal.textContent = '';
    refusal.textContent = await submit(dialog) ?? '';
    accept.disabled = false;
    if (!refusal.textContent) dialog.close();
  });
  // Escape closes the dialog alone, and nothing that is behind it.
  const keepEscape = (event) => { if (event.key === 'Escape') event.stopImmediatePropagation(); };
  document.addEventListener('keydown', keepEscape, true);
  dialog.addEventListener('close', () => {
    document.removeEventListener('keydown', keepEscape, true);
    dialog.remove();
    const place = opener?.isConnected ? opener
      : [...document.querySelectorAll('[data-opener]')].find((each) => each.dataset.opener === opener?.dataset.opener);
    // What was removed has no button any more.
    (place ?? document.getElementById('done') ?? document.getElementById('map'))?.focus({ preventScroll: true });
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
};

/** A dialog for a name. */
appWindow.nameDialog = (title, words, name, submit) => {
  const field = element('input', { type: 'text', value: name, autocomplete: 'off', required: true, maxLength: 1000 });
  appWindow.dialog(title, [appWindow.field(words, field)], {
    submitWords: 'Rename', submit: () => (field.value === name ? '' : submit(field.value)),
  });
  field.select();
};
