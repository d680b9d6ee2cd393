'use strict';
// What the map shows of a plan: the ways, and the places, which can be dragged, and so can the line between them.

/** How near a pointer must be to a line to mean it, in pixels. */
const isCoarsePointer = window.matchMedia('(pointer: coarse)').matches;
const lineReach = isCoarsePointer ? 18 : 10;

class PlanLayer {
  constructor(view, plan) {
    this.view = view;
    this.map = view.map;
    this.plan = plan;
    this.group = L.layerGroup();
    this.handles = [];
    // Where a drag would take hold of the line.
    this.ghost = L.circleMarker([0, 0], {
      pane: 'follower', interactive: false, radius: 7, color: '#6a1b9a', weight: 3, fillColor: '#fff', fillOpacity: 1,
    });
    this.follow = (event) => this.hover(event);
    this.press = (event) => this.begins(event);
    this.project = () => this.measure();
    // Whether the next click belongs to a drag.
    this.hasDragged = false;
  }

  add() {
    this.group.addTo(this.map);
    this.map.on('mousemove', this.follow);
    this.map.on('zoomend', this.project);
    // Before the map takes hold of itself.
    this.map.getContainer().addEventListener('pointerdown', this.press, true);
    this.draw();
  }

  remove() {
    this.cancel?.();
    this.map.off('mousemove', this.follow);
    this.map.off('zoomend', this.project);
    this.map.getContainer().removeEventListener('pointerdown', this.press, true);
    this.group.remove();
    this.ghost.remove();
    this.handles.forEach((handle) => handle.remove());
    this.handles = [];
  }

  // MARK: Drawing

  draw() {
    const { plan, group } = this;
    group.clearLayers();
    this.lines = plan.ways.map((way) => plan.points(way));
    this.lines.forEach((points, index) => { if (index !== plan.chosen) this.drawLine(points, plan.ways[index], false); });
    if (plan.way) this.drawLine(this.lines[plan.chosen], plan.way, true);
    this.drawApproaches();
    this.drawGap();
    this.measure();
    this.drawHandles();
  }

  drawLine(points, { isStraight }, isChosen) {
    const common = { renderer: this.view.renderer, interactive: false, lineCap: 'round', lineJoin: 'round' };
    const weight = isChosen ? 5 : 3;
    this.group.addLayer(L.polyline(points, { ...common, color: '#fff', weight: weight + 4, opacity: isChosen ? 0.9 : 0.7 }));
    this.group.addLayer(L.polyline(points, {
      ...common, color: isChosen ? '#6a1b9a' : '#7e57a0', weight, dashArray: isStraight ? '3 9' : null,
    }));
  }

  /** Shows how the places are joined to the way, which goes past them. */
  drawApproaches() {
    const { plan, group } = this;
    if (!plan.way || plan.known !== plan.asked) return;
    const points = this.lines[plan.chosen];
    Plan.passed(points, plan.places).forEach((at, index) => {
      if (this.map.distance(points[at], plan.places[index]) < 10) return;
      group.addLayer(L.polyline([plan.places[index], points[at]], {
        renderer: this.view.renderer, interactive: false, color: '#1d2320', weight: 2, dashArray: '2 6',
      }));
    });
  }

  /** Shows where the ways end that lead towards a place. */
  drawGap() {
    const problem = this.plan.answer?.problem;
    if (!problem?.reached) return;
    const end = this.view.place(...problem.reached);
    const common = { renderer: this.view.renderer, interactive: false, color: '#b3261e', weight: 3 };
    this.group.addLayer(L.polyline([end, this.plan.places[problem.place + 1]], { ...common, dashArray: '3 9' }));
    this.group.addLayer(L.circleMarker(end, { ...common, radius: 8, fillColor: '#fff', fillOpacity: 1 }));
  }

  drawHandles() {
    const { places } = this.plan;
    while (this.handles.length > places.length) this.handles.pop().remove();
    while (this.handles.length < places.length) this.handles.push(this.makeHandle(this.handles.length).addTo(this.map));
    this.handles.forEach((handle, index) => {
      if (!handle.isHeld) handle.setLatLng(places[index]);
      const made = handle.getElement();
      made.firstChild.textContent = index + 1;
      made.classList.toggle('start', !index);
      made.classList.toggle('end', index > 0 && index === places.length - 1);
      const [number, count] = [index + 1, places.length];
      made.setAttribute('aria-label', t`Place ${number} of ${count}. The arrow keys move it, Delete removes it.`);
    });
  }

  /** A place that is dragged, or moved with the arrow keys. */
  makeHandle(index) {
    const { plan } = this;
    const handle = L.marker(plan.places[index], {
      icon: L.divIcon({ className: 'plan-handle', iconSize: [44, 44], html: '<span></span>' }), draggable: true, autoPan: true,
      zIndexOffset: 1000,
    });
    handle.on('dragstart', () => {
      handle.isHeld = true;
      plan.remember();
    });
    handle.on('drag', () => plan.move(index, handle.getLatLng(), true));
    handle.on('dragend', () => {
      handle.isHeld = false;
      this.swallow();
      plan.move(index, handle.getLatLng());
    });
    handle.on('click', () => this.ask(index, handle));
    handle.on('add', () => {
      handle.getElement().setAttribute('role', 'button');
      handle.getElement().addEventListener('keydown', (event) => this.steer(event, index, handle));
    });
    return handle;
  }

  /** Moves or removes a place with the keyboard. */
  steer(event, index, handle) {
    const act = { Delete: () => this.removePlace(index), Enter: () => this.ask(index, handle), ' ': () => this.ask(index, handle) }[event.key];
    if (act) {
      event.preventDefault();
      event.stopPropagation();
      act();
      return;
    }
    const step = event.shiftKey ? 1 : 10;
    const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    this.plan.remember();
    this.plan.move(index, this.map.containerPointToLatLng(this.map.latLngToContainerPoint(handle.getLatLng()).add(by)));
  }

  removePlace(index) {
    this.map.closePopup();
    this.plan.remove(index);
    const next = this.handles[Math.min(index, this.handles.length - 1)]?.getElement() ?? this.map.getContainer();
    next.focus({ preventScroll: true });
  }

  /** Offers what can be done with a place. */
  ask(index, handle) {
    const { plan } = this;
    const button = (words, press) => element('button', { type: 'button', onclick: press }, words);
    const back = !index && plan.places.length > 1 && !plan.isFull && button(t('Walk back to here'), () => {
      this.map.closePopup();
      plan.add(plan.places[0]);
    });
    const number = index + 1;
    const remove = button(t('Remove the place'), () => this.removePlace(index));
    const content = element(
      'div', { className: 'waypoint' }, element('h2', {}, t`Place ${number}`), element('p', { className: 'answers' }, remove, back || null),
    );
    const minWidth = Math.min(200, this.view.waypoints.popupWidth());
    const popup = L.popup({ ...this.view.popupPlace(), offset: [0, -12], minWidth }).setLatLng(handle.getLatLng())
      .setContent(content).openOn(this.map);
    remove.focus({ preventScroll: true });
    popup.on('remove', () => handle.getElement()?.focus({ preventScroll: true }));
  }

  /** Lets the click at the end of a drag mean nothing. */
  swallow() {
    this.hasDragged = true;
    setTimeout(() => { this.hasDragged = false; }, 100);
  }

  // MARK: The line under the pointer

  /** Where the lines are on the screen. A map that is moved moves them too. */
  measure() {
    const zoom = this.map.getZoom();
    this.pixels = (this.lines ?? []).map((points) => points.map((point) => this.map.project(point, zoom)));
  }

  /** Where a line is near a place: the number of the segment and the place on it; null if it is not. */
  near(place, line) {
    const pixels = this.pixels[line] ?? [];
    const target = this.map.project(place, this.map.getZoom());
    let [found, least] = [null, lineReach];
    for (let index = 0; index + 1 < pixels.length; index += 1) {
      const on = L.LineUtil.closestPointOnSegment(target, pixels[index], pixels[index + 1]);
      const distance = on.distanceTo(target);
      if (distance < least) [found, least] = [{ index, on }, distance];
    }
    return found && { index: found.index, place: this.map.unproject(found.on, this.map.getZoom()) };
  }

  /** The number of the alternative at a place; null for none. */
  alternative(place) {
    if (this.near(place, this.plan.chosen)) return null;
    const found = this.plan.ways.findIndex((way, index) => index !== this.plan.chosen && this.near(place, index));
    return found < 0 ? null : found;
  }

  hover({ latlng, originalEvent }) {
    const isFree = originalEvent.target.closest('.leaflet-marker-icon, .leaflet-popup, .leaflet-control') === null;
    const hit = this.plan.way && !this.plan.isFull && isFree && this.near(latlng, this.plan.chosen);
    if (hit) this.ghost.setLatLng(hit.place).addTo(this.map); else this.ghost.remove();
  }

  /** Drags the line: a new place is where it is let go. */
  begins(event) {
    if (!event.isPrimary) return this.cancel?.();
    const isOther = event.target.closest('.leaflet-control, .leaflet-marker-icon, .leaflet-popup');
    if (isOther || event.button || this.plan.isFull || !this.plan.way) return undefined;
    const hit = this.near(this.map.mouseEventToLatLng(event), this.plan.chosen);
    if (!hit) return undefined;
    const passed = Plan.passed(this.lines[this.plan.chosen], this.plan.places);
    const index = passed.filter((each) => each <= hit.index).length;
    let isDragged = false;
    const from = [event.clientX, event.clientY];
    this.map.dragging.disable();
    this.map.getContainer().classList.add('drawing');
    const move = (moved) => {
      if (!moved.isPrimary || (!isDragged && Math.hypot(moved.clientX - from[0], moved.clientY - from[1]) < 6)) return;
      const place = this.map.mouseEventToLatLng(moved);
      if (isDragged) this.plan.move(index, place, true); else this.plan.insert(index, place);
      isDragged = true;
    };
    const names = { pointermove: move, pointerup: () => this.cancel?.(), pointercancel: () => this.cancel?.() };
    this.cancel = () => {
      for (const [name, act] of Object.entries(names)) window.removeEventListener(name, act);
      this.cancel = null;
      this.map.dragging.enable();
      this.map.getContainer().classList.remove('drawing');
      if (!isDragged) return;
      this.plan.move(index, this.plan.places[index]);
      this.swallow();
    };
    for (const [name, act] of Object.entries(names)) window.addEventListener(name, act);
    return undefined;
  }
}
