"""Makes and reads archives of tiles with their own tools: the reference implementation of PMTiles, and GDAL.

archives.py make-pmtiles FILE TYPE COUNT   writes an archive with COUNT tiles, most of which are repeated
archives.py list-pmtiles FILE              prints "ZOOM/COLUMN/ROW DIGEST" of each tile, by its digest without gzip
"""

import gzip
import hashlib
import random
import sys

TYPES = {
    "mvt": (b"\x1a", True),
    "png": (b"\x89PNG\r\n\x1a\n", False),
    "jpeg": (b"\xff\xd8\xff\xe0", False),
    "webp": (b"RIFF\x10\x00\x00\x00WEBP", False),
    "avif": (b"\x00\x00\x00\x1cftypavif", False),
    "mlt": (b"\x05\x01", True),
}


def make_pmtiles(path, kind, count):
    from pmtiles.tile import Compression, TileType, zxy_to_tileid
    from pmtiles.writer import Writer

    chance = random.Random(f"{kind} {count}")
    start, is_vector = TYPES[kind]
    highest = 8
    ids = sorted(chance.sample(range(zxy_to_tileid(highest + 1, 0, 0)), int(count)))
    with open(path, "wb") as file:
        writer = Writer(file)
        for tile_id in ids:
            # A third of the tiles is the sea.
            tile = start + (b"sea" if chance.random() < 0.3 else chance.randbytes(chance.randrange(1, 200)))
            writer.write_tile(tile_id, gzip.compress(tile, mtime=0) if is_vector else tile)
        header = {
            "tile_type": TileType[kind.upper()],
            "tile_compression": Compression.GZIP if is_vector else Compression.NONE,
            "min_zoom": 0,
            "max_zoom": highest,
            "min_lon_e7": 14_000_000,
            "min_lat_e7": 424_000_000,
            "max_lon_e7": 17_900_000,
            "max_lat_e7": 426_500_000,
            "center_zoom": 5,
            "center_lon_e7": 15_000_000,
            "center_lat_e7": 425_000_000,
        }
        writer.finalize(header, {"name": "Andorra", "attribution": "© OpenStreetMap contributors"})


def list_pmtiles(path):
    from pmtiles.reader import MmapSource, all_tiles

    with open(path, "rb") as file:
        for (zoom, column, row), data in all_tiles(MmapSource(file)):
            show(zoom, column, row, data)


def show(zoom, column, row, data):
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    print(f"{zoom}/{column}/{row} {hashlib.sha256(data).hexdigest()}")


def main(command, *arguments):
    {"make-pmtiles": make_pmtiles, "list-pmtiles": list_pmtiles}[command](*arguments)


main(*sys.argv[1:])
