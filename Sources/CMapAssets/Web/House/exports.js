'use strict';
// Exports of a region, which are made when a person asks for them and then downloaded.

/** What a person has chosen for all files of a dialog. */
function exportOptions(care) {
  const options = {};
  const labels = [];
  if (care.files.some(({ personal }) => personal.length)) {
    const option = appWindow.option('Without what concerns a person: recorded hikes, notes, photos and times');
    options.withoutPersonal = option.box;
    labels.push(option.label);
  }
  if (care.hasPhotoDetails) {
    const option = appWindow.option('Photos without camera, place and time');
    options.withoutPhotoDetails = option.box;
    labels.push(option.label);
  }
  return { options, labels };
}

/** One file: what it is, a button that saves it, and how that goes on. */
class ExportRow {
  constructor(region, file, options, more) {
    Object.assign(this, { region, file, options, more, id: null });
    this.state = element('p', { className: 'item-facts', role: 'status' });
    this.facts = element('span', { className: 'item-facts' });
    this.button = appWindow.button('Save', '', () => this.press(), `Save: ${file.title}`);
    this.element = element(
      'li', {}, element('div', {}, element('span', { className: 'item-name' }, file.title), this.facts, this.state), this.button,
    );
    for (const box of Object.values(options)) box.addEventListener('change', () => this.describe());
    this.describe();
  }

  describe() {
    const { file } = this;
    const all = this.options.withoutPhotoDetails?.checked ? file.personalWithoutPhotoDetails : file.personal;
    const personal = this.options.withoutPersonal?.checked ? [] : all;
    this.facts.textContent = [
      file.size && Words.size(file.size), file.purpose, personal.length && `personal: ${personal.join(', ')}`,
    ].filter(Boolean).join(' · ');
  }

  press() {
    if (this.id) this.cancel(); else this.save();
  }

  show(words, isWorking) {
    this.state.textContent = words;
    this.button.textContent = isWorking ? 'Cancel' : 'Save';
    this.button.setAttribute('aria-label', `${this.button.textContent}: ${this.file.title}`);
  }

  /** Gives up a file that is being made. */
  cancel() {
    if (!this.id) return;
    appWindow.send('end-export', { export: this.id });
    this.id = null;
    this.show('Cancelled.', false);
  }

  async save() {
    const { export: id, refusal } = await appWindow.send('export', {
      region: this.region, kind: this.file.kind,
      withoutPersonal: this.options.withoutPersonal?.checked ?? false,
      withoutPhotoDetails: this.options.withoutPhotoDetails?.checked ?? false,
      ...this.more(),
    });
    if (refusal) return void this.show(refusal, false);
    this.id = id;
    this.show('The file is being made …', true);
    let time = 100;
    while (this.id === id) {
      const state = await this.look(id);
      if (this.id !== id) return;
      if (state.problem || state.size !== undefined) {
        this.id = null;
        return void this.finish(id, state);
      }
      if (state.written) this.show(`The file is being made: ${ExportRow.amount(state)} …`, true);
      await new Promise((resolve) => { setTimeout(resolve, time); });
      time = Math.min(1000, time * 2);
    }
  }

  static amount({ written, total }) {
    return total > written ? `${Words.size(written)} of about ${Words.size(total)}` : Words.size(written);
  }

  async look(id) {
    try {
      const answer = await fetch(new URL(`export/${id}`, appWindow.folder));
      if (!answer.ok) return { problem: 'The file is not there any more. Try again.' };
      return await answer.json();
    } catch (error) {
      return { problem: 'hikeshare does not answer.' };
    }
  }

  finish(id, state) {
    if (state.problem) return void this.show(state.problem, false);
    const address = new URL(`export/${id}/${state.path}`, appWindow.folder);
    const link = element('a', { href: address.href, download: state.name, hidden: true });
    this.element.append(link);
    link.click();
    link.remove();
    const note = state.note ? ` ${state.note}` : '';
    this.show(`The browser saves ${Words.apart(state.name)} (${Words.size(state.size)}).${note}`, false);
  }
}

/** The list of files; what is being made ends with the dialog. `more` returns what else is wished when one is saved. */
function exportList(region, files, options, more = () => ({})) {
  const rows = files.map((file) => new ExportRow(region, file, options, more));
  return {
    list: element('ul', { className: 'exports' }, ...rows.map((row) => row.element)),
    end: () => rows.forEach((row) => row.cancel()),
  };
}
