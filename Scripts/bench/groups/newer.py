"""How much is transferred to a receiver that has an older version of a map.

Without files, maps of random tiles of some 0.8, 6 and 20 kB are made. Of each map, 4 % of the tiles are drawn anew, and the
newer map is changed in place, vacuumed, written in another order, or written with other pages. Two more receivers have the very
same tiles in another region and another order, or a part of the map, the western half. Every byte in either direction is counted, with TLS and the handshake, and compared with the bytes of the tiles that are new, and with what others need for the
same two files: rsync with blocks of 512 bytes and by default, and zstd --patch-from, which needs both files on one machine.
"""
import hashlib, os, random, re, shutil, sqlite3, time

from bench.hikeshare import Sender, check_arrived, store_of
from bench.processes import Process
from bench.relay import Relay
from common import maps
from common.hikeshare import JSONFile
from common.processes import PATIENCE, expect, note, run

AREA = maps.Area(14, 0.4, 41.6, 2.62, 43.3)
LENGTHS = {"0.8 kB": 800, "6 kB": 6_000, "20 kB": 20_000}
ORDERS = ["in place", "vacuumed", "other order", "other pages"]
PAGES = 16_384
# What may be transferred beside the new tiles, as a share of the file.
MARK, MARK_OF_SHORT_TILES = 0.01, 0.05


def made_versions(bench, folder):
    """Makes maps and newer versions of them; yields the length of the tiles, the order, and the two files."""
    for name, length in LENGTHS.items():
        count = (bench.newer_mib << 20) // length
        area = maps.Area(14 if count < 15_000 else 16, 0.4, 41.6, 2.62, 43.3)
        older = os.path.join(folder, f"older {name}.mbtiles")
        generator = random.Random(1)
        maps.make_map(older, "bench", area, maps.uneven_lengths(count, length, generator), generator)
        changed = os.path.join(folder, f"in place {name}.mbtiles")
        shutil.copy(older, changed)
        generator = random.Random(2)
        maps.redraw(changed, generator.sample(maps.tile_numbers(older), count // 25), generator)
        for order in ORDERS:
            newer = changed if order == "in place" else os.path.join(folder, f"{order} {name}.mbtiles")
            if order == "vacuumed":
                shutil.copy(changed, newer)
                maps.vacuum(newer)
            elif order != "in place":
                maps.rewrite(changed, newer, random.Random(3) if order == "other order" else None,
                             PAGES if order == "other pages" else maps.PAGE)
            yield name, order, older, newer
            if newer != changed:
                os.remove(newer)
        same = os.path.join(folder, f"same tiles {name}.mbtiles")
        maps.rewrite(changed, same, random.Random(4), maps.PAGE)
        yield name, "from another region", same, changed
        os.remove(same)
        part = part_of(bench, folder, changed)
        yield name, "from a cut", part, changed
        os.remove(part)
        os.remove(older)
        os.remove(changed)


def part_of(bench, folder, path):
    """Makes the western half of a map."""
    store, target = os.path.join(folder, "whole"), os.path.join(folder, "part")
    store_of(bench, store, path, name="whole")
    run([bench.binary, "export", "whole", "--store", store, "--to", target, "--mbtiles", "--area", "0.4,41.6,1.5,43.3"])
    [name] = os.listdir(target)
    moved = os.path.join(folder, "part.mbtiles")
    os.rename(os.path.join(target, name), moved)
    bench.remove(store, target)
    return moved


def new_tile_bytes(older, newer):
    """The bytes of the tiles of the newer map that the older one does not have."""
    def tiles(path):
        database = sqlite3.connect(path)
        for tile, in database.execute("SELECT tile_data FROM tiles"):
            yield hashlib.sha256(tile).digest(), len(tile)
        database.close()
    known = {digest for digest, _ in tiles(older)}
    return sum({digest: length for digest, length in tiles(newer) if digest not in known}.values())


def update(bench, folder, older, newer, encryption):
    """Transfers the newer map to a receiver that has the older one.

    Returns the bytes to and from the sender, the seconds of `receive`, and the peak memory of both in MB.
    """
    sending, receiving = os.path.join(folder, "sending"), os.path.join(folder, "receiving")
    store_of(bench, sending, newer, name="newer")
    store_of(bench, receiving, older, name="older")
    output = os.path.join(folder, "received.json")
    with Sender(bench, sending, "newer", "--once", "--no-discovery", "--encryption", encryption) as sender, \
            Relay(sender.port) as relay, open(output, "w+b") as file:
        begin = time.monotonic()
        receiver = Process([bench.binary, "receive", "--store", receiving, "--yes", "--encryption", encryption,
                            "--connect", f"127.0.0.1:{relay.port}", "--format", "json"], output=file)
        received_by = receiver.expect_success(PATIENCE)
        seconds = receiver.ended - begin
        sent_by = sender.process.expect_success(60)
    check_arrived(newer, receiving)
    lines = JSONFile(output)
    received = lines.lines("received")[0]
    lines.close()
    expect(received["bytes"] + received["bytesSaved"] >= os.path.getsize(newer),
           f"bytes and bytesSaved of {received} do not add up to the size of the map")
    bench.remove(sending, receiving)
    return relay.sent, relay.returned, seconds, sent_by.peak, received_by.peak


def of_rsync(folder, older, newer, *options):
    """What rsync transfers in both directions."""
    target = os.path.join(folder, "rsync.mbtiles")
    shutil.copy(older, target)
    os.utime(target, (1, 1))
    said = run(["rsync", "--no-whole-file", "--stats", *options, newer, target])
    os.remove(target)
    return sum(int(number.replace(",", "")) for number in re.findall(r"Total bytes (?:sent|received): ([\d,]+)", said))


def of_zstd(folder, older, newer):
    """The size of zstd's patch."""
    patch = os.path.join(folder, "patch.zst")
    run(["zstd", "-q", "-f", "--long=31", f"--patch-from={older}", newer, "-o", patch])
    size = os.path.getsize(patch)
    os.remove(patch)
    return size


def measure(bench, report):
    folder = bench.folder("newer")
    rows, over, gains = [], {True: [], False: []}, []
    for name, order, older, newer in [("given", "given", *bench.files)] if bench.files else made_versions(bench, folder):
        size, new = os.path.getsize(newer), new_tile_bytes(older, newer)
        note(f"newer: tiles of {name}, {order}")
        sent, returned, seconds, *peaks = update(bench, folder, older, newer, "required")
        crossed = sent + returned
        small, default = of_rsync(folder, older, newer, "-B", "512"), of_rsync(folder, older, newer)
        patch = of_zstd(folder, older, newer)
        over[name == "0.8 kB"].append((crossed - new) / size)
        gains.append(small / crossed)
        rows.append([name, order, f"{size / 1e6:.1f}",
                     *(f"{100 * bytes / size:.2f}" for bytes in (new, crossed, crossed - new, small, default, patch)),
                     f"{seconds:.2f}", ", ".join(f"{peak:.0f}" for peak in peaks)])
    report.section("A newer version of a map", [
        "tiles", "order", "MB", "new tiles, %", "transferred, %", "beside the tiles, %", "rsync -B 512, %", "rsync, %",
        "zstd patch, %", "s", "memory of sender, receiver, MB"], rows)
    for is_short, most in ((False, MARK), (True, MARK_OF_SHORT_TILES)):
        if over[is_short]:
            report.mark("beside new tiles" + (", tiles under 1 kB" if is_short else ""), [max(over[is_short])], most=most,
                        form="{:.4f}")
    if not bench.files:
        report.mark("rsync -B 512 to hikeshare", [min(gains)], least=1)
    bench.remove(folder)
