"""Files to import: maps of random tiles, routing databases, GPX, photos; all in the area of the example region."""
import math, os, shutil, sqlite3

WEST, SOUTH, EAST, NORTH = 1.413, 42.556, 1.5255, 42.6175
ZOOM = 17
EXAMPLE = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "Docs", "example")
PAGE = 4096


def tile_of(longitude, latitude):
    """The column and the row, counted from the south as MBTiles does."""
    count = 2**ZOOM
    y = math.asinh(math.tan(math.radians(latitude)))
    return int((longitude + 180) / 360 * count), count - 1 - int((1 - y / math.pi) / 2 * count)


FIRST_COLUMN, FIRST_ROW = (place + 1 for place in tile_of(WEST, SOUTH))
COLUMNS, ROWS = (last - first for last, first in zip(tile_of(EAST, NORTH), (FIRST_COLUMN, FIRST_ROW)))


def tile(generator, length):
    return b"\x89PNG\r\n\x1a\n" + generator.randbytes(length)


def make_map(path, size, generator):
    """Makes a map of about so many bytes; nothing of it can be compressed or guessed."""
    mean = max(4000, min(30_000, size // 20), size // (COLUMNS * ROWS))
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE metadata (name TEXT, value TEXT)")
        database.execute("CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)")
        database.execute("CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row)")
        database.executemany("INSERT INTO metadata VALUES (?, ?)", [
            ("name", "Soak"), ("format", "png"), ("bounds", f"{WEST},{SOUTH},{EAST},{NORTH}"),
            ("minzoom", str(ZOOM)), ("maxzoom", str(ZOOM))])
        database.executemany("INSERT INTO tiles VALUES (?, ?, ?, ?)", (
            (ZOOM, FIRST_COLUMN + index % COLUMNS, FIRST_ROW + index // COLUMNS,
             tile(generator, generator.randrange(mean // 10, mean * 19 // 10)))
            for index in range(max(1, size // mean))))
    database.close()


def make_newer_map(path, older, generator):
    """Makes a copy of a map in which a twentieth of the tiles is drawn again; returns the bytes of the changed pages."""
    shutil.copy(older, path)
    with sqlite3.connect(path) as database:
        rows = [row for row, in database.execute("SELECT rowid FROM tiles")]
        for row in generator.sample(rows, max(1, len(rows) // 20)):
            length, = database.execute("SELECT length(tile_data) FROM tiles WHERE rowid = ?", (row,)).fetchone()
            drawn = tile(generator, length * generator.randrange(90, 111) // 100)
            database.execute("UPDATE tiles SET tile_data = ? WHERE rowid = ?", (drawn, row))
    database.close()
    changed = 0
    with open(older, "rb") as before, open(path, "rb") as after:
        while page := after.read(PAGE):
            if before.read(PAGE) != page:
                changed += len(page)
    return changed


def make_routing(path, generator):
    """Makes the example's routing database anew, with other costs."""
    shutil.copy(os.path.join(EXAMPLE, "coma-pedrosa.routing.db"), path)
    with sqlite3.connect(path) as database:
        database.execute("UPDATE routing_edges SET cost = cost * ?", (1 + generator.random(),))
    database.close()


def make_photo(path, generator):
    """Makes what passes for a photo."""
    with open(path, "wb") as file:
        file.write(b"\xff\xd8\xff\xe0" + generator.randbytes(generator.randrange(10_000, 100_000)))


def make_gpx(path, generator):
    """Makes waypoints, a recorded track and a planned route."""
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
