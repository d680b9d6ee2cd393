"""Prints what other programs read of files of tracks: a line for each point and for each item, sorted.

tracks.py fit|tcx|geojson|kml|gpx FILE

    place LATITUDE LONGITUDE ELEVATION TIME
    point LATITUDE LONGITUDE ELEVATION TIME HEART-RATE CADENCE SPEED TEMPERATURE SEGMENT
    item KIND NAME NOTE

"-" stands for what is not known. Latitudes and longitudes have six decimals, elevations and values of sensors one, and times are
seconds since 1970. The segments of an item are numbered from 0. Names and notes are in JSON.
"""

import datetime
import json
import sys
import xml.etree.ElementTree


def number(value, form="%.1f"):
    return "-" if value is None else form % float(value)


def line(kind, longitude, latitude, elevation=None, time=None):
    if isinstance(time, str):
        time = datetime.datetime.fromisoformat(time.replace("Z", "+00:00"))
    if isinstance(time, datetime.datetime):
        if time.tzinfo is None:
            time = time.replace(tzinfo=datetime.timezone.utc)
        time = int(time.timestamp() // 1)
    return "%s %.6f %.6f %s %s" % (kind, latitude, longitude, number(elevation), "-" if time is None else time)


def point(position, segment, time=None, heart_rate=None, cadence=None, speed=None, temperature=None):
    values = " ".join(number(value) for value in (heart_rate, cadence, speed, temperature))
    return "%s %s %d" % (line("point", *position[:2], position[2] if len(position) > 2 else None, time), values, segment)


def item(kind, name, note):
    return "item %s %s %s" % (kind, json.dumps(name or ""), json.dumps((note or "").strip()))


def fit(path):
    import fitdecode

    def degrees(number):
        return number * 180 / 2**31

    with fitdecode.FitReader(path, check_crc=fitdecode.CrcCheck.RAISE) as reader:
        is_course, name = False, ""
        segment, is_paused, count = 0, False, 0
        for frame in reader:
            if frame.frame_type != fitdecode.FIT_FRAME_DATA:
                continue

            def value(*names):
                return next((v for v in (frame.get_value(n, fallback=None) for n in names) if v is not None), None)

            if frame.name == "file_id":
                is_course = value("type") == "course"
            if frame.name == "course":
                name = value("name")
            if frame.name == "event" and value("event") == "timer" and value("event_type") in ("stop", "stop_all"):
                is_paused = count > 0
            if frame.name not in ("record", "course_point") or value("position_lat") is None:
                continue
            place = (degrees(value("position_long")), degrees(value("position_lat")))
            if frame.name == "course_point":
                yield line("place", *place)
                yield item("place", value("name"), "")
                continue
            if is_paused:
                segment, is_paused = segment + 1, False
            count += 1
            place = (*place, value("enhanced_altitude", "altitude"))
            if is_course:
                yield point(place, segment)
                continue
            sensors = [value(n) for n in ("heart_rate", "cadence")] + [value("enhanced_speed", "speed"), value("temperature")]
            yield point(place, segment, value("timestamp"), *sensors)
        if count:
            yield item("route" if is_course else "hike", name, "")


def tcx(path):
    from tcxreader.tcxreader import TCXReader

    # The reader does not know which points are between pauses, and what the activity is called.
    tree = xml.etree.ElementTree.parse(path)
    space = {"t": "http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"}
    segments, segment = [], 0
    for lap in tree.iterfind(".//t:Lap", space):
        for index, track in enumerate(lap.iterfind("t:Track", space)):
            segment += index > 0
            segments += [segment] * len(track.findall("t:Trackpoint/t:Position", space))
    points = TCXReader().read(path, only_gps=True, null_value_handling=0).trackpoints
    assert len(points) == len(segments)
    for one, segment in zip(points, segments):
        cadence = one.cadence if one.cadence is not None else one.tpx_ext.get("RunCadence")
        place = (one.longitude, one.latitude, one.elevation)
        yield point(place, segment, one.time, one.hr_value, cadence, one.tpx_ext.get("Speed"))
    yield item("hike", "", tree.findtext(".//t:Activity/t:Notes", "", space))


def geojson(path):
    import geojson

    for feature in geojson.load(open(path, encoding="utf-8"))["features"]:
        geometry, properties = feature["geometry"], feature["properties"]
        kind = geometry["type"]
        note = properties.get("desc", "")
        if kind == "Point":
            yield line("place", *geometry["coordinates"], properties.get("time"))
            yield item("place", properties.get("name"), note)
        if kind in ("LineString", "MultiLineString"):
            parts = geometry["coordinates"] if kind == "MultiLineString" else [geometry["coordinates"]]
            times = properties.get("coordTimes", [])
            rates = properties.get("heartRates", [])
            if kind == "LineString":
                times, rates = [times], [rates]
            for index, part in enumerate(parts):
                for place, position in enumerate(part):
                    def value(lists):
                        return lists[index][place] if index < len(lists) and place < len(lists[index]) else None

                    yield point(position, index, value(times), value(rates))
            yield item("hike" if any(times) else "route", properties.get("name"), note)


def kml(path):
    import fastkml
    from fastkml.gx import MultiTrack, Track
    from fastkml.utils import find_all

    # The reader does not read the values of sensors.
    values = {}
    for array in xml.etree.ElementTree.parse(path).iter("{http://www.google.com/kml/ext/2.2}SimpleArrayData"):
        values.setdefault(array.get("name"), []).extend(value.text for value in array)
    document = fastkml.KML.parse(path, strict=False)
    for place in find_all(document, of_type=fastkml.Placemark):
        shape = place.kml_geometry
        tracks = shape.tracks if isinstance(shape, MultiTrack) else [shape] if isinstance(shape, Track) else None
        if tracks is not None:
            for segment, track in enumerate(tracks):
                for one in track.track_items:
                    when = one.when.dt if one.when else None
                    sensors = [(values.get(name) or [None]).pop(0) for name in ("heartrate", "cadence")]
                    yield point(one.coord.coords[0], segment, when, *sensors)
            yield item("hike", place.name, place.description)
            continue
        geometry = place.geometry
        if geometry.geom_type == "Point":
            time = place.times.timestamp.dt if place.times is not None else None
            yield line("place", *geometry.coords[0], time)
            yield item("place", place.name, place.description)
            continue
        # The points of a line are geometries of their own there, too.
        parts = [geometry] if geometry.geom_type == "LineString" else geometry.geoms
        for segment, part in enumerate(parts):
            for position in part.coords:
                yield point(position, segment)
        yield item("route", place.name, place.description)


def gpx(path):
    space = {"g": "http://www.topografix.com/GPX/1/1", "x": "http://www.garmin.com/xmlschemas/TrackPointExtension/v2"}
    root = xml.etree.ElementTree.parse(path).getroot()

    def position(element):
        return float(element.get("lon")), float(element.get("lat")), element.findtext("g:ele", None, space)

    def text(element, name):
        return element.findtext("g:" + name, None, space)

    def note(element):
        return text(element, "desc") or text(element, "cmt")

    for place in root.iterfind("g:wpt", space):
        yield line("place", *position(place), text(place, "time"))
        yield item("place", text(place, "name"), note(place))
    for route in root.iterfind("g:rte", space):
        for one in route.iterfind("g:rtept", space):
            yield point(position(one), 0, text(one, "time"))
        yield item("route", text(route, "name"), note(route))
    for track in root.iterfind("g:trk", space):
        for segment, part in enumerate(track.iterfind("g:trkseg", space)):
            for one in part.iterfind("g:trkpt", space):
                sensors = [one.findtext(".//x:" + name, None, space) for name in ("hr", "cad", "speed", "atemp")]
                yield point(position(one), segment, text(one, "time"), *sensors)
        yield item("hike", text(track, "name"), note(track))


READERS = {"fit": fit, "tcx": tcx, "geojson": geojson, "kml": kml, "gpx": gpx}
print("\n".join(sorted(READERS[sys.argv[1]](sys.argv[2]))))
