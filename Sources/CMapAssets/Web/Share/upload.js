'use strict';
// Sends files to the laptop, block by block. A broken upload is resumed.

const Uploads = (() => {
  /** The maximum length of a block, in bytes; the laptop says it. */
  const limits = { blockLength: 1 << 20 };

  const key = (file) => `upload ${file.name} ${file.size} ${file.lastModified}`;

  /** The ids of files, also after this page was loaded again; null in a browser that keeps nothing of pages. */
  const ids = (() => {
    try {
      return sessionStorage;
    } catch (error) {
      return null;
    }
  })();

  /** The id by which the laptop knows a file. */
  function idOf(file) {
    const known = ids && ids.getItem(key(file));
    if (known) return known;
    const bytes = crypto.getRandomValues(new Uint8Array(13));
    const id = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    if (ids) ids.setItem(key(file), id);
    return id;
  }

  const stopped = t('You stopped it. Nothing of it was added.');

  /**
   * Sends a file, and follows what becomes of it. Returns whether it was added.
   *
   * What it says is `sending`, `asked` while the person at the laptop decides, or `over`.
   */
  async function send(file, say, stop) {
    const id = idOf(file);
    say('sending', t('Sending …'), 0);
    const answer = await Sending.send(file, {
      blockLength: limits.blockLength,
      announce: () => Sending.ask(`uploads/${id}/new/${file.size}`, file.name),
      path: (offset) => (offset === undefined ? `uploads/${id}` : `uploads/${id}/${offset}`),
      stop,
      leave: () => Sending.ask(`uploads/${id}/stop`, ''),
    }, (known, length) => {
      const share = length / file.size;
      if (!known) {
        const words = t('The laptop does not answer. Is this phone still in its network? The upload resumes by itself.');
        say('sending', words, share);
      } else if (known.state === 'receiving') {
        say('sending', t`Sending … ${Words.size(length)} of ${Words.size(file.size)}`, share);
      } else {
        say(known.state === 'busy' ? 'sending' : 'asked', known.message, share);
      }
    });
    if (answer.state === 'unread') {
      say('over', t('This phone cannot read the file any more. Choose it again.'));
      return false;
    }
    if (ids) ids.removeItem(key(file));
    const words = { unknown: t('The laptop does not know the file any more. Send it again.'), stopped }[answer.state];
    say('over', words ?? answer.message);
    return answer.state === 'added';
  }

  /** A name in which nothing turns the writing around: `gpx.exe` could look like `exe.gpx`. */
  const shown = (name) => name.replace(/[\u202a-\u202e\u2066-\u2069]/g, (turn) => `\\u{${turn.codePointAt(0).toString(16)}}`);

  const status = document.getElementById('upload-state');

  /** Shows a file in the list. Returns what says how it is, and the signal to stop. */
  function row(file) {
    const title = shown(file.name);
    const text = element('span', { className: 'item-facts' }, t('waits for the files before it'));
    const bar = element('progress', { max: 1, value: 0, 'aria-label': t`Progress of ${title}` });
    const button = element('button', { type: 'button', 'aria-label': t`Stop sending ${title}` }, t('Stop'));
    const item = element('li', { tabIndex: -1 }, element('span', { className: 'item-name' }, title), bar, text, button);
    document.getElementById('upload-files').append(item);
    const end = new AbortController();
    let former = '';
    const showButton = (isShown) => {
      if (isShown === button.isConnected) return;
      // The keyboard stays in the list when the button goes away.
      if (document.activeElement === button) item.focus();
      if (isShown) item.append(button);
      else button.remove();
    };
    const say = (state, words, share) => {
      if (state === 'sending' && former !== state) status.textContent = t`Sending ${title} …`;
      former = state;
      showButton(state === 'sending' && !end.signal.aborted);
      if (state === 'sending' && end.signal.aborted) return;
      // The other words come too often to be read aloud.
      if (state !== 'sending' && text.textContent !== words) status.textContent = `${title}: ${words}`;
      text.textContent = words;
      bar.hidden = share === undefined;
      bar.value = share || 0;
    };
    button.addEventListener('click', () => {
      const isWaiting = !former;
      end.abort();
      if (isWaiting) say('over', stopped);
      else [text.textContent, bar.hidden] = [t('Stopping …'), true];
      showButton(false);
    });
    return { say, stop: end.signal };
  }

  /** Sends files, one after the other. */
  async function sendAll(files) {
    const rows = files.map((file) => [file, row(file)]);
    let added = 0;
    for (const [file, { say, stop }] of rows) {
      if (!stop.aborted && await send(file, say, stop)) added += 1;
    }
    const all = files.length;
    if (added === all) status.textContent = t`The laptop has ${counted(all, 'file')} now.`;
    else if (all > 1) status.textContent = t`The laptop has added ${added} of ${counted(all, 'file')}.`;
  }

  document.querySelector('#upload form').addEventListener('submit', (event) => {
    event.preventDefault();
    const input = document.getElementById('file');
    const files = [...input.files];
    input.value = '';
    if (files.length) sendAll(files);
    else status.textContent = t('Choose files first.');
  });

  return { limits, send, sendAll };
})();
