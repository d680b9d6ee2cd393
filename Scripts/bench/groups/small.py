"""How long the program takes when there is little or nothing to transfer."""
import json, os, shutil, sys

from bench.figures import spread
from bench.files import make_map
from bench.hikeshare import Sender, receive_command, store_of, transfer
from bench.processes import measure as measure_program, seconds_of
from common.hikeshare import hikeshare
from common.paths import EXAMPLE, SCRIPTS
from common.processes import PATIENCE, expect, note, run


def example_store(bench):
    store = os.path.join(bench.folder("example"), "sending")
    if not os.path.exists(store):
        files = [os.path.join(EXAMPLE, name) for name in sorted(os.listdir(EXAMPLE)) if name.endswith(".gpx")]
        run([bench.binary, "import", os.path.join(EXAMPLE, "coma-pedrosa.mbtiles"), *files, "--routing",
             os.path.join(EXAMPLE, "coma-pedrosa.routing.db"), "--store", store])
    return store


def shown(bench, store):
    """What `list` says of the regions, without what each store knows for itself alone: when it has got them."""
    return [{key: value for key, value in region.items() if key != "addedAt"}
            for region in hikeshare(bench.binary, "list", "--store", store)]


def receive_example(bench, *options, discovery):
    """The seconds from the start of `receive` to its exit."""
    store, receiving = example_store(bench), os.path.join(bench.folder("example"), "receiving")
    with Sender(bench, store, "Coma Pedrosa", "--once", *options) as sender:
        if discovery:
            sender.wait("advertised")
            command = [bench.binary, "receive", "--store", receiving, "--quiet", "--yes"]
        else:
            command = receive_command(bench, receiving, f"127.0.0.1:{sender.port}")
        seconds, _ = measure_program(command, PATIENCE)
        sender.wait("sent")
        sender.process.expect_success(PATIENCE)
    sent, received = (shown(bench, path) for path in (store, receiving))
    expect(received == sent, f"the example region is {received} instead of {sent}")
    shutil.rmtree(receiving)
    return seconds


def with_discovery(bench, times):
    """The seconds of `receive` that finds the sender, in a network with an Avahi daemon."""
    command = [os.path.join(SCRIPTS, "own-network"), sys.executable, os.path.join(SCRIPTS, "bench"), "--discovery",
               str(times), "--binary", bench.binary, "--work", bench.folder("example"), "--cache", bench.cache]
    return json.loads(run(command))


def receive_again(bench, times):
    """The seconds of `receive` for a map of 1 GB that the receiver has already."""
    folder = bench.folder("again")
    source, sending, receiving = (os.path.join(folder, name) for name in ("source.mbtiles", "sending", "receiving"))
    make_map(source, bench.size(10**9))
    store_of(bench, sending, source)
    bench.remove(source)
    transfer(bench, sending, receiving)
    seconds = [transfer(bench, sending, receiving).seconds for _ in range(times)]
    bench.remove(folder)
    return seconds


def list_many(bench, count, times):
    """The seconds of `list` with many regions."""
    folder = bench.folder("many")
    store, maps = os.path.join(folder, "store"), [os.path.join(folder, f"{number}.mbtiles") for number in range(count)]
    for number, path in enumerate(maps):
        make_map(path, 1000, mean=500, name=f"Region {number}")
    store_of(bench, store, *maps)
    expect(len(hikeshare(bench.binary, "list", "--store", store)) == len(maps), f"list does not show {count:,} regions")
    seconds = [seconds_of([bench.binary, "list", "--store", store]) for _ in range(times)]
    bench.remove(folder)
    return seconds


def measure(bench, report):
    times = 1 if bench.quick else 9
    note("small: the example region")
    found = [("example region, receive --connect", [receive_example(bench, "--no-discovery", discovery=False)
                                                    for _ in range(times)], 0.1)]
    found.append(("example region, receive with discovery", with_discovery(bench, times), 0.6))
    note("small: a map that is there already")
    size = bench.size(10**9) / 1e9
    found.append((f"receive {size:g} GB that are here already", receive_again(bench, times), 0.3))
    count = 20 if bench.quick else 1000
    note(f"small: {count:,} regions")
    found.append((f"list of {count:,} regions", list_many(bench, count, times), 0.05))
    found.append(("hikeshare --version", [seconds_of([bench.binary, "--version"]) for _ in range(2 * times)], 0.05))
    report.section("Small things: from the start of the program to its end", ["what", "s"],
                   [[what, spread(seconds, "{:.3f}")] for what, seconds, _ in found])
    for what, seconds, most in found:
        report.mark(what, seconds, most=most, unit="s", form="{:.3f}")
