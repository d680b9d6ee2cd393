"""What the resources of a region hold, as ItemFormats.md has it: just enough to count the items."""

from __future__ import annotations

import json
import sqlite3
import struct
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
    return len(items)


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
