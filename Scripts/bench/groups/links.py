"""Slow and lossy links between network namespaces, compared with iperf3 on the same link."""
import os, signal, tempfile, time

from bench.figures import ratios, spread
from bench.files import make_map
from bench.hikeshare import Sender, check_arrived, store_of
from bench.hosts import ORDINARY, SENDER, cable, connections, iperf3, stock_congestion_controls
from bench.processes import Process, kill_all
from common.processes import Failure, note, wait_until

CANCELS = 20


def goodput(bench, hosts, store, source, before=()):
    """The MB/s of the file over the whole time of `receive`, and the connections halfway through it."""
    receiving = os.path.join(bench.folder("links"), "receiving")
    with Sender(bench, store, "bench", "--no-discovery", command=hosts.command("a", *before)) as sender:
        receiver = Process(hosts.command("b", *before, bench.binary, "receive", "--store", receiving, "--quiet", "--yes",
                                         "--connect", f"{SENDER}:{sender.port}"))

        def halfway():
            receiver.expect_running()
            return any(line["bytes"] > line["size"] // 2 for line in sender.lines("progress"))
        wait_until("half of it has been sent", halfway, 600, pause=0.2)
        seen = connections(hosts, sender.port)
        receiver.expect_success()
        sender.end()
    check_arrived(source, receiving)
    bench.remove(receiving)
    return os.path.getsize(source) / 1e6 / (receiver.ended - receiver.began), seen


class Link:
    """A link, and the map that is sent over it."""

    def __init__(self, bench, name, megabytes, *options, seconds=10):
        """`seconds` is how long iperf3 sends: about as long as the transfer of the map."""
        self.bench, self.name, self.options = bench, name, options
        self.seconds = max(1, seconds // 5) if bench.quick else seconds
        folder = bench.folder(name)
        self.source, self.store = os.path.join(folder, "source.mbtiles"), os.path.join(folder, "store")
        make_map(self.source, int(megabytes * 1e6) // (5 if bench.quick else 1), mean=8000)
        store_of(bench, self.store, self.source, name="bench")

    def measure(self, report, programs):
        """Runs the programs in each round; returns the MB/s of each program, and its connections."""
        found, seen = {name: [] for name in programs}, {}
        with cable(*self.options) as hosts:
            for number in range(self.bench.link_rounds):
                for name in list(found):
                    note(f"links: {self.name}, round {number + 1} of {self.bench.link_rounds}, {name}")
                    try:
                        value, seen[name] = programs[name](hosts)
                        found[name].append(value)
                    except Failure as failure:
                        kill_all()
                        report.failed(f"links, {self.name}: {name}", failure)
                        del found[name]
        return found, seen

    def iperf3(self, *options):
        return lambda hosts: (iperf3(hosts, self.seconds, *options), "")

    def hikeshare(self, ordinary=False):
        """`ordinary`: as an ordinary user of a stock system, who may not use bbr."""
        def program(hosts):
            if not ordinary:
                return goodput(self.bench, hosts, self.store, self.source)
            with stock_congestion_controls():
                return goodput(self.bench, hosts, self.store, self.source, ORDINARY)
        return program


def cancel(bench, hosts, store, by_sender, encryption):
    """Interrupts one side during a transfer.

    Returns the seconds until the other side reports the end, and until both processes have ended.
    """
    receiving = os.path.join(bench.folder("links"), "receiving")
    with Sender(bench, store, "bench", "--no-discovery", "--encryption", encryption,
                command=hosts.command("a")) as sender, tempfile.TemporaryFile() as output:
        receiver = Process(hosts.command("b", bench.binary, "receive", "--store", receiving, "--yes", "--format", "json",
                                         "--encryption", encryption, "--connect", f"{SENDER}:{sender.port}"),
                           output=output, errors=output)
        sender.wait("progress")
        # By then all queues on the way are full.
        time.sleep(2)
        begin = time.monotonic()
        if by_sender:
            sender.process.send_signal(signal.SIGINT)
            # `receive` reports the end, and may then look for another sender.
            while b"peerCancelled" not in os.pread(output.fileno(), 1 << 20, 0):
                if time.monotonic() - begin > 90:
                    raise Failure("receive did not report the interrupt of send")
                time.sleep(0.005)
            known = time.monotonic() - begin
            usage = receiver.wait(90)
            sender.process.wait(30)
            ended = max(receiver.ended, sender.process.ended) - begin
            output.seek(0)
            said = output.read().decode()
            if usage.code != 5 or "peerCancelled" not in said:
                raise Failure(f"after the interrupt of send receive ended with {usage.code} and wrote {said[-500:]}")
        else:
            receiver.send_signal(signal.SIGINT)
            sender.wait("notSent", "sent", "unconfirmed")
            known = time.monotonic() - begin
            usage = receiver.wait(90)
            # `send` continues, for other receivers.
            ended = receiver.ended - begin
            if usage.code != 130 or not any(line["code"] == "peerCancelled" for line in sender.lines("notSent")):
                raise Failure(f"after the interrupt receive ended with {usage.code}, and send wrote "
                              f"{sender.lines('notSent', 'sent', 'unconfirmed')}")
            sender.end()
    bench.remove(receiving)
    return known, ended


def cancels(bench, report, link):
    """Cancels by both sides at 1 Mbit/s, with the link full of data."""
    rows = []
    with cable("--rate", "1mbit") as hosts:
        for by_sender in (True, False):
            for encryption in ("required", "none"):
                who = f"{'sender' if by_sender else 'receiver'}, {'TLS' if encryption == 'required' else 'plain text'}"
                count = 1 if bench.quick else CANCELS
                found = []
                for number in range(count):
                    note(f"links: cancel at 1 Mbit/s by the {who}, {number + 1} of {count}")
                    found.append(cancel(bench, hosts, link.store, by_sender, encryption))
                known, ended = zip(*found)
                rows.append([who, spread(known), spread(ended)])
                # Not the median: every single cancel must be fast.
                report.mark(f"cancel at 1 Mbit/s by the {who}: known to the other side, the slowest of {count}",
                            [max(known)], most=1, unit="s")
                report.mark(f"cancel at 1 Mbit/s by the {who}: both have ended, the slowest of {count}",
                            [max(ended)], most=2, unit="s")
    report.section("A cancel at 1 Mbit/s", ["by", "known to the other side after s", "both have ended after s"], rows)


def measure(bench, report):
    rows = []

    def add(link, programs):
        found, seen = link.measure(report, programs)
        rows.extend([link.name, name, spread(values), seen[name]] for name, values in found.items())
        return found

    for name, megabytes, seconds, options in (
        ("200 Mbit/s", 250, 10, ["--rate", "200mbit"]),
        # In 10 s there are only a few thousand packets, of which chance may lose too many or too few.
        ("5 Mbit/s, 2 % loss each way", 18, 30, ["--rate", "5mbit", "--loss", "2"]),
    ):
        link = Link(bench, name, megabytes, *options, seconds=seconds)
        found = add(link, {"iperf3": link.iperf3(), "hikeshare": link.hikeshare()})
        if len(found) == 2:
            report.mark(f"{name}: hikeshare / iperf3", ratios(found["hikeshare"], found["iperf3"]), least=0.95)
        slow = link
    lossy = Link(bench, "50 Mbit/s, 1 % loss each way, 10 ms", 60, "--rate", "50mbit", "--loss", "1", "--delay", "5")
    found = add(lossy, {
        "iperf3": lossy.iperf3(), "iperf3 -P 4": lossy.iperf3("-P", "4"), "iperf3 -C bbr": lossy.iperf3("-C", "bbr"),
        "hikeshare, cubic only": lossy.hikeshare(ordinary=True),
        "hikeshare, bbr allowed": lossy.hikeshare()})
    for name in ("hikeshare, cubic only", "hikeshare, bbr allowed"):
        if name in found:
            report.mark(f"{lossy.name}: {name}", found[name], least=4.8, unit="MB/s")
    report.section("Links", ["link", "program", "MB/s", "connections, halfway"], rows)
    cancels(bench, report, slow)
