"""What the resources of a region hold, as ItemFormats.md has it: enough to count the items, and the tables of points."""

from __future__ import annotations

import base64
import json
import sqlite3
import struct
import zlib
from pathlib import Path

KINDS = ("mbtiles", "routing", "savedroutes", "plannedroutes", "waypoints", "photos")

TABLES = {"mbtiles": ("tiles", "metadata"), "routing": ("routing_nodes", "routing_edges", "routing_metadata")}

REQUIRED_KEYS = {
    "savedroutes": """id name startLatitude startLongitude endLatitude endLongitude startTime endTime totalDistance
        elevationGain elevationLoss walkingTime restingTime comment""".split(),
    "plannedroutes": """id name mode startCoordinate endCoordinate viaPoints coordinates turnInstructions totalDistance
        estimatedDuration elevationGain elevationLoss createdAt""".split(),
    "waypoints": "id latitude longitude timestamp label note category hasPhoto".split(),
}

# The columns that a table of points may have, by the keys of the tables.
TABLE_COLUMNS = {
    ("savedroutes", "trackDetail"): (1, 2, 3, 4),
    ("savedroutes", "trackSensors"): (5, 6, 7, 8, 9),
    ("plannedroutes", "trackDetail"): (3, 4),
}

TABLE_LENGTH = 2_700_000
TABLE_POINTS = 100_000
COLUMN_BOUNDS = {
    1: (-900_000_000, 900_000_000),
    2: (-1_800_000_000, 1_800_000_000),
    3: (-12_000_000, 100_000_000),
    4: (-62_135_596_800_000, 253_402_300_799_999),
}
SENSOR_BOUNDS = (-2_000_000_000, 2_000_000_000)

LINK_COUNT = 20

PHOTO_ALIGNMENT = 65_536
PHOTO_HEADER = struct.Struct(">16sqI")
PHOTO_LENGTHS = range(1, 16_777_216 + 1)


def count(kind: str, file: Path) -> int:
    """How many items a resource has; raises `ValueError` if it does not hold what its kind says."""
    if kind in TABLES:
        return _check_database(file, TABLES[kind])
    if kind == "photos":
        return _count_photos(file.read_bytes())
    items = json.loads(file.read_bytes())
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise ValueError("not a list of objects")
    for item in items:
        missing = [key for key in REQUIRED_KEYS[kind] if key not in item]
        if missing:
            raise ValueError(f"an item has no {missing[0]}")
        _check_gpx(kind, item)
    return len(items)


def _check_gpx(kind: str, item: dict) -> None:
    """Checks what an item has of a GPX file."""
    for (table_kind, key), columns in TABLE_COLUMNS.items():
        if table_kind == kind and key in item:
            found = read_table(base64.b64decode(item[key], validate=True))
            if not set(found["columns"]) <= set(columns):
                raise ValueError(f"{key} has columns that it should not have")
    gpx = item.get("gpx", {})
    if not isinstance(gpx, dict) or len(gpx.get("links", [])) > LINK_COUNT:
        raise ValueError("gpx is not as it should be")
    if any("href" not in link for link in gpx.get("links", [])):
        raise ValueError("a link has no address")
    for texts in item.get("pointTexts", []):
        if not 0 <= texts["index"] < len(item["coordinates"]):
            raise ValueError("a text belongs to no point")


def read_table(data: bytes) -> dict:
    """Reads a table of points: its segments, and the values of each column, `None` where a point has none."""
    try:
        inflater = zlib.decompressobj(wbits=-15)
        rest = inflater.decompress(data, TABLE_LENGTH + 1)
    except zlib.error as error:
        raise ValueError("a table that cannot be inflated") from error
    if not inflater.eof or inflater.unused_data or len(rest) > TABLE_LENGTH:
        raise ValueError("a table that is cut off or too long")
    position = 0

    def take(length: int) -> bytes:
        nonlocal position
        if position + length > len(rest):
            raise ValueError("a table that ends too early")
        position += length
        return rest[position - length : position]

    def number() -> int:
        value = 0
        for shift in range(0, 70, 7):
            byte = take(1)[0]
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                if value >= 1 << 64:
                    break
                return value
        raise ValueError("a number that is too long")

    count, segments = number(), [number() for _ in range(number())]
    if not 1 <= count <= TABLE_POINTS or sum(segments) != count or min(segments) < 1:
        raise ValueError("segments that are not those of the points")
    columns: dict[int, list] = {}
    last = 0
    while position < len(rest):
        column, length = take(1)[0], number()
        end = position + length
        if column <= last or end > len(rest):
            raise ValueError("columns that are out of order or cut off")
        last = column
        if column > 9:
            take(length)
            continue
        flags, values, value = take((count + 7) // 8), [], 0
        low, high = COLUMN_BOUNDS.get(column, SENSOR_BOUNDS)
        for index in range(count):
            if not flags[index // 8] >> index % 8 & 1:
                values.append(None)
                continue
            step = number()
            value += step >> 1 if step % 2 == 0 else -(step >> 1) - 1
            if not low <= value <= high:
                raise ValueError("a value out of bounds")
            values.append(value)
        if position != end:
            raise ValueError("a column that is longer or shorter than it says")
        columns[column] = values
    if (1 in columns) != (2 in columns) or None in columns.get(1, []) + columns.get(2, []):
        raise ValueError("positions that are not complete")
    return {"segments": segments, "columns": columns}


def _check_database(file: Path, tables: tuple[str, ...]) -> int:
    """A database counts as one item."""
    try:
        with sqlite3.connect(f"file:{file.resolve()}?immutable=1", uri=True) as database:
            for table in tables[:1]:
                if database.execute(f"SELECT count(*) FROM {table}").fetchone()[0] == 0:
                    raise ValueError(f"the table {table} is empty")
            for table in tables[1:]:
                database.execute(f"SELECT * FROM {table} LIMIT 1")
    except sqlite3.Error as error:
        raise ValueError(str(error)) from error
    return 1


def _count_photos(data: bytes) -> int:
    number, position, last = 0, 0, b""
    while position < len(data):
        try:
            id, _, length = PHOTO_HEADER.unpack_from(data, position)
        except struct.error as error:
            raise ValueError("a record that is cut off") from error
        end = position + PHOTO_HEADER.size + length
        following = -(-end // PHOTO_ALIGNMENT) * PHOTO_ALIGNMENT
        if length not in PHOTO_LENGTHS or id <= last or following > len(data) or any(data[end:following]):
            raise ValueError("a record that breaks the rules")
        number, position, last = number + 1, following, id
    if number == 0:
        raise ValueError("no photos")
    return number
