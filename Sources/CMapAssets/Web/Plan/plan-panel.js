'use strict';
// What is known of the way that is planned, below the map: its figures, what it consists of, its profile, and others to choose.

class PlanPanel {
  constructor(view, plan, save) {
    [this.view, this.plan] = [view, plan];
    this.save = appWindow.button(t('Save the route …'), 'action', save);
    this.clear = appWindow.button(t('Clear'), '', () => {
      plan.clear();
      view.map.getContainer().focus({ preventScroll: true });
    });
    this.facts = element('h2', {});
    this.height = 0;
    this.problem = element('p', { className: 'problem', role: 'alert' });
    this.notes = element('div', {});
    this.choices = element('div', { className: 'choices', role: 'group', 'aria-label': t('Ways to choose from') });
    this.profile = element('div', { className: 'height' });
    this.element = element(
      'section', { id: 'plan', 'aria-label': t('The route that you plan'), hidden: true },
      element('div', { className: 'title' }, this.facts, this.save, this.clear), this.problem, this.notes, this.choices, this.profile,
    );
    document.getElementById('details').after(this.element);
  }

  /** Shows the plan as it is, or nothing of it. */
  show(isOn) {
    this.element.hidden = !isOn || !(this.plan.answer && this.plan.places.length > 1);
    if (this.element.hidden) this.view.follower.remove(); else this.fill();
    const height = this.element.offsetHeight;
    if (height === this.height) return;
    const isNew = !this.height;
    this.height = height;
    // The places stay where they are on the screen.
    this.view.map.invalidateSize({ pan: false });
    if (isNew && this.plan.way) this.bringIntoView();
  }

  /** Moves the map if what has come up covers a part of the way. */
  bringIntoView() {
    const { map, tools } = this.view;
    const box = L.latLngBounds([...this.plan.points(this.plan.way), ...this.plan.places]);
    const [topLeft, bottomRight] = [[60, 64], [30, tools.bar.offsetHeight + 40]];
    const free = L.bounds(topLeft, map.getSize().subtract(bottomRight));
    const shown = L.bounds([box.getNorthWest(), box.getSouthEast()].map((corner) => map.latLngToContainerPoint(corner)));
    const isLow = map.getSize().y < topLeft[1] + bottomRight[1] + 40;
    if (isLow || free.contains(shown)) return;
    map.fitBounds(box, { paddingTopLeft: topLeft, paddingBottomRight: bottomRight, maxZoom: map.getZoom(), animate: false });
  }

  fill() {
    const { plan, view } = this;
    const { way, answer } = plan;
    const problem = PlanWords.problem(answer);
    if (this.problem.textContent !== problem) this.problem.textContent = problem;
    this.save.hidden = !way;
    this.facts.textContent = way ? Words.facts(PlanWords.facts(way)) : t('There is no way.');
    this.notes.replaceChildren(...(way ? this.sentences(way) : []).map((words) => element('p', {}, words)));
    this.showChoices();
    if (way === this.shown) return;
    this.shown = way;
    view.follower.remove();
    this.profile.replaceChildren(...(way?.profile
      ? [new Profile(way.profile, way.distance, (sample) => view.mark(sample)).element] : []));
  }

  /** What a person should know of a way, the hardest part first. */
  sentences(way) {
    const { answer } = this.plan;
    return [
      way.isStraight && !answer.hasGraph && t('No routing data: straight lines between the places.'),
      PlanWords.hardest(way),
      way.isStraight ? '' : Words.facts(way.parts.map(PlanWords.part)),
      answer.leavesMap && t('The way goes beyond the tiles of this map.'),
    ].filter(Boolean);
  }

  showChoices() {
    const { ways, chosen } = this.plan;
    this.choices.hidden = ways.length < 2;
    if (this.choices.hidden) return void this.choices.replaceChildren();
    if (this.choices.children.length !== ways.length) {
      this.choices.replaceChildren(...ways.map((way, index) => element('button', { type: 'button', onclick: () => this.plan.choose(index) })));
    }
    ways.forEach((way, index) => {
      const button = this.choices.children[index];
      const number = index + 1;
      const words = `${t`Way ${number}`}: ${PlanWords.brief(way)}`;
      if (button.textContent !== words) button.textContent = words;
      button.setAttribute('aria-pressed', String(index === chosen));
    });
  }
}
