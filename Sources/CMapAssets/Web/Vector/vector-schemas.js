'use strict';
// What vector tiles call things. Each schema says for each kind of feature in which layers of the tiles it is, and which
// features of the layer it is: the style draws kinds, and knows no schema.

const is = (field, ...values) => ['in', ['get', field], ['literal', values]];
const both = (...filters) => ['all', ...filters];
const either = (...filters) => ['any', ...filters];
const line = ['==', ['geometry-type'], 'LineString'];
const area = ['==', ['geometry-type'], 'Polygon'];
const point = ['==', ['geometry-type'], 'Point'];
const named = ['has', 'name'];

/** Contours are an addition to all schemas. Their layers and fields have several names. */
const contours = ['contour', 'contours', 'contour_lines', 'contour-lines', 'elevation'];
const contourHeight = ['to-number', ['coalesce', ['get', 'ele'], ['get', 'height'], ['get', 'elevation'], ['get', 'level'], 0]];

const openMapTiles = {
  name: 'OpenMapTiles',
  layers: ['transportation', 'landcover', 'waterway', 'mountain_peak', 'transportation_name', 'water_name', 'aeroway'],
  label: ['coalesce', ['get', 'name'], ['get', 'name:latin'], ['get', 'name_en']],
  height: ['get', 'ele'],
  tunnel: is('brunnel', 'tunnel'),
  kinds: {
    built: ['landuse', is('class', 'residential', 'suburb', 'neighbourhood', 'commercial', 'industrial', 'retail', 'quarry')],
    wood: ['landcover', is('class', 'wood', 'forest')],
    scrub: ['landcover', both(is('class', 'grass'), is('subclass', 'scrub', 'heath', 'fell', 'tundra'))],
    grass: ['landcover', both(is('class', 'grass'), ['!', is('subclass', 'scrub', 'heath', 'fell', 'tundra')])],
    farmland: ['landcover', is('class', 'farmland')],
    rock: ['landcover', is('class', 'rock')],
    sand: ['landcover', is('class', 'sand')],
    wetland: ['landcover', is('class', 'wetland')],
    glacier: ['landcover', is('class', 'ice')],
    park: ['park', area],
    water: ['water', area],
    river: ['waterway', is('class', 'river', 'canal')],
    stream: ['waterway', ['!', is('class', 'river', 'canal')]],
    building: ['building', area],
    boundary: ['boundary', both(['<=', ['get', 'admin_level'], 4], ['!=', ['get', 'maritime'], 1])],
    motorway: ['transportation', both(line, is('class', 'motorway', 'trunk'))],
    major: ['transportation', both(line, is('class', 'primary', 'secondary', 'tertiary'))],
    minor: ['transportation', both(line, is('class', 'minor', 'service', 'busway', 'raceway'))],
    track: ['transportation', both(line, is('class', 'track'))],
    path: ['transportation', both(line, is('class', 'path', 'pedestrian'))],
    rail: ['transportation', both(line, is('class', 'rail', 'transit'))],
    lift: ['transportation', both(line, is('class', 'aerialway'))],
    ferry: ['transportation', both(line, is('class', 'ferry'))],
    pathName: ['transportation_name', is('class', 'path', 'track')],
    roadName: ['transportation_name', ['!', is('class', 'path', 'track')]],
    waterName: [['water_name', named], ['waterway', named]],
    parkName: ['park', both(point, named)],
    peak: ['mountain_peak', both(point, is('class', 'peak', 'volcano'))],
    saddle: ['mountain_peak', both(point, is('class', 'saddle'))],
    hut: ['poi', is('subclass', 'alpine_hut', 'wilderness_hut')],
    shelter: ['poi', is('subclass', 'shelter', 'basic_hut', 'lean_to')],
    spring: ['poi', either(is('subclass', 'spring', 'drinking_water', 'water_point'), is('class', 'spring', 'drinking_water'))],
    camp: ['poi', is('subclass', 'camp_site', 'caravan_site')],
    view: ['poi', is('subclass', 'viewpoint')],
    parking: ['poi', is('subclass', 'parking')],
    city: ['place', is('class', 'city')],
    town: ['place', is('class', 'town')],
    village: ['place', is('class', 'village', 'suburb', 'borough', 'island')],
    hamlet: ['place', is('class', 'hamlet', 'quarter', 'neighbourhood', 'isolated_dwelling', 'locality')],
  },
};

const shortbread = {
  name: 'Shortbread',
  layers: ['streets', 'land', 'water_polygons', 'water_lines', 'place_labels', 'street_labels', 'ocean', 'sites'],
  label: ['coalesce', ['get', 'name'], ['get', 'name_en']],
  height: ['coalesce', ['get', 'ele'], ['get', 'elevation']],
  tunnel: ['==', ['get', 'tunnel'], true],
  kinds: {
    built: ['land', is('kind', 'residential', 'commercial', 'industrial', 'retail', 'farmyard', 'quarry', 'landfill')],
    wood: ['land', is('kind', 'forest')],
    scrub: ['land', is('kind', 'scrub', 'heath')],
    grass: ['land', is('kind', 'grass', 'grassland', 'meadow', 'park', 'village_green', 'recreation_ground', 'golf_course')],
    farmland: ['land', is('kind', 'farmland', 'orchard', 'vineyard', 'allotments', 'plant_nursery')],
    rock: ['land', is('kind', 'bare_rock', 'scree', 'shingle')],
    sand: ['land', is('kind', 'sand', 'beach')],
    wetland: ['land', is('kind', 'bog', 'marsh', 'swamp', 'string_bog', 'wet_meadow')],
    water: [['ocean', area], ['water_polygons', ['!', is('kind', 'glacier')]]],
    glacier: ['water_polygons', is('kind', 'glacier')],
    river: ['water_lines', is('kind', 'river', 'canal')],
    stream: ['water_lines', ['!', is('kind', 'river', 'canal')]],
    building: ['buildings', area],
    boundary: ['boundaries', both(['<=', ['get', 'admin_level'], 4], ['!=', ['get', 'maritime'], true])],
    motorway: ['streets', is('kind', 'motorway', 'trunk')],
    major: ['streets', is('kind', 'primary', 'secondary', 'tertiary')],
    minor: ['streets', is('kind', 'unclassified', 'residential', 'living_street', 'service', 'road', 'busway')],
    track: ['streets', is('kind', 'track')],
    path: ['streets', is('kind', 'path', 'footway', 'cycleway', 'steps', 'bridleway', 'pedestrian')],
    rail: ['streets', is('kind', 'rail', 'light_rail', 'narrow_gauge', 'funicular', 'tram', 'subway', 'monorail')],
    lift: ['aerialways', line],
    ferry: ['ferries', line],
    pathName: ['street_labels', is('kind', 'path', 'footway', 'track', 'bridleway', 'steps', 'cycleway')],
    roadName: ['street_labels', ['!', is('kind', 'path', 'footway', 'track', 'bridleway', 'steps', 'cycleway')]],
    waterName: [['water_polygons_labels', named], ['water_lines_labels', named]],
    peak: ['pois', is('natural', 'peak', 'volcano')],
    saddle: ['pois', is('natural', 'saddle')],
    hut: ['pois', is('tourism', 'alpine_hut', 'wilderness_hut')],
    shelter: ['pois', is('amenity', 'shelter')],
    spring: ['pois', either(is('amenity', 'drinking_water', 'water_point'), is('natural', 'spring'))],
    camp: ['pois', is('tourism', 'camp_site', 'caravan_site')],
    view: ['pois', is('tourism', 'viewpoint')],
    parking: ['pois', is('amenity', 'parking')],
    city: ['place_labels', is('kind', 'capital', 'state_capital', 'city')],
    town: ['place_labels', is('kind', 'town')],
    village: ['place_labels', is('kind', 'village', 'suburb', 'island')],
    hamlet: ['place_labels', is('kind', 'hamlet', 'quarter', 'neighbourhood', 'isolated_dwelling', 'farm', 'locality')],
  },
};

// Until version 3, the fields of Protomaps had names with a prefix.
const kind = (...values) => ['in', ['coalesce', ['get', 'kind'], ['get', 'pmap:kind'], ''], ['literal', values]];
const detail = (...values) => ['in', ['coalesce', ['get', 'kind_detail'], ['get', 'pmap:kind_detail'], ''], ['literal', values]];

const protomaps = {
  name: 'Protomaps',
  layers: ['earth', 'roads', 'places', 'pois', 'natural', 'physical_line', 'physical_point', 'boundaries', 'transit'],
  label: ['coalesce', ['get', 'name'], ['get', 'name:en'], ['get', 'pgf:name']],
  height: ['coalesce', ['get', 'elevation'], ['get', 'ele']],
  tunnel: either(['==', ['get', 'is_tunnel'], true], ['==', ['get', 'pmap:level'], -1]),
  kinds: {
    built: [['landuse', kind('residential', 'commercial', 'industrial', 'retail', 'quarry')], ['landcover', kind('urban_area')]],
    wood: [['landuse', kind('forest', 'wood')], ['natural', kind('forest', 'wood')], ['landcover', kind('forest')]],
    scrub: [['landuse', kind('scrub', 'heath')], ['natural', kind('scrub', 'heath')], ['landcover', kind('scrub')]],
    grass: [
      ['landuse', kind('grass', 'grassland', 'meadow', 'park', 'village_green', 'golf_course', 'recreation_ground')],
      ['natural', kind('grass', 'grassland', 'meadow')], ['landcover', kind('grassland')],
    ],
    farmland: [['landuse', kind('farmland', 'orchard', 'allotments', 'vineyard')], ['landcover', kind('farmland')]],
    rock: [['landuse', kind('bare_rock', 'scree')], ['natural', kind('bare_rock', 'scree')], ['landcover', kind('barren')]],
    sand: [['landuse', kind('sand', 'beach')], ['natural', kind('sand', 'beach')]],
    wetland: [['landuse', kind('wetland')], ['natural', kind('wetland')]],
    glacier: [['landuse', kind('glacier')], ['natural', kind('glacier')], ['landcover', kind('glacier')]],
    park: ['landuse', kind('national_park', 'nature_reserve', 'protected_area')],
    water: ['water', area],
    river: [['water', both(line, kind('river', 'canal'))], ['physical_line', kind('river', 'canal')]],
    stream: [['water', both(line, kind('stream', 'ditch', 'drain'))], ['physical_line', kind('stream', 'ditch', 'drain')]],
    building: ['buildings', area],
    boundary: ['boundaries', either(kind('country', 'region'), ['<=', ['to-number', ['get', 'pmap:min_admin_level'], 9], 4])],
    motorway: ['roads', either(kind('highway'), detail('trunk'))],
    major: ['roads', both(kind('major_road', 'medium_road'), ['!', detail('trunk')])],
    minor: ['roads', both(kind('minor_road'), ['!', detail('track')])],
    track: ['roads', detail('track')],
    path: ['roads', both(kind('path'), ['!', detail('track')])],
    rail: [['roads', kind('rail')], ['transit', kind('rail', 'light_rail', 'subway', 'tram')]],
    lift: ['roads', both(line, kind('aerialway'))],
    ferry: [['roads', kind('ferry')], ['transit', kind('ferry')]],
    pathName: ['roads', both(named, kind('path'))],
    roadName: ['roads', both(named, ['!', kind('path', 'aerialway', 'rail')])],
    waterName: [['water', both(named, either(point, line))], ['physical_point', named], ['physical_line', named]],
    parkName: ['pois', kind('national_park', 'nature_reserve')],
    peak: [['pois', kind('peak', 'volcano')], ['physical_point', kind('peak', 'volcano')]],
    saddle: ['pois', kind('saddle')],
    hut: ['pois', kind('alpine_hut', 'wilderness_hut')],
    shelter: ['pois', kind('shelter')],
    spring: ['pois', kind('spring', 'drinking_water', 'water_point')],
    camp: ['pois', kind('camp_site', 'caravan_site')],
    view: ['pois', kind('viewpoint')],
    parking: ['pois', kind('parking')],
    city: ['places', both(kind('locality'), detail('city'))],
    town: ['places', both(kind('locality'), detail('town'))],
    village: ['places', both(kind('locality', 'neighbourhood'), detail('village', 'suburb'))],
    hamlet: ['places', both(
      kind('locality', 'neighbourhood', 'macrohood'), ['!', detail('city', 'town', 'village', 'suburb')],
    )],
  },
};

/** Finds the schema of tiles by the names of their layers; null if there is none that has two of them. */
function schemaOf(names) {
  const count = (schema) => schema.layers.filter((name) => names.has(name)).length;
  const [best] = [openMapTiles, shortbread, protomaps].sort((one, other) => count(other) - count(one));
  return count(best) >= 2 ? best : null;
}

/** Returns the names of the layers of a tile, a message of Protocol Buffers. A damaged tile has the names before the damage. */
function layerNames(bytes) {
  const names = [];
  /** Calls `body` with the number, the start and the end of each field that has a length. */
  const fields = (start, end, body) => {
    let position = start;
    const number = () => {
      let [value, factor, byte] = [0, 1, 0x80];
      while (byte & 0x80) {
        if (position >= end || factor > 2 ** 56) throw new Error('damaged');
        byte = bytes[position++];
        value += (byte & 0x7f) * factor;
        factor *= 128;
      }
      return value;
    };
    while (position < end) {
      const key = number();
      const type = key % 8;
      if (type === 0) number();
      else if (type === 1) position += 8;
      else if (type === 5) position += 4;
      else if (type === 2) {
        const length = number();
        if (length > end - position) throw new Error('damaged');
        body(Math.floor(key / 8), position, position + length);
        position += length;
      } else throw new Error('damaged');
    }
  };
  try {
    fields(0, bytes.length, (field, start, end) => {
      if (field !== 3 || names.length >= 30) return;
      fields(start, end, (inner, from, to) => {
        if (inner === 1 && to - from <= 100) names.push(new TextDecoder().decode(bytes.subarray(from, to)));
      });
    });
  } catch {
    // What came before counts.
  }
  return names;
}
