'use strict';
// The length of a line between places that are tapped.

class MeasureMode {
  constructor(view, tools) {
    this.map = view.map;
    this.tools = tools;
    this.points = [];
    const common = { renderer: view.renderer, interactive: false };
    this.line = L.featureGroup([
      L.polyline([], { ...common, color: '#fff', weight: 7 }), L.polyline([], { ...common, color: '#111', weight: 3 }),
    ]);
    this.dots = L.layerGroup();
    this.dot = (place) => L.circleMarker(place, { ...common, radius: 5, color: '#fff', weight: 2, fillColor: '#111', fillOpacity: 1 });
    tools.addMode('measure', t('Measure a distance'), this);
  }

  begin() {
    this.points = [];
    this.line.addTo(this.map);
    this.dots.addTo(this.map);
    this.map.getContainer().classList.add('aiming');
    this.draw();
  }

  end() {
    this.line.remove();
    this.dots.remove();
    this.map.getContainer().classList.remove('aiming');
  }

  buttons() {
    const button = (text, press) => element('button', { type: 'button', onclick: press }, text);
    this.undo = button(t('Undo'), () => { this.points.pop(); this.draw(); });
    return [button(t('Add the middle'), () => this.tap(this.map.getCenter())), this.undo];
  }

  tap(place) {
    this.points.push(place);
    this.draw();
  }

  /** The length of the line, in metres. */
  length() {
    return this.points.reduce((sum, place, index) => sum + (index ? this.map.distance(this.points[index - 1], place) : 0), 0);
  }

  draw() {
    this.line.eachLayer((layer) => layer.setLatLngs(this.points));
    this.dots.clearLayers();
    this.points.forEach((place) => this.dots.addLayer(this.dot(place)));
    this.undo.disabled = !this.points.length;
    if (!this.points.length) this.tools.say(t('Tap the places along a line.'));
    else this.tools.say(`${Words.distance(this.length())} · ${Words.count(this.points.length, 'place')}`);
  }
}
