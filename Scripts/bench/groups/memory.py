"""Memory and time by size, from 0.1 to 20 GB, compared with a plain copy of the same file.

Nearly all pages of the maps are free. The maps lie on a compressing file system in a file on the tmpfs, where free pages
take no space. hikeshare handles them like any other file: it reads, encrypts, sends, verifies and writes every byte.
"""
import contextlib, os

from bench.figures import median, spread
from bench.files import make_sparse_map
from bench.hikeshare import Sender, check_arrived, receive_command
from bench.processes import Process, measure as measure_program
from common.processes import Failure, note, run

MOST = 48


@contextlib.contextmanager
def compressing_folder(bench):
    """A folder on a file system that compresses: zeros take no space."""
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
    """Sends a map of so many GB.

    Returns the seconds of the transfer, the MB of the sender and the receiver, and the seconds of the import and of `cp`.
    """
    source, copy, sending, receiving = (os.path.join(folder, name)
                                        for name in ("source.mbtiles", "copy", "sending", "receiving"))
    make_sparse_map(source, int(gigabytes * 1e9))
    copying, _ = measure_program(["cp", "--reflink=never", "--sparse=never", source, copy])
    os.unlink(copy)
    importing, _ = measure_program([bench.binary, "import", source, "--store", sending, "--quiet"])
    with Sender(bench, sending, "bench", "--no-discovery") as sender:
        received = Process(receive_command(bench, receiving, f"127.0.0.1:{sender.port}"))
        usage = received.expect_success()
        sent = sender.wait("sent")
        sender_usage = sender.end()
    if sent["bytes"] < os.path.getsize(source):
        raise Failure(f"only {sent['bytes']} of {os.path.getsize(source)} bytes were transferred")
    check_arrived(source, receiving)
    bench.remove(source, sending, receiving)
    return received.ended - received.began, sender_usage.peak, usage.peak, importing, copying


def measure(bench, report):
    sizes = [0.1] if bench.quick else [0.1, 2, 8, 20]
    rounds = {} if bench.quick else {0.1: 3, 2: 3}
    rows, before = [], None
    with compressing_folder(bench) as folder:
        for size in sizes:
            note(f"memory: {size:g} GB")
            done = [one_size(bench, folder, size) for _ in range(rounds.get(size, 1))]
            seconds, sender, receiver, importing, copying = (list(column) for column in zip(*done))
            pace = median(seconds) / size
            rows.append([f"{size:g}", spread(seconds), f"{pace:.3f}", f"{pace / before:.2f}" if before else "",
                         spread(copying), spread([a / b for a, b in zip(seconds, copying)]), f"{max(sender):.0f}",
                         f"{max(receiver):.0f}", spread(importing)])
            before = pace
            for peaks, side in ((sender, "sender"), (receiver, "receiver")):
                report.mark(f"most memory of the {side} at {size:g} GB", [max(peaks)], most=MOST, unit="MB", form="{:.0f}")
    report.section("Memory and time by size (TLS; a compressing file system on tmpfs)",
                   ["GB", "s", "s/GB", "times the s/GB of the size before", "cp, s", "times cp", "most MB, sender",
                    "most MB, receiver", "import, s"], rows)
