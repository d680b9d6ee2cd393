"""Makes pairs of maps of all forms that MBTiles files have, and counts how their tiles differ, without the program.

  maps.py make SEED FOLDER      writes old.mbtiles, new.mbtiles and other.mbtiles, and prints what is expected
  maps.py compare OLD NEW       prints how the tiles of NEW differ from those of OLD

A tile is a place (zoom level, column, row) at which a program that asks for it finds bytes.
"""
import json
import os
import random
import sqlite3
import sys

PNG = b"\x89PNG\r\n\x1a\n"
LENGTHS = [1, 40, 55, 56, 64, 300, 3000, 5000, 12000]


def tiles(path):
    """The tiles of a map by their places."""
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    places = {tuple(row) for row in database.execute("SELECT zoom_level, tile_column, tile_row FROM tiles")}
    found = {}
    for place in places:
        row = database.execute(
            "SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ? "
            "AND typeof(tile_data) = 'blob' AND length(tile_data) > 0 LIMIT 1", place).fetchone()
        if row:
            found[place] = row[0]
    database.close()
    return found


def compare(old, new):
    """The numbers that the program tells."""
    changed = [place for place in new if place in old and old[place] != new[place]]
    added = [place for place in new if place not in old]
    gone = [place for place in old if place not in new]
    return {
        "tiles": len(new), "oldTiles": len(old), "newTiles": len(changed) + len(added), "addedTiles": len(added),
        "goneTiles": len(gone), "goneZooms": sorted({place[0] for place in gone}),
        "unionTiles": len(set(old) | set(new)),
    }


def first_map(random):
    """A map with repeated tiles, of three zoom levels."""
    sea = PNG + random.randbytes(random.choice(LENGTHS))
    found = {}
    for zoom in (8, 9, 10):
        size = 2 << (zoom - 8)
        for column in range(136 << (zoom - 8), (136 << (zoom - 8)) + size):
            for row in range(166 << (zoom - 8), (166 << (zoom - 8)) + size):
                data = sea if random.random() < 0.3 else PNG + random.randbytes(random.choice(LENGTHS))
                found[zoom, column, row] = data
    return found


def changed_map(random, old):
    """A later version: tiles drawn anew, copies of others, swapped ones, new ones, and some that are gone."""
    new = dict(old)
    places = sorted(old)
    for _ in range(random.choice([0, 1, 3, 9])):
        new[random.choice(places)] = PNG + random.randbytes(random.choice(LENGTHS))
    for _ in range(random.choice([0, 1, 7])):
        new[random.choice(places)] = old[random.choice(places)]
    if random.random() < 0.5:
        one, two = random.choice(places), random.choice(places)
        new[one], new[two] = new[two], new[one]
    for _ in range(random.choice([0, 0, 4])):
        zoom, column, row = random.choice(places)
        new[zoom, column + random.randint(-3, 3), row + random.randint(-3, 3)] = random.choice(list(old.values()))
    if random.random() < 0.5:
        for place in random.sample(places, random.choice([1, 5])):
            new.pop(place, None)
    if random.random() < 0.3:
        new = {place: data for place, data in new.items() if place[0] < 10}
    return new


COLUMNS = "zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER"
SCHEMAS = {
    "rows": f"CREATE TABLE tiles ({COLUMNS}, tile_data BLOB);"
            "CREATE UNIQUE INDEX place ON tiles (zoom_level, tile_column, tile_row)",
    "plain": f"CREATE TABLE tiles ({COLUMNS}, tile_data BLOB)",
    "repeated": f"CREATE TABLE tiles ({COLUMNS}, tile_data BLOB);"
                "CREATE INDEX place ON tiles (zoom_level, tile_column, tile_row)",
    "without": f"CREATE TABLE tiles (tile_data BLOB, {COLUMNS}, "
               "PRIMARY KEY (zoom_level, tile_column, tile_row)) WITHOUT ROWID",
    "view": f"CREATE TABLE map ({COLUMNS}, tile_id TEXT); CREATE TABLE images (tile_data BLOB, tile_id TEXT);"
            "CREATE UNIQUE INDEX place ON map (zoom_level, tile_column, tile_row);"
            "CREATE UNIQUE INDEX image ON images (tile_id);"
            "CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data "
            "FROM map JOIN images ON images.tile_id = map.tile_id",
    "shared": f"CREATE TABLE images (tile_id INTEGER PRIMARY KEY, tile_data BLOB);"
              f"CREATE TABLE map ({COLUMNS}, tile_id INTEGER, PRIMARY KEY (zoom_level, tile_column, tile_row)) "
              "WITHOUT ROWID; CREATE VIEW tiles AS SELECT map.zoom_level AS zoom_level, map.tile_column AS tile_column, "
              "map.tile_row AS tile_row, images.tile_data AS tile_data "
              "FROM map LEFT JOIN images ON images.tile_id = map.tile_id",
}


def write(path, found, form, order, date, random):
    """Writes a map in one of the forms."""
    database = sqlite3.connect(path)
    database.executescript(SCHEMAS[form])
    database.execute("CREATE TABLE metadata (name TEXT, value TEXT)")
    database.executemany("INSERT INTO metadata VALUES (?, ?)",
                         [("name", "Pair"), ("format", "png"), ("date", date)])
    rows = sorted(found.items())
    if order == "mixed":
        random.shuffle(rows)
    if order == "backwards":
        rows.reverse()
    ids = {}
    for place, data in rows:
        if form in ("view", "shared"):
            if data not in ids:
                number = len(ids) + 1
                ids[data] = number if form == "shared" else f"t{number}"
                database.execute("INSERT INTO images (tile_id, tile_data) VALUES (?, ?)", (ids[data], data))
            database.execute("INSERT INTO map VALUES (?, ?, ?, ?)", (*place, ids[data]))
        else:
            database.execute("INSERT INTO tiles (zoom_level, tile_column, tile_row, tile_data) VALUES (?, ?, ?, ?)",
                             (*place, data))
    if form in ("plain", "repeated"):
        # Places that have several rows, the same or others.
        for place, data in random.sample(rows, 6):
            other = random.choice([data, PNG + random.randbytes(100), b""])
            database.execute("INSERT INTO tiles VALUES (?, ?, ?, ?)", (*place, other))
    if form not in ("view", "shared") and random.random() < 0.6:
        # Rows that are no tiles.
        for column, data in ((1, "text"), (2, None), (3, b"")):
            database.execute("INSERT INTO tiles (zoom_level, tile_column, tile_row, tile_data) VALUES (8, ?, 1, ?)",
                             (column, data))
    if random.random() < 0.5:
        # What was removed leaves free pages.
        database.execute("CREATE TABLE gap (data BLOB)")
        database.executemany("INSERT INTO gap VALUES (?)", [(random.randbytes(5000),) for _ in range(5)])
        database.commit()
        database.execute("DROP TABLE gap")
    database.commit()
    database.close()


def make(seed, folder):
    """Writes a pair, and a third map that another region has."""
    chance = random.Random(seed)
    forms = list(SCHEMAS)
    old = first_map(chance)
    new = changed_map(chance, old)
    form = forms[seed % len(forms)]
    order = chance.choice(["in order", "mixed", "backwards"])
    os.makedirs(folder, exist_ok=True)
    write(f"{folder}/old.mbtiles", old, form, order, "2025-01-01", chance)
    if chance.random() < 0.4:
        form, order = chance.choice(forms), chance.choice(["in order", "mixed", "backwards"])
    write(f"{folder}/new.mbtiles", new, form, order, "2026-01-01", chance)
    # Another region has tiles of the new map, at their places and at others.
    other = {place: chance.choice(list(new.values())) if chance.random() < 0.3 else data for place, data in new.items()}
    write(f"{folder}/other.mbtiles", other, chance.choice(forms), "mixed", "2024-01-01", chance)


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(int(sys.argv[2]), sys.argv[3])
        print(json.dumps(compare(tiles(f"{sys.argv[3]}/old.mbtiles"), tiles(f"{sys.argv[3]}/new.mbtiles"))))
    else:
        print(json.dumps(compare(tiles(sys.argv[2]), tiles(sys.argv[3]))))
