"""Files to send and to import, and whether two are the same."""
import math, os, sqlite3, struct, subprocess

EXAMPLE = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "Docs", "example")
WEST, SOUTH, EAST, NORTH = 1.4, 42.4, 1.8, 42.7
ZOOM = 16
PAGE = 65536
# SQLite never uses the page in which this byte lies.
LOCK_BYTE = 1 << 30
TILE = b"\x89PNG\r\n\x1a\n"


def same(one, other):
    return subprocess.run(["cmp", "-s", one, other], stdin=subprocess.DEVNULL).returncode == 0


def place_of(longitude, latitude):
    """The column and the row, counted from the south as MBTiles does."""
    count = 2**ZOOM
    return (int((longitude + 180) / 360 * count),
            int((1 + math.asinh(math.tan(math.radians(latitude))) / math.pi) / 2 * count))


def make_map(path, size, mean=20_000, page=4096, name="bench"):
    """An MBTiles file of about so many bytes of random tiles, of which nothing can be compressed or guessed."""
    first_column, first_row = (place + 1 for place in place_of(WEST, SOUTH))
    columns = place_of(EAST, NORTH)[0] - first_column
    database = sqlite3.connect(path)
    database.execute(f"PRAGMA page_size={page}")
    database.execute("PRAGMA journal_mode=OFF")
    database.execute("PRAGMA synchronous=OFF")
    database.execute("CREATE TABLE metadata (name TEXT PRIMARY KEY, value TEXT)")
    database.execute("CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB,"
                     " PRIMARY KEY (zoom_level, tile_column, tile_row))")
    database.executemany("INSERT INTO metadata VALUES (?, ?)", [
        ("name", name), ("format", "png"), ("bounds", f"{WEST},{SOUTH},{EAST},{NORTH}"), ("minzoom", str(ZOOM)),
        ("maxzoom", str(ZOOM))])
    database.executemany("INSERT INTO tiles VALUES (?, ?, ?, ?)", (
        (ZOOM, first_column + index % columns, first_row + index // columns, TILE + os.urandom(mean))
        for index in range(max(1, size // mean))))
    database.commit()
    database.close()


def make_sparse_map(path, size):
    """An MBTiles file of so many bytes in which nearly all pages are free ones, so that it takes hardly any space.

    SQLite does not read what is in free pages; only the lists of them are written here, one for each GB.
    """
    make_map(path, 1 << 20, page=PAGE)
    with open(path, "r+b") as file:
        used, count = os.path.getsize(path) // PAGE, size // PAGE
        free = [page for page in range(used + 1, count + 1) if page != LOCK_BYTE // PAGE + 1]
        most = PAGE // 4 - 8
        trunks = [free[start:start + most + 1] for start in range(0, len(free), most + 1)]
        for index, (trunk, *leaves) in enumerate(trunks):
            following = trunks[index + 1][0] if index + 1 < len(trunks) else 0
            file.seek((trunk - 1) * PAGE)
            file.write(struct.pack(f">II{len(leaves)}I", following, len(leaves), *leaves))
        file.seek(28)
        file.write(struct.pack(">III", count, trunks[0][0], len(free)))
        file.truncate(count * PAGE)


def make_gpx(path, points):
    """A recorded track with so many points, one each second, on a hill inside the maps made here."""
    with open(path, "w") as file:
        file.write('<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1" creator="bench" '
                   'xmlns="http://www.topografix.com/GPX/1/1">\n<trk><name>Long way</name><trkseg>\n')
        for index in range(points):
            angle = index * 2 * math.pi / 20_000
            file.write(f'<trkpt lat="{42.55 + 0.1 * math.sin(angle):.7f}" lon="{1.6 + 0.15 * math.cos(angle * 1.01):.7f}">'
                       f"<ele>{2000 + 500 * math.sin(angle * 3):.1f}</ele>"
                       f"<time>2026-0{1 + index // 86400 % 9}-01T{index // 3600 % 24:02}:{index // 60 % 60:02}:{index % 60:02}Z"
                       "</time></trkpt>\n")
        file.write("</trkseg></trk></gpx>\n")
