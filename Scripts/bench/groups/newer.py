"""How much is transferred to a receiver that has an older version of a map.

Without files, maps of random tiles are made, of which 5 % are redrawn in place: the tiles of one valley, and as many at
random places. Every byte in either direction is counted, with TLS and the handshake, and compared with the size of the
4 KiB pages that differ from the page at the same place in the older map.
"""
import os, random, shutil, time

from bench.hikeshare import Sender, check_arrived, store_of
from bench.relay import Relay
from common import maps
from common.hikeshare import hikeshare
from common.processes import expect, note

AREA = maps.Area(14, 0.4, 41.6, 2.62, 43.3)
TILES = 10_000
CHANGED = TILES // 20
VALLEY = [row * AREA.columns + column + 1 for row in range(30, 55) for column in range(40, 60)]


def made_versions(bench, folder):
    """Makes an older map and two newer versions; returns the change and the files of each pair."""
    older = os.path.join(folder, "older.mbtiles")
    generator = random.Random(1)
    lengths = maps.uneven_lengths(TILES, (bench.newer_mib << 20) // TILES, generator)
    maps.make_map(older, "bench", AREA, lengths, generator)
    found = []
    for change in ("valley", "scattered"):
        newer = os.path.join(folder, change + ".mbtiles")
        shutil.copy(older, newer)
        generator = random.Random(2)
        numbers = VALLEY if change == "valley" else generator.sample(maps.tile_numbers(older), CHANGED)
        maps.redraw(newer, numbers, generator)
        found.append((change, older, newer))
    return found


def update(bench, folder, older, newer, encryption):
    """Transfers the newer map to a receiver that has the older one.

    Returns the bytes to and from the sender, and the seconds of `receive`.
    """
    sending, receiving = os.path.join(folder, "sending"), os.path.join(folder, "receiving")
    store_of(bench, sending, newer, name="newer")
    store_of(bench, receiving, older, name="older")
    with Sender(bench, sending, "newer", "--once", "--no-discovery", "--encryption", encryption) as sender, \
            Relay(sender.port) as relay:
        begin = time.monotonic()
        lines = hikeshare(bench.binary, "receive", "--store", receiving, "--yes", "--encryption", encryption,
                          "--connect", f"127.0.0.1:{relay.port}")
        seconds = time.monotonic() - begin
        sender.process.expect_success(60)
    check_arrived(newer, receiving)
    received = next(line for line in lines if line["type"] == "received")
    expect(received["bytes"] + received["bytesSaved"] >= os.path.getsize(newer),
           f"bytes and bytesSaved of {received} do not add up to the size of the map")
    bench.remove(sending, receiving)
    return relay.sent, relay.returned, seconds


def measure(bench, report):
    folder = bench.folder("newer")
    rows = []
    for change, older, newer in [("given", *bench.files)] if bench.files else made_versions(bench, folder):
        changed = maps.changed_bytes(older, newer)
        for encryption in ("required", "none"):
            note(f"newer: {change}, encryption {encryption}")
            sent, returned, seconds = update(bench, folder, older, newer, encryption)
            factor = f"{(sent + returned) / changed:.3f}" if changed else "none"
            rows.append([change, encryption, f"{os.path.getsize(newer) / 1e6:.1f}", f"{changed / 1e6:.3f}",
                         f"{sent / 1e6:.3f}, {returned / 1e6:.3f}", factor, f"{seconds:.2f}"])
    report.section("A newer version of a map", ["change", "encryption", "MB", "changed pages, MB",
                                                "transferred to, from the sender, MB", "factor", "s"], rows)
    bench.remove(folder)
