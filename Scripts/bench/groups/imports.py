"""How fast maps and tracks are imported."""
import os, shutil

from bench.figures import spread
from bench.files import make_gpx, make_map, make_sparse_map
from bench.hikeshare import check_arrived, store_of
from bench.processes import measure as measure_program
from common.hikeshare import hikeshare
from common.processes import expect, note

POINTS = 100_000


def measure(bench, report):
    folder = bench.folder("import")
    source, store, track = (os.path.join(folder, name) for name in ("source.mbtiles", "store", "track.gpx"))
    copy = os.path.join(folder, "copy")
    note(f"import: making a map of {bench.mib} MiB")
    make_map(source, bench.mib << 20)
    make_gpx(track, POINTS)
    size = os.path.getsize(source) / 1e9
    bench.warm()
    copies, whole, costs = [], [], []
    for number in range(bench.rounds):
        note(f"import: round {number + 1} of {bench.rounds}")
        copies.append(size / measure_program(["cp", "--reflink=never", source, copy])[0])
        os.unlink(copy)
        seconds, usage = measure_program([bench.binary, "import", source, "--store", store, "--quiet"])
        whole.append(size / seconds)
        costs.append(usage.cpu / size)
        check_arrived(source, store, "import")
        shutil.rmtree(store)
    bench.remove(source, copy)
    make_sparse_map(source, bench.size(5 * 10**9))
    sparse = os.path.getsize(source) / 1e9
    passes, hashing = [], []
    for number in range(min(3, bench.rounds)):
        note(f"import: hashing, {number + 1}")
        seconds, usage = measure_program([bench.binary, "import", source, "--store", store, "--quiet"])
        passes.append(sparse / seconds)
        # Hashing is all that takes user time here; copying and reading take system time.
        hashing.append(sparse / usage.user * os.cpu_count())
        shutil.rmtree(store)
    small = os.path.join(folder, "small.mbtiles")
    # Tiles so short that they fill the area, for a map is where its tiles are.
    make_map(small, 1 << 20, mean=150)
    tracks = []
    for _ in range(bench.rounds):
        store_of(bench, store, small)
        tracks.append(measure_program([bench.binary, "import", track, "--store", store, "--quiet"])[0])
        region, = hikeshare(bench.binary, "list", "--store", store)
        expect(region["hikes"] == 1, "the track was not imported")
        shutil.rmtree(store)
    report.section(f"Import, {size:.2f} GB, tmpfs to tmpfs", ["what", "value"], [
        ["whole import (copy, check of every page, hash), GB/s", spread(whole)],
        ["CPU s/GB of it", spread(costs)],
        ["cp of the same file, GB/s", spread(copies)],
        [f"copy and hash alone, of {sparse:.1f} GB in which there is nothing to check, GB/s", spread(passes)],
        [f"hashing alone on {os.cpu_count()} cores, by its processor time, GB/s", spread(hashing)],
        [f"GPX with a track of {POINTS:,} points, s", spread(tracks)]])
    report.mark(f"import hashes on {os.cpu_count()} cores", hashing, least=1.5, unit="GB/s")
    report.mark(f"import of a GPX file with {POINTS:,} points", tracks, most=1, unit="s")
    bench.remove(folder)
