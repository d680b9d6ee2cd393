"""Memory and time by size, up to 20 GB.

The files are nearly all free pages, and lie in a file system that compresses, made in a file on the tmpfs: what is nothing
takes no space there. For hikeshare they are files like others: every byte is read, encrypted, sent, verified and written.
"""
import contextlib, os

from benching.figures import median
from benching.files import make_sparse_map
from benching.hikeshare import Sender, check_arrived, receive_command
from benching.processes import Failure, Process, measure as measure_program, note, run

MOST = 48
LINEAR = 1.2


@contextlib.contextmanager
def compressing_folder(bench):
    """A folder in which zeros take no space and copies share what they have."""
    folder = bench.folder("compressing")
    image, mounted = os.path.join(folder, "image"), os.path.join(folder, "mounted")
    os.makedirs(mounted)
    with open(image, "wb") as file:
        file.truncate(200 << 30)
    run(["mkfs.btrfs", "-q", "-m", "single", "-d", "single", image])
    run(["mount", "-o", "loop,compress-force=lzo", image, mounted])
    try:
        yield mounted
    finally:
        run(["umount", mounted])
        bench.remove(folder)


def one_size(bench, folder, gigabytes):
    """Sends a file of so many GB; returns seconds of the transfer, MB of the two sides, and seconds of the import."""
    source, sending, receiving = (os.path.join(folder, name) for name in ("source.mbtiles", "sending", "receiving"))
    make_sparse_map(source, int(gigabytes * 1e9))
    importing, _ = measure_program([bench.binary, "import", source, "--store", sending, "--quiet"])
    with Sender(bench, sending, "bench", "--no-discovery") as sender:
        received = Process(receive_command(bench, receiving, f"127.0.0.1:{sender.port}"))
        usage = received.expect_success()
        sent = sender.wait("sent")
        sender_usage = sender.end()
    if sent["bytes"] < os.path.getsize(source):
        raise Failure(f"of {os.path.getsize(source)} bytes only {sent['bytes']} crossed")
    check_arrived(source, receiving)
    bench.remove(source, sending, receiving)
    return received.ended - received.began, sender_usage.peak, usage.peak, importing


def measure(bench, report):
    sizes = [0.1, 1, 4] if bench.quick else [0.1, 2, 8, 20]
    rounds = {0.1: 3}
    rows, found = [], {}
    with compressing_folder(bench) as folder:
        for size in sizes:
            note(f"memory: {size:g} GB")
            done = [one_size(bench, folder, size) for _ in range(rounds.get(size, 1))]
            seconds, sender, receiver, importing = (column for column in zip(*done))
            found[size] = median(seconds), max(sender), max(receiver), median(importing)
            rows.append([f"{size:g}", f"{found[size][0]:.2f}", f"{found[size][0] / size:.3f}", f"{found[size][1]:.0f}",
                         f"{found[size][2]:.0f}", f"{found[size][3]:.2f}"])
    report.section("Memory and time by size (TLS; a compressing file system on tmpfs)",
                   ["GB", "s", "s/GB", "most MB, sender", "most MB, receiver", "import, s"], rows)
    for size in (0.1, sizes[-2]):
        for index, side in ((1, "sender"), (2, "receiver")):
            report.mark(f"most memory of the {side} at {size:g} GB", [found[size][index]], most=MOST, unit="MB", form="{:.0f}")
    longest, before = sizes[-1], sizes[-2]
    report.mark(f"time grows no faster than size: s/GB at {longest:g} GB / at {before:g} GB",
                [found[longest][0] / longest / (found[before][0] / before)], most=LINEAR)
