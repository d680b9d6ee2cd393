'use strict';
// Plans a route on the map: a person taps its places, and the program finds the way.

shapes.plan = ['M6 17a2 2 0 1 0 0 4a2 2 0 1 0 0-4M18 3a2 2 0 1 0 0 4a2 2 0 1 0 0-4', 'M8 19h7a3.5 3.5 0 0 0 0-7H9a3.5 3.5 0 0 1 0-7h7'];

/** How far the start or the end may be from a waypoint to be called after it, in metres. */
const namedWithin = 100;

class PlanMode {
  constructor(view) {
    this.view = view;
    this.map = view.map;
    this.tools = view.tools;
    this.plan = new Plan(view, () => this.show());
    this.layer = new PlanLayer(view, this.plan);
    this.panel = new PlanPanel(view, this.plan, () => this.save());
    this.pressMap = (event) => this.enterKey(event);
    this.pressPage = (event) => this.undoKey(event);
    this.tools.addMode('plan', t('Plan a route'), this);
  }

  get isOn() { return this.tools.mode === this; }

  begin() {
    this.view.unselect();
    this.map.getContainer().classList.add('aiming');
    this.map.getContainer().addEventListener('keydown', this.pressMap);
    document.addEventListener('keydown', this.pressPage);
    this.layer.add();
    this.show();
  }

  /** Hides the plan; it is there again when the mode begins the next time. */
  end() {
    this.map.getContainer().classList.remove('aiming');
    this.map.getContainer().removeEventListener('keydown', this.pressMap);
    document.removeEventListener('keydown', this.pressPage);
    this.layer.remove();
    this.panel.show(false);
    this.view.follower.remove();
  }

  buttons() {
    this.undo = element('button', { type: 'button', onclick: () => this.plan.undo() }, t('Undo'));
    this.middle = element('button', { type: 'button', onclick: () => this.tap(this.map.getCenter()) }, t('Add the middle'));
    return [this.middle, this.undo];
  }

  tap(place) {
    if (this.layer.hasDragged) return;
    const other = this.layer.alternative(place);
    if (other === null) this.plan.add(place); else this.plan.choose(other);
  }

  // MARK: Keys

  /** Enter on the map adds the place in its middle. */
  enterKey(event) {
    if (event.key !== 'Enter' || event.target !== this.map.getContainer()) return;
    event.preventDefault();
    this.plan.add(this.map.getCenter());
  }

  /** Backspace and Ctrl+Z take back the last change, but not while a person writes. */
  undoKey(event) {
    const isUndo = event.key === 'Backspace' || (event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey);
    if (!isUndo || event.target.closest('input, textarea, select, dialog') || document.querySelector('dialog[open]')) return;
    event.preventDefault();
    this.plan.undo();
  }

  // MARK: What is shown

  show() {
    if (!this.isOn) return;
    this.layer.draw();
    this.panel.show(true);
    this.undo.disabled = !this.plan.past.length;
    this.middle.disabled = this.plan.isFull;
    const words = this.words();
    if (this.tools.reading.textContent !== words) this.tools.say(words);
  }

  words() {
    const { plan } = this;
    if (!plan.places.length) return t('Tap the start, or move the map.');
    if (plan.places.length === 1) return t('Tap the next place.');
    if (plan.isFull) return t`A route has at most ${mostPlaces} places.`;
    if (plan.way) return PlanWords.brief(plan.way);
    return plan.answer ? t('There is no way.') : '…';
  }

  // MARK: Saving

  /** What the route may be called: after the waypoints at its ends. */
  proposal() {
    const { plan, view } = this;
    const points = plan.points(plan.way);
    const names = [points[0], points.at(-1)].map((end) => {
      const near = view.data.waypoints
        .map(({ label, latitude, longitude }) => ({ label, distance: this.map.distance(end, view.place(latitude, longitude)) }))
        .filter(({ label, distance }) => label && distance <= namedWithin).sort((one, other) => one.distance - other.distance);
      return near[0]?.label;
    });
    return [...new Set(names)].filter(Boolean).join(' – ');
  }

  save() {
    if (!this.plan.way) return;
    const field = element('input', {
      type: 'text', value: this.proposal(), autocomplete: 'off', required: true, maxLength: 300,
    });
    const dialog = appWindow.dialog(t('Save the route'), [
      element('p', { className: 'text' }, Words.facts(PlanWords.facts(this.plan.way))), appWindow.field(t('Name'), field),
    ], { submitWords: t('Save'), cancelWords: t('Cancel'), submit: () => this.send(field.value.trim()) });
    dialog.addEventListener('close', () => { if (!this.isOn) this.button.focus({ preventScroll: true }); });
    field.select();
  }

  /** Saves the route under a name, and shows it with the others. Returns why it was not saved. */
  async send(name) {
    if (!name) return t('A route needs a name.');
    const { key, refusal } = await this.plan.save(name);
    if (refusal) return refusal;
    this.plan.reset();
    this.tools.enter(null);
    await Marking.renew();
    const line = this.view.data.lines.find((each) => each.key === key);
    if (line) this.view.select(line, false);
    passing(t`Saved as a planned route: ${Words.apart(name)}`);
    return '';
  }
}

started.then(() => {
  if (window.view && !window.view.data.region.isAreaUnknown) window.plan = new PlanMode(window.view);
});
