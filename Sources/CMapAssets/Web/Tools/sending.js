'use strict';
// Sends bytes to the program, block by block. What was broken off is resumed.

const pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

const Sending = (() => {
  /** How long an answer may take, in milliseconds: a block from far away needs a while. */
  const patience = 60000;

  /** Asks; with content, by POST. Throws if there is no answer, or if `stop` is aborted meanwhile. */
  async function ask(path, content, type, stop) {
    const end = new AbortController();
    const abort = () => end.abort();
    const timer = setTimeout(abort, patience);
    if (stop) stop.addEventListener('abort', abort);
    try {
      const how = content === undefined ? {} : { method: 'POST', body: content, headers: type ? { 'Content-Type': type } : {} };
      const answer = await fetch(path, { ...how, signal: end.signal });
      // A conflict can say how much is there.
      const isJSON = (answer.headers.get('Content-Type') || '').startsWith('application/json');
      if (isJSON && (answer.ok || answer.status === 409)) return await answer.json();
      if (answer.status === 404) return { state: 'unknown', message: '' };
      const message = (await answer.text()).trim();
      return { state: answer.status === 503 ? 'busy' : 'refused', message };
    } finally {
      clearTimeout(timer);
      if (stop) stop.removeEventListener('abort', abort);
    }
  }

  /**
   * Sends a blob, and follows what becomes of it. Returns the last answer: it is added, refused, stopped or not known any more, or the
   * blob cannot be read (`unread`).
   *
   * - `way.announce` says what will be sent.
   * - `way.path` returns where a block goes, or, without its offset, where what is known of the blob is.
   * - `way.blockLength` is the maximum length of a block, in bytes.
   * - `way.stop` is a signal that the person wants no more of it, and `way.leave` says so; without them, it cannot be stopped.
   * - `say` gets what the program has answered, or nothing if it does not answer, and the number of bytes that are there.
   */
  async function send(blob, way, say) {
    // What the program knows of the blob; null until it has answered.
    let known = null;
    // Whether the last block has arrived is not known.
    let isUnsure = false;
    // How many blocks did not arrive. A slow sender sends shorter ones, so that each arrives in time.
    let losses = 0;
    let length = 0;
    // Whether the program has heard that the rest will not come.
    let hasLeft = false;
    for (;;) {
      const leaves = way.stop && way.stop.aborted && !hasLeft;
      let block;
      if (known && known.state === 'receiving' && !isUnsure && !leaves) {
        try {
          const limit = way.blockLength;
          const most = Math.max(limit >> Math.min(losses, 5), Math.min(limit, 1 << 16));
          block = await blob.slice(length, length + most).arrayBuffer();
        } catch (error) {
          return { state: 'unread', message: '' };
        }
      }
      let answer;
      try {
        if (leaves) {
          // Without an answer, the program forgets it by itself.
          const gone = { state: 'stopped', message: '' };
          answer = known ? await way.leave().catch(() => gone) : gone;
          hasLeft = answer.state !== 'busy';
        } else if (!known) answer = await way.announce();
        else if (block) answer = await ask(way.path(length), block, 'application/octet-stream', way.stop);
        else answer = await ask(way.path());
      } catch (error) {
        isUnsure = true;
        if (way.stop && way.stop.aborted && !hasLeft) continue;
        if (block) losses += 1;
        say(null, length);
        await pause(2000);
        continue;
      }
      if (['refused', 'added', 'unknown', 'stopped'].includes(answer.state)) return answer;
      if (answer.state === 'busy') {
        say(answer, length);
        await pause(3000);
        continue;
      }
      // Another tab may be sending the same block.
      const hasStopped = block && answer.length === length;
      [known, isUnsure, length] = [answer, false, answer.length];
      say(answer, length);
      if (answer.state !== 'receiving' || hasStopped) await pause(1000);
    }
  }

  return { ask, send };
})();
