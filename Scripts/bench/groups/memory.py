"""Memory and time by size, from 0.1 to 20 GB, beside a plain copy of the same file.

The files are nearly all free pages, and lie in a file system that compresses, made in a file on the tmpfs: what is nothing
takes no space there. For hikeshare they are files like others: every byte is read, encrypted, sent, verified and written.
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
    """Sends a file of so many GB.

    Returns seconds of the transfer, MB of the two sides, seconds of the import, and seconds of `cp` of the same file.
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
        raise Failure(f"of {os.path.getsize(source)} bytes only {sent['bytes']} crossed")
    check_arrived(source, receiving)
    bench.remove(source, sending, receiving)
    return received.ended - received.began, sender_usage.peak, usage.peak, importing, copying


def measure(bench, report):
    sizes = [0.1, 1, 4] if bench.quick else [0.1, 2, 8, 20]
    rounds = {0.1: 3, 2: 3}
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
