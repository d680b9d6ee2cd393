"""Files to import: maps, routing databases, GPX files, photos; all in the area of the example region."""
import os, shutil, sqlite3

from common import maps
from common.paths import EXAMPLE

WEST, SOUTH, EAST, NORTH = 1.413, 42.556, 1.5255, 42.6175
AREA = maps.Area(17, WEST, SOUTH, EAST, NORTH)


def make_map(path, size, generator):
    """Makes a map of about so many bytes that fits into the area."""
    mean = max(4000, min(30_000, size // 20), size // (AREA.columns * AREA.rows))
    maps.make_map(path, "Soak", AREA, maps.uneven_lengths(max(1, size // mean), mean, generator), generator)


def make_newer_map(path, older, generator):
    """Makes a copy of a map with a twentieth of the tiles redrawn; returns the bytes of the changed pages."""
    shutil.copy(older, path)
    numbers = maps.tile_numbers(path)
    maps.redraw(path, generator.sample(numbers, max(1, len(numbers) // 20)), generator)
    return maps.changed_bytes(older, path)


def make_routing(path, generator):
    """Makes a copy of the example's routing database with other costs."""
    shutil.copy(os.path.join(EXAMPLE, "coma-pedrosa.routing.db"), path)
    with sqlite3.connect(path) as database:
        database.execute("UPDATE routing_edges SET cost = cost * ?", (1 + generator.random(),))
    database.close()


def make_photo(path, generator):
    """Makes a file that begins like a photo."""
    with open(path, "wb") as file:
        file.write(b"\xff\xd8\xff\xe0" + generator.randbytes(generator.randrange(10_000, 100_000)))


def make_gpx(path, generator):
    """Makes a GPX file with waypoints, a recorded track and a planned route."""
    def place():
        return (f'lat="{generator.uniform(SOUTH + 0.01, NORTH - 0.01):.6f}" '
                f'lon="{generator.uniform(WEST + 0.01, EAST - 0.01):.6f}"')
    word = f"{generator.randrange(1 << 32):08x}"
    day = f"2026-{generator.randrange(1, 10):02}-{generator.randrange(1, 29):02}"
    waypoints = "".join(f"<wpt {place()}><ele>2000</ele><time>{day}T07:00:00Z</time><name>Hut {word} {index}</name></wpt>\n"
                        for index in range(generator.randrange(1, 30)))
    route = "".join(f"<rtept {place()}/>" for _ in range(20))
    track = "".join(f"<trkpt {place()}><ele>{1800 + index}</ele><time>{day}T{8 + index // 60:02}:{index % 60:02}:00Z</time>"
                    "</trkpt>\n" for index in range(200))
    with open(path, "w") as file:
        file.write('<?xml version="1.0" encoding="UTF-8"?>\n'
                   '<gpx version="1.1" creator="soak" xmlns="http://www.topografix.com/GPX/1/1">\n'
                   f"{waypoints}<rte><name>Planned {word}</name>{route}</rte>\n"
                   f"<trk><name>Walked {word}</name><trkseg>{track}</trkseg></trk></gpx>\n")
