'use strict';
// The style of vector maps: what a hiker looks for comes first. Paths and tracks are drawn above roads and stronger than them.

const themes = {
  light: {
    weight: 1, text: 1,
    land: '#f8f6ef', built: '#ece7df', wood: '#cfe2bb', scrub: '#dde8c6', grass: '#eaf0d6', farmland: '#f4eedc',
    rock: '#e3dfd8', sand: '#f5ead0', wetland: '#d6eae2', glacier: '#e2f3fb', water: '#a8d3ec', waterLine: '#5aa3d4',
    building: '#cdc1b4', park: '#5d9a4a', contour: '#b5874f', boundary: '#8e5fa8', casing: '#b3aca0',
    motorway: '#f0a860', major: '#fbdc98', minor: '#ffffff', track: '#85552a', path: '#a03010', pathCasing: '#ffffffcc',
    rail: '#77736e', lift: '#4d4a47', ferry: '#4a86b5', ink: '#22281f', soft: '#4c554a', waterText: '#1c5f91', halo: '#fffffff0',
    sign: '#5b3d22', hut: '#8c1d1d', camp: '#2e7d32', parking: '#3949ab',
  },
  dark: {
    weight: 1, text: 1,
    land: '#232825', built: '#32332f', wood: '#294029', scrub: '#2d3b29', grass: '#2a3528', farmland: '#333228',
    rock: '#3b3c39', sand: '#423c28', wetland: '#26423b', glacier: '#3a4d57', water: '#1b4968', waterLine: '#3f86b8',
    building: '#4d4a45', park: '#5f9350', contour: '#8a7048', boundary: '#a987c2', casing: '#0d100f',
    motorway: '#a5692d', major: '#7d6b38', minor: '#585d59', track: '#cda06c', path: '#ffb287', pathCasing: '#0d100fcc',
    rail: '#8b8985', lift: '#96938f', ferry: '#6aa9d8', ink: '#eef1ec', soft: '#bcc5bd', waterText: '#8fc7f0', halo: '#101412f0',
    sign: '#e8c9a4', hut: '#ff9a8f', camp: '#85d08a', parking: '#9fb0ff',
  },
  sunlight: {
    weight: 1.4, text: 1.15,
    land: '#ffffff', built: '#e6ded4', wood: '#bfe39b', scrub: '#dcefc0', grass: '#f0f8de', farmland: '#fff8dc',
    rock: '#d9d9d9', sand: '#ffedb8', wetland: '#c4ecdd', glacier: '#cfeeff', water: '#66b3f0', waterLine: '#0055b5',
    building: '#948779', park: '#1c7a00', contour: '#8a4b00', boundary: '#6a00a8', casing: '#000000',
    motorway: '#ff8c1a', major: '#ffd23e', minor: '#ffffff', track: '#4d2600', path: '#bb0000', pathCasing: '#ffffff',
    rail: '#000000', lift: '#000000', ferry: '#003f8a', ink: '#000000', soft: '#000000', waterText: '#003a80', halo: '#ffffff',
    sign: '#000000', hut: '#a00000', camp: '#005c00', parking: '#0000a8',
  },
};

/** A number that grows with the zoom level: zoom levels and values in turn. */
const grow = (...stops) => ['interpolate', ['exponential', 1.5], ['zoom'], ...stops];

/** The layers of tiles with features of a kind, and which features: a list of pairs. */
function placesOf(schema, kind) {
  const places = schema.kinds[kind] ?? [];
  return places.length && !Array.isArray(places[0]) ? [places] : places;
}

/** Returns the layers of the style that draw a schema with the colours of a theme. */
function styleLayers(schema, theme, themeName) {
  const layers = [];
  const width = (...stops) => grow(...stops.map((value, index) => (index % 2 ? value * theme.weight : value)));
  const add = (kind, type, paint, layout = {}, minzoom = 0) => {
    placesOf(schema, kind).forEach(([layer, filter]) => layers.push({
      id: `${kind}-${type}-${layers.length}`, type, source: 'map', 'source-layer': layer, minzoom, filter, paint, layout,
    }));
  };
  const fill = (kind, color, opacity = 1) => add(kind, 'fill', { 'fill-color': color, 'fill-opacity': opacity });
  const round = { 'line-cap': 'round', 'line-join': 'round' };
  const stroke = (kind, color, lineWidth, { dash, opacity = 1, minzoom } = {}) => add(kind, 'line', {
    'line-color': color, 'line-width': lineWidth, 'line-opacity': opacity, ...(dash ? { 'line-dasharray': dash } : {}),
  }, dash ? { 'line-join': 'round' } : round, minzoom);
  const faint = ['case', schema.tunnel, 0.35, 1];

  layers.push({ id: 'land', type: 'background', paint: { 'background-color': theme.land } });
  const grounds = ['built', 'farmland', 'grass', 'scrub', 'wood', 'rock', 'sand', 'wetland', 'glacier'];
  for (const kind of grounds) fill(kind, theme[kind]);
  stroke('glacier', theme.waterLine, width(8, 0.3, 14, 0.8), { opacity: 0.6 });
  stroke('park', theme.park, width(8, 1, 14, 3), { opacity: 0.45 });
  stroke('stream', theme.waterLine, width(11, 0.5, 14, 1.2, 18, 4));
  stroke('river', theme.waterLine, width(7, 0.6, 12, 1.8, 18, 10));
  fill('water', theme.water);
  stroke('water', theme.waterLine, width(9, 0.3, 14, 1));
  for (const layer of contours) {
    layers.push({
      id: `contour-${layer}`, type: 'line', source: 'map', 'source-layer': layer, minzoom: 10, filter: line,
      paint: {
        'line-color': theme.contour,
        'line-width': ['case', ['==', ['%', contourHeight, 100], 0], 1.1 * theme.weight, 0.5 * theme.weight],
        'line-opacity': ['interpolate', ['linear'], ['zoom'], 10, 0.25, 14, 0.75],
      },
    });
  }
  add('building', 'fill', { 'fill-color': theme.building }, {}, 13);
  stroke('ferry', theme.ferry, width(8, 0.8, 14, 1.5), { dash: [4, 3] });
  stroke('boundary', theme.boundary, width(5, 0.8, 14, 2), { dash: [5, 2, 1, 2], opacity: 0.7 });

  // Roads are as narrow as they can be seen, so that paths stand out.
  const roads = [
    ['minor', width(11, 0.4, 14, 2.2, 18, 11), 11], ['major', width(8, 0.8, 14, 3.4, 18, 14), 7],
    ['motorway', width(5, 0.8, 14, 4.4, 18, 18), 4],
  ];
  const wider = (lineWidth, by) => lineWidth.map((value, index) => (index > 3 && index % 2 === 0 ? value + by : value));
  for (const [kind, lineWidth, minzoom] of roads) {
    stroke(kind, theme.casing, wider(lineWidth, 1.2 * theme.weight), { opacity: faint, minzoom });
  }
  for (const [kind, lineWidth, minzoom] of roads) stroke(kind, theme[kind], lineWidth, { opacity: faint, minzoom });
  stroke('rail', theme.rail, width(9, 0.6, 14, 1.6, 18, 4), { opacity: faint });
  stroke('rail', theme.rail, width(12, 1.5, 14, 4, 18, 9), { dash: [0.25, 2.5], opacity: faint, minzoom: 12 });
  const [trackWidth, pathWidth] = [width(11, 1, 14, 2.6, 18, 7), width(11, 1, 14, 2.8, 18, 7)];
  stroke('track', theme.pathCasing, wider(trackWidth, 2.2), { minzoom: 13 });
  stroke('path', theme.pathCasing, wider(pathWidth, 2.2), { minzoom: 13 });
  stroke('track', theme.track, trackWidth, { dash: [5, 1.2], minzoom: 11 });
  stroke('path', theme.path, pathWidth, { dash: [2, 1], minzoom: 11 });
  stroke('lift', theme.lift, width(11, 0.8, 14, 1.4, 18, 3), { minzoom: 11 });
  stroke('lift', theme.lift, width(12, 3, 14, 6, 18, 12), { dash: [0.3, 5], minzoom: 12 });
  layers.push(...labelLayers(schema, theme, themeName));
  return layers;
}

/** Returns the layers with names and signs. Those that come last win where there is no room for all. */
function labelLayers(schema, theme, themeName) {
  const layers = [];
  const name = schema.label;
  const size = (...stops) => ['interpolate', ['linear'], ['zoom'],
    ...stops.map((value, index) => (index % 2 ? value * theme.text : value))];
  const add = (kind, minzoom, layout, color, shape = null) => {
    placesOf(schema, kind).forEach(([layer, filter]) => layers.push({
      id: `${kind}-symbol-${layers.length}`, type: 'symbol', source: 'map', 'source-layer': layer, minzoom,
      filter: shape ? both(filter, shape) : filter,
      layout: { 'text-font': ['sans-serif'], 'text-max-width': 8, 'text-padding': 4, ...layout },
      paint: { 'text-color': color, 'text-halo-color': theme.halo, 'text-halo-width': 1.6 },
    }));
  };
  const along = { 'symbol-placement': 'line', 'text-field': name, 'text-max-angle': 35, 'symbol-spacing': 350 };
  for (const layer of contours) {
    layers.push({
      id: `contour-label-${layer}`, type: 'symbol', source: 'map', 'source-layer': layer, minzoom: 12,
      filter: both(line, ['==', ['%', contourHeight, 100], 0]),
      layout: { ...along, 'text-font': ['sans-serif'], 'text-field': ['to-string', contourHeight], 'text-size': 10 * theme.text },
      paint: { 'text-color': theme.contour, 'text-halo-color': theme.halo, 'text-halo-width': 1.4 },
    });
  }
  add('roadName', 13, { ...along, 'text-size': size(13, 10, 17, 13) }, theme.soft);
  add('pathName', 13, { ...along, 'text-size': size(13, 10.5, 17, 13), 'text-offset': [0, -0.9] }, theme.path);
  add('parkName', 9, { 'text-field': name, 'text-size': size(9, 10, 14, 13) }, theme.park);
  const sign = (kind, minzoom, withName = true) => add(kind, minzoom, {
    'icon-image': `${kind}-${themeName}`, 'icon-size': size(12, 0.75, 15, 1), 'icon-padding': 1,
    ...(withName ? {
      'text-field': name, 'text-size': size(12, 10.5, 16, 12.5), 'text-anchor': 'top', 'text-offset': [0, 0.75],
      'text-optional': true,
    } : {}),
  }, theme.ink);
  sign('parking', 14, false);
  sign('view', 13);
  sign('camp', 12);
  sign('saddle', 12);
  sign('shelter', 12);
  // Names of rivers follow them; names of lakes are in their middle.
  const waterSize = { 'text-field': name, 'text-size': size(10, 10, 16, 13) };
  add('waterName', 10, waterSize, theme.waterText, point);
  add('waterName', 12, { ...along, ...waterSize, 'symbol-spacing': 400 }, theme.waterText, line);
  sign('spring', 13, false);
  add('hamlet', 12, { 'text-field': name, 'text-size': size(12, 10.5, 16, 13) }, theme.soft);
  const metres = ['round', ['to-number', schema.height, 0]];
  const height = ['case', ['!=', metres, 0], ['concat', ['to-string', metres], ' m'], ''];
  add('peak', 10, {
    'icon-image': `peak-${themeName}`, 'icon-size': size(10, 0.55, 14, 0.85), 'icon-padding': 0,
    'text-field': ['format', ['coalesce', name, ''], {}, '\n', {}, height, { 'font-scale': 0.9 }],
    'text-size': size(10, 10.5, 16, 13), 'text-anchor': 'top', 'text-offset': [0, 0.6], 'text-optional': true,
    'symbol-sort-key': ['-', 0, metres],
  }, theme.sign);
  sign('hut', 11);
  add('village', 9, { 'text-field': name, 'text-size': size(9, 10.5, 14, 14.5) }, theme.ink);
  add('town', 7, { 'text-field': name, 'text-size': size(7, 11, 14, 17) }, theme.ink);
  add('city', 4, { 'text-field': name, 'text-size': size(4, 11, 12, 19) }, theme.ink);
  return layers;
}

/** Returns the layers for tiles of a schema that is not known: lines and areas in grey, and names where there are. */
function plainLayers(names, theme) {
  const common = (name, type, filter, paint, layout = {}) => ({
    id: `${name}-${type}`, type, source: 'map', 'source-layer': name, filter, paint, layout,
  });
  return [
    { id: 'land', type: 'background', paint: { 'background-color': theme.land } },
    ...names.map((name) => common(name, 'fill', area, { 'fill-color': theme.soft, 'fill-opacity': 0.12 })),
    ...names.map((name) => common(name, 'line', ['!=', ['geometry-type'], 'Point'], {
      'line-color': theme.soft, 'line-width': 1 * theme.weight, 'line-opacity': 0.7,
    })),
    ...names.map((name) => common(name, 'circle', point, { 'circle-color': theme.soft, 'circle-radius': 3 * theme.weight })),
    ...names.map((name) => common(name, 'symbol', ['all', point, named], {
      'text-color': theme.ink, 'text-halo-color': theme.halo, 'text-halo-width': 1.6,
    }, {
      'text-field': ['get', 'name'], 'text-font': ['sans-serif'], 'text-size': 11 * theme.text, 'text-anchor': 'top',
      'text-offset': [0, 0.5],
    })),
  ];
}
