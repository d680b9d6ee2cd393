'use strict';
// Adding files of this machine: chosen, dropped on the page, or opened with the program.

const adding = (() => {
  /** The maximum number of files, which is that of the program. */
  const maximumCount = 20000;
  /** The deepest folder that is looked into. */
  const maximumDepth = 30;

  const announceRefusal = (sentence) => { appWindow.part('refusal').textContent = sentence; };

  /** Whether files are on their way. */
  let isSending = false;

  /** Hidden files and folders are none of a person's maps. */
  const isHidden = (path) => path.split('/').some((name) => name.startsWith('.'));

  /** Sends files, with their paths, and lets the program add them. */
  async function send(found) {
    const files = found.filter(({ path }) => !isHidden(path));
    if (!files.length) return announceRefusal('There are no files in it.');
    if (files.length > maximumCount) {
      return announceRefusal(`These are more than ${maximumCount} files. Add a folder that has your maps only.`);
    }
    announceRefusal('');
    const body = new Blob(files.map(({ file }) => file));
    const announced = JSON.stringify({ names: files.map(({ path }) => path), sizes: files.map(({ file }) => file.size) });
    let id = '';
    const way = {
      blockLength: 4 << 20,
      announce: async () => {
        const answer = await Sending.ask(new URL('files', appWindow.folder), announced, 'application/json');
        if (!answer.id) return answer;
        id = answer.id;
        way.blockLength = answer.blockLength;
        appWindow.look();
        return answer.progress;
      },
      path: (offset) => new URL(offset === undefined ? `block/${id}` : `block/${id}/${offset}`, appWindow.folder),
    };
    isSending = true;
    const last = await Sending.send(body, way, (known) => { if (known && known.state === 'busy') announceRefusal(known.message); });
    isSending = false;
    appWindow.look();
    // What the program has ended is told by it.
    if (last.state === 'refused') return announceRefusal(last.message);
    if (last.state !== 'unread') return undefined;
    await appWindow.act('stop');
    return announceRefusal('A file cannot be read any more: it was changed, moved or removed. Add the files again.');
  }

  /** The files of a folder that was dropped, also those in its folders. */
  async function filesIn(entry, depth, found) {
    if (found.length > maximumCount || entry.name.startsWith('.')) return;
    // The path begins with a slash.
    const path = entry.fullPath.replace(/^\//, '');
    if (entry.isFile) {
      found.push({ path, file: await new Promise((done, failed) => { entry.file(done, failed); }) });
    } else if (entry.isDirectory && depth < maximumDepth) {
      const reader = entry.createReader();
      for (;;) {
        const some = await new Promise((done, failed) => { reader.readEntries(done, failed); });
        if (!some.length) return;
        for (const inner of some) await filesIn(inner, depth + 1, found);
      }
    }
  }

  /** Adds what was dropped. */
  async function take(transfer) {
    // Only now; after the first pause the browser forgets what was dropped.
    const entries = [...transfer.items].map((item) => item.webkitGetAsEntry && item.webkitGetAsEntry()).filter(Boolean);
    const plain = [...transfer.files].map((file) => ({ path: file.name, file }));
    const found = [];
    try {
      for (const entry of entries) await filesIn(entry, 0, found);
    } catch (error) {
      return announceRefusal('What was dropped cannot be read. Choose it with “Add files” or “Add a folder”.');
    }
    return send(entries.length ? found : plain);
  }

  /** A button that opens the dialog of the browser for files or a folder. */
  function chooser(words, isFolder) {
    const input = element('input', { type: 'file', multiple: true, hidden: true, tabIndex: -1 });
    input.webkitdirectory = isFolder;
    input.addEventListener('change', () => {
      const found = [...input.files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
      input.value = '';
      if (found.length) send(found);
    });
    input.dataset.chooses = isFolder ? 'folder' : 'files';
    // Also while the program waits for the rest of files, because this page was loaded again.
    return [element('button', { type: 'button', onclick: () => input.click() }, words), input];
  }

  /** Lets files be dropped anywhere on the page. */
  function watchDrops() {
    const place = element(
      'div', { id: 'add-drop', hidden: true, 'aria-hidden': 'true' }, element('p', {}, 'Drop maps, tracks and photos here'),
    );
    document.body.append(place);
    const hasFiles = (event) => [...(event.dataTransfer?.types || [])].includes('Files');
    let timer = 0;
    const hide = () => {
      clearTimeout(timer);
      place.hidden = true;
    };
    for (const kind of ['dragenter', 'dragover']) {
      addEventListener(kind, (event) => {
        if (!hasFiles(event)) return;
        // Otherwise the browser would open the file instead of this page.
        event.preventDefault();
        event.dataTransfer.dropEffect = appWindow.isOver ? 'none' : 'copy';
        clearTimeout(timer);
        place.hidden = appWindow.isOver;
        // While it is held over the page, the browser says so all the time. Not every browser says that it was given up.
        timer = setTimeout(hide, 2000);
      });
    }
    // It enters another element, or has left the page.
    addEventListener('dragleave', (event) => { if (!event.relatedTarget) hide(); });
    addEventListener('drop', (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      hide();
      if (!appWindow.isOver) take(event.dataTransfer);
    });
  }

  addEventListener('beforeunload', (event) => { if (isSending) event.preventDefault(); });

  appWindow.sectionsAbove.push(() => {
    watchDrops();
    return element(
      'section', { id: 'window-add', 'aria-label': 'Add' }, ...chooser('Add files', false), ...chooser('Add a folder', true),
    );
  });

  return { send, take };
})();
