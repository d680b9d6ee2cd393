'use strict';
// Sends files to the laptop, piece by piece. A broken upload is resumed.

const Uploads = (() => {
  /** The maximum length of a piece, in bytes; the laptop says it. */
  const limits = { pieceLength: 1 << 20 };

  /** How long an answer may take: a piece from far away needs a while. */
  const patience = 60000;

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

  /** Asks the laptop; with content, by POST. Throws if it does not answer. */
  async function ask(path, content) {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), patience);
    try {
      const how = content === undefined ? {} : { method: 'POST', body: content };
      const answer = await fetch(path, { ...how, signal: stop.signal });
      // A conflict says how much is there.
      if (answer.ok || answer.status === 409) return await answer.json();
      if (answer.status === 404) {
        return { state: 'refused', message: 'The laptop does not know the file any more. Send it again.' };
      }
      const message = (await answer.text()).trim();
      return { state: answer.status === 503 ? 'busy' : 'refused', message };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Sends a file, and follows what becomes of it. Returns whether it was added. */
  async function send(file, say) {
    const id = idOf(file);
    // What the laptop knows of the file; null until it has answered.
    let known = null;
    // Whether the last piece has arrived is not known.
    let isUnsure = false;
    // How many pieces did not arrive. A slow phone sends shorter ones, so that each arrives in time.
    let losses = 0;
    let length = 0;
    say('Sending …', 0);
    for (;;) {
      let piece;
      if (known && known.state === 'receiving' && !isUnsure) {
        try {
          const most = Math.max(limits.pieceLength >> Math.min(losses, 5), Math.min(limits.pieceLength, 1 << 16));
          piece = await file.slice(length, length + most).arrayBuffer();
        } catch (error) {
          say('This phone cannot read the file any more. Choose it again.');
          return false;
        }
      }
      let answer;
      try {
        if (!known) answer = await ask(`uploads/${id}/new/${file.size}`, file.name);
        else answer = piece ? await ask(`uploads/${id}/${length}`, piece) : await ask(`uploads/${id}`);
      } catch (error) {
        isUnsure = true;
        if (piece) losses += 1;
        say('The laptop does not answer. Is this phone still in its network? The upload resumes by itself.', length / file.size);
        await pause(2000);
        continue;
      }
      if (answer.state === 'busy') {
        say(answer.message, length / file.size);
        await pause(3000);
        continue;
      }
      if (answer.state === 'refused' || answer.state === 'added') {
        if (ids) ids.removeItem(key(file));
        say(answer.message);
        return answer.state === 'added';
      }
      // Another tab may be sending the same piece.
      const hasStopped = piece && answer.length === length;
      [known, isUnsure, length] = [answer, false, answer.length];
      if (answer.state === 'receiving') {
        say(`Sending … ${Words.size(length)} of ${Words.size(file.size)}`, length / file.size);
        if (hasStopped) await pause(1000);
      } else {
        say(answer.message, length / file.size);
        await pause(1000);
      }
    }
  }

  /** Shows a file in the list; returns what changes its text and its progress. */
  function row(file) {
    const text = element('span', { className: 'item-facts' }, 'waits for the files before it');
    const bar = element('progress', { max: 1, value: 0 });
    bar.setAttribute('aria-label', `Progress of ${file.name}`);
    const name = element('span', { className: 'item-name' }, file.name);
    document.getElementById('upload-files').append(element('li', {}, name, bar, text));
    return (words, share) => {
      text.textContent = words;
      bar.hidden = share === undefined;
      bar.value = share || 0;
    };
  }

  /** Sends files, one after the other. */
  async function sendAll(files) {
    const status = document.getElementById('upload-state');
    const rows = files.map((file) => [file, row(file)]);
    let added = 0;
    for (const [file, say] of rows) {
      status.textContent = `Sending ${file.name} …`;
      if (await send(file, say)) added += 1;
    }
    const all = Words.count(files.length, 'file');
    status.textContent = added === files.length ? `The laptop has ${all} now.` : `The laptop has added ${added} of ${all}.`;
  }

  document.querySelector('#upload form').addEventListener('submit', (event) => {
    event.preventDefault();
    const input = document.getElementById('file');
    const files = [...input.files];
    input.value = '';
    if (files.length) sendAll(files);
    else document.getElementById('upload-state').textContent = 'Choose files first.';
  });

  return { limits, send, sendAll };
})();
