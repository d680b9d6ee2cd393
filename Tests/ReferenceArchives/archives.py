"""Makes and reads archives of tiles with their own tools: the reference implementation of PMTiles, and GDAL.

archives.py make-pmtiles FILE TYPE COUNT    writes an archive with COUNT tiles, most of which are repeated
archives.py list-pmtiles FILE               prints "ZOOM/COLUMN/ROW DIGEST" of each tile, by its digest without gzip
archives.py make-geopackage FILE EPSG       writes a map of zoom levels 6 to 8; in Web Mercator, if EPSG is 3857
archives.py make-folder FOLDER GEOPACKAGE   writes the tiles of a GeoPackage as FOLDER/ZOOM/COLUMN/ROW.png
archives.py convert FILE MBTILES            does what gdal_translate -of MBTILES FILE MBTILES does
archives.py list-pixels PATH ZOOM           prints "ZOOM/COLUMN/ROW DIGEST" of each tile, by its pixels as GDAL reads them
"""

import gzip
import hashlib
import os
import random
import sqlite3
import sys

TYPES = {
    "mvt": (b"\x1a", True),
    "png": (b"\x89PNG\r\n\x1a\n", False),
    "jpeg": (b"\xff\xd8\xff\xe0", False),
    "webp": (b"RIFF\x10\x00\x00\x00WEBP", False),
    "avif": (b"\x00\x00\x00\x1cftypavif", False),
    "mlt": (b"\x05\x01", True),
}

# Half of the equator in Web Mercator, in metres.
HALF = 20037508.342789244

# A map service as GDAL describes it, whose server is a folder.
SERVICE = """<GDAL_WMS>
  <Service name="TMS"><ServerUrl>file://{folder}/${{z}}/${{x}}/${{y}}.png</ServerUrl></Service>
  <DataWindow>
    <UpperLeftX>-{half}</UpperLeftX><UpperLeftY>{half}</UpperLeftY>
    <LowerRightX>{half}</LowerRightX><LowerRightY>-{half}</LowerRightY>
    <TileLevel>{zoom}</TileLevel><TileCountX>1</TileCountX><TileCountY>1</TileCountY><YOrigin>top</YOrigin>
  </DataWindow>
  <Projection>EPSG:3857</Projection><BlockSizeX>256</BlockSizeX><BlockSizeY>256</BlockSizeY>
  <BandsCount>4</BandsCount><ZeroBlockHttpCodes>404</ZeroBlockHttpCodes>
</GDAL_WMS>"""


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
            if data[:2] == b"\x1f\x8b":
                data = gzip.decompress(data)
            print(f"{zoom}/{column}/{row} {hashlib.sha256(data).hexdigest()}")


def make_geopackage(path, epsg):
    import numpy
    import rasterio
    from rasterio.enums import Resampling
    from rasterio.transform import from_origin

    width, height = 700, 600
    pixels = numpy.random.default_rng(int(epsg)).integers(0, 255, (4, height, width), dtype="uint8")
    pixels[3] = 255
    options = {"TILE_FORMAT": "PNG", "RASTER_TABLE": "my map", "RASTER_IDENTIFIER": "Andorra"}
    if epsg == "3857":
        # The area begins within a tile.
        size = 2 * HALF / 256 / 2**8
        transform = from_origin(-HALF + (130 * 256 + 40) * size, HALF - (90 * 256 + 50) * size, size, size)
        options["TILING_SCHEME"] = "GoogleMapsCompatible"
    else:
        transform = from_origin(1.4, 42.6, 0.0005, 0.0005)
    with rasterio.open(
        path, "w", driver="GPKG", width=width, height=height, count=4, dtype="uint8", crs=f"EPSG:{epsg}",
        transform=transform, **options
    ) as target:
        target.write(pixels)
    with rasterio.open(path, "r+") as target:
        target.build_overviews([2, 4], Resampling.average)


def make_folder(folder, geopackage):
    database = sqlite3.connect(geopackage)
    for zoom, column, row, data in database.execute('SELECT zoom_level, tile_column, tile_row, tile_data FROM "my map"'):
        os.makedirs(f"{folder}/{zoom}/{column}", exist_ok=True)
        with open(f"{folder}/{zoom}/{column}/{row}.png", "wb") as file:
            file.write(data)


def convert(source, target):
    import rasterio.shutil

    rasterio.shutil.copy(source, target, driver="MBTiles")


def list_pixels(path, zoom):
    import rasterio
    from rasterio.windows import Window

    zoom = int(zoom)
    if os.path.isdir(path):
        dataset = rasterio.open(SERVICE.format(folder=os.path.abspath(path), zoom=zoom, half=HALF))
    else:
        dataset = rasterio.open(path, ZOOM_LEVEL=str(zoom))
    with dataset:
        size = 2 * HALF / 256 / 2**zoom
        # Where the dataset begins in the grid of web maps, in pixels.
        left = round((dataset.transform.c + HALF) / size)
        top = round((HALF - dataset.transform.f) / size)
        for column in range(32 * 2 ** (zoom - 6), 34 * 2 ** (zoom - 6)):
            for row in range(22 * 2 ** (zoom - 6), 24 * 2 ** (zoom - 6)):
                window = Window(column * 256 - left, row * 256 - top, 256, 256)
                pixels = dataset.read(window=window, boundless=True, fill_value=0)
                # Where nothing is drawn, the colour says nothing.
                pixels[:, pixels[3] == 0] = 0
                if pixels.any():
                    print(f"{zoom}/{column}/{row} {hashlib.sha256(pixels.tobytes()).hexdigest()}")


def main(command, *arguments):
    commands = [make_pmtiles, list_pmtiles, make_geopackage, make_folder, convert, list_pixels]
    {function.__name__.replace("_", "-"): function for function in commands}[command](*arguments)


main(*sys.argv[1:])
