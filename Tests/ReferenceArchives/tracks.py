"""Prints what other programs read of files of tracks: a line for each point, sorted.

tracks.py fit|tcx|geojson|kml FILE    prints "place" or "point", latitude, longitude, elevation and time, "-" for what is not known

Latitudes and longitudes have six decimals, elevations one, and times are seconds since 1970.
"""

import datetime
import sys


def line(kind, longitude, latitude, elevation=None, time=None):
    if isinstance(time, datetime.datetime):
        if time.tzinfo is None:
            time = time.replace(tzinfo=datetime.timezone.utc)
        time = int(time.timestamp() // 1)
    height = "-" if elevation is None else "%.1f" % elevation
    return "%s %.6f %.6f %s %s" % (kind, latitude, longitude, height, "-" if time is None else time)


def fit(path):
    import fitdecode

    def degrees(number):
        return number * 180 / 2**31

    with fitdecode.FitReader(path, check_crc=fitdecode.CrcCheck.RAISE) as reader:
        is_course = False
        for frame in reader:
            if frame.frame_type != fitdecode.FIT_FRAME_DATA:
                continue

            def value(name):
                return frame.get_value(name, fallback=None)

            if frame.name == "file_id":
                is_course = value("type") == "course"
            if frame.name not in ("record", "course_point") or value("position_lat") is None:
                continue
            place = (degrees(value("position_long")), degrees(value("position_lat")))
            if frame.name == "course_point":
                yield line("place", *place)
                continue
            elevation = value("enhanced_altitude")
            if elevation is None:
                elevation = value("altitude")
            yield line("point", *place, elevation, None if is_course else value("timestamp"))


def tcx(path):
    from tcxreader.tcxreader import TCXReader

    for point in TCXReader().read(path, only_gps=True, null_value_handling=0).trackpoints:
        yield line("point", point.longitude, point.latitude, point.elevation, point.time)


def geojson(path):
    import geojson

    for feature in geojson.load(open(path, encoding="utf-8"))["features"]:
        geometry = feature["geometry"]
        kind = {"Point": "place", "LineString": "point", "MultiLineString": "point"}.get(geometry["type"])
        if kind:
            for position in geojson.utils.coords(geometry):
                yield line(kind, *position)


def kml(path):
    import fastkml
    from fastkml.gx import MultiTrack, Track
    from fastkml.utils import find_all

    document = fastkml.KML.parse(path, strict=False)
    for place in find_all(document, of_type=fastkml.Placemark):
        shape = place.kml_geometry
        tracks = shape.tracks if isinstance(shape, MultiTrack) else [shape] if isinstance(shape, Track) else None
        if tracks is not None:
            for track in tracks:
                for item in track.track_items:
                    when = item.when.dt if item.when else None
                    yield line("point", *item.coord.coords[0], when)
            continue
        kind = {"Point": "place", "LineString": "point"}.get(place.geometry.geom_type)
        if kind:
            for position in place.geometry.coords:
                yield line(kind, *position)


print("\n".join(sorted({"fit": fit, "tcx": tcx, "geojson": geojson, "kml": kml}[sys.argv[1]](sys.argv[2]))))
