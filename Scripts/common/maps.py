"""Maps (MBTiles files) of random tiles, which cannot be compressed or predicted."""
import math, sqlite3

PAGE = 4096
PNG = b"\x89PNG\r\n\x1a\n"


def tile_at(zoom, longitude, latitude):
    """The column and the row of a tile; MBTiles counts rows from the south."""
    count = 2**zoom
    return (int((longitude + 180) / 360 * count),
            int((1 + math.asinh(math.tan(math.radians(latitude))) / math.pi) / 2 * count))


class Area:
    """A rectangle of tiles of one zoom level. Maps fill it row by row from the south-west corner."""

    def __init__(self, zoom, west, south, east, north):
        self.zoom, self.bounds = zoom, f"{west},{south},{east},{north}"
        self.first_column, self.first_row = (number + 1 for number in tile_at(zoom, west, south))
        last_column, last_row = tile_at(zoom, east, north)
        self.columns, self.rows = last_column - self.first_column, last_row - self.first_row

    def place(self, index):
        return self.zoom, self.first_column + index % self.columns, self.first_row + index // self.columns


def random_tile(generator, length):
    return PNG + generator.randbytes(length)


def uneven_lengths(count, mean, generator):
    """Draws tile lengths between a tenth and nearly twice the mean."""
    return (generator.randrange(mean // 10, mean * 19 // 10) for _ in range(count))


def make_map(path, name, area, lengths, generator, page=PAGE):
    """Makes a map with one tile for each length."""
    database = sqlite3.connect(path)
    for setting in (f"page_size={page}", "journal_mode=OFF", "synchronous=OFF"):
        database.execute(f"PRAGMA {setting}")
    database.execute("CREATE TABLE metadata (name TEXT, value TEXT)")
    database.execute("CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)")
    database.execute("CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row)")
    database.executemany("INSERT INTO metadata VALUES (?, ?)", [
        ("name", name), ("format", "png"), ("bounds", area.bounds), ("minzoom", str(area.zoom)),
        ("maxzoom", str(area.zoom))])
    database.executemany("INSERT INTO tiles VALUES (?, ?, ?, ?)", (
        (*area.place(index), random_tile(generator, length)) for index, length in enumerate(lengths)))
    database.commit()
    database.close()


def tile_numbers(path):
    """The row ids of a map's tiles."""
    database = sqlite3.connect(path)
    numbers = [number for number, in database.execute("SELECT rowid FROM tiles ORDER BY rowid")]
    database.close()
    return numbers


def redraw(path, numbers, generator):
    """Replaces some tiles of a map by others that are up to a tenth shorter or longer."""
    database = sqlite3.connect(path)
    for number in numbers:
        length, = database.execute("SELECT length(tile_data) FROM tiles WHERE rowid = ?", (number,)).fetchone()
        drawn = random_tile(generator, length * generator.randrange(90, 111) // 100)
        database.execute("UPDATE tiles SET tile_data = ? WHERE rowid = ?", (drawn, number))
    database.commit()
    database.close()


def vacuum(path):
    """Writes a map anew, as SQLite does it."""
    database = sqlite3.connect(path)
    database.execute("VACUUM")
    database.close()


def rewrite(path, target, generator=None, page=PAGE):
    """Writes the tiles of a map to another one: in a random order if there is a generator, with pages of a length."""
    database = sqlite3.connect(target)
    for setting in (f"page_size={page}", "journal_mode=OFF", "synchronous=OFF"):
        database.execute(f"PRAGMA {setting}")
    database.execute("ATTACH ? AS other", (path,))
    schema = database.execute("SELECT sql FROM other.sqlite_master WHERE sql IS NOT NULL ORDER BY rowid").fetchall()
    for statement, in schema:
        database.execute(statement)
    database.execute("INSERT INTO metadata SELECT * FROM other.metadata")
    numbers = [number for number, in database.execute("SELECT rowid FROM other.tiles ORDER BY rowid")]
    if generator:
        generator.shuffle(numbers)
    database.executemany(
        "INSERT INTO tiles SELECT * FROM other.tiles WHERE rowid = ?", ((number,) for number in numbers))
    database.commit()
    database.close()


def changed_bytes(older, newer):
    """The size of the pages of the newer map that differ from the page at the same place in the older map."""
    changed = 0
    with open(older, "rb") as before, open(newer, "rb") as after:
        while page := after.read(PAGE):
            if before.read(PAGE) != page:
                changed += len(page)
    return changed
