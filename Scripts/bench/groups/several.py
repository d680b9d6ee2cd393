"""Several receivers from one sender.

They use the link, because a sender lets only few unknown receivers at one address ask at the same time.
"""
import contextlib, json, os, subprocess, time
from concurrent.futures import ThreadPoolExecutor

from bench.figures import ratios, spread
from bench.files import make_map
from bench.hikeshare import Sender, check_arrived, store_of
from bench.processes import Process
from common.hosts import Hosts
from common.processes import Failure, note

RECEIVERS = 7
WAITING = "bcdefghi"
RATE = 200
"""Mbit/s of the cable of the sender that serves those."""
FIRST_SECONDS = 3
"""After these, what a receiver tells of the time that is left is compared with the truth, if it is left for some seconds."""


def receive(bench, sending, source, count):
    """Serves several receivers at once.

    Returns the MB/s of all together, and the peak memory of the sender in MB.
    """
    stores = [os.path.join(bench.folder("several"), f"receiving-{index}") for index in range(count)]
    size = os.path.getsize(source) / 1e6
    with Sender(bench, sending, "bench", "--no-discovery") as sender:
        receivers = [Process([bench.binary, "receive", sender.link, "--store", store, "--quiet", "--yes"])
                     for store in stores]
        for receiver in receivers:
            receiver.expect_success()
        usage = sender.end()
    for store in stores:
        check_arrived(source, store)
    bench.remove(*stores)
    begin = min(receiver.began for receiver in receivers)
    return count * size / (max(receiver.ended for receiver in receivers) - begin), usage.peak


def waits(bench, hosts, sending, source, in_turn):
    """Serves a map to all receivers over one cable.

    At once, each receiver has a sender of its own, so TCP alone divides the cable. Returns the seconds that each waits, sorted, and
    by which factor each was wrong with the first time that it told after the first seconds.
    """
    stores = {host: os.path.join(bench.folder("several"), f"waiting-{host}") for host in WAITING}
    command = hosts.command("a")
    with contextlib.ExitStack() as stack:
        def sender():
            return stack.enter_context(Sender(bench, sending, "bench", "--no-discovery", command=command))
        shared = sender() if in_turn else None
        senders = {host: shared or sender() for host in WAITING}
        receivers = {host: Process(hosts.command(host, bench.binary, "receive", senders[host].link, "--store", stores[host],
                                                 "--format", "json", "--yes"), output=subprocess.PIPE)
                     for host in WAITING}
        # All at once, because the time of the end is that at which somebody waits for it.
        with ThreadPoolExecutor(2 * len(receivers)) as pool:
            reading = [pool.submit(times_told, receiver) for receiver in receivers.values()]
            list(pool.map(Process.expect_success, receivers.values()))
            told = [each.result() for each in reading]
        if shared and not any(line["place"] > 2 for line in shared.lines("turn")):
            raise Failure("send told nobody of a place")
        for each in set(senders.values()):
            each.end()
    for store in stores.values():
        check_arrived(source, store)
    bench.remove(*stores.values())
    begin = min(receiver.began for receiver in receivers.values())
    errors = [error(times, begin, receiver.ended) for times, receiver in zip(told, receivers.values())]
    return sorted(receiver.ended - begin for receiver in receivers.values()), [each for each in errors if each]


def times_told(receiver):
    """Reads all lines of a program; returns when it told how many seconds were left."""
    told = []
    for text in receiver.popen.stdout:
        line = json.loads(text)
        if line.get("secondsLeft") is not None:
            told.append((time.monotonic(), line["secondsLeft"]))
    return told


def error(told, begin, end):
    """The factor by which the first time after the first seconds was wrong; None if nothing was told, or the end was near."""
    for moment, left in told:
        # Seconds are told without their fractions.
        true, said = end - moment, left + 0.5
        if moment - begin >= FIRST_SECONDS and true >= FIRST_SECONDS:
            return max(true / said, said / true)
    return None


def turns(bench, report):
    """Compares turns with all at once on a slow cable, which the load of the machine does not change."""
    folder = bench.folder("turns")
    source, sending = os.path.join(folder, "source.mbtiles"), os.path.join(folder, "sending")
    make_map(source, (8 if bench.quick else 64) << 20)
    store_of(bench, sending, source, name="bench")
    found, wrong = {True: [], False: []}, []
    with Hosts("bench", "--net", "v4", "--count", str(len(WAITING) + 1), "--rate", f"{RATE}mbit") as hosts:
        for number in range(bench.link_rounds):
            for in_turn in (True, False):
                note(f"several: {'in turn' if in_turn else 'at once'}, round {number + 1} of {bench.link_rounds}")
                seconds, errors = waits(bench, hosts, sending, source, in_turn)
                found[in_turn].append(seconds)
                wrong += errors if in_turn else []
    means = {how: [sum(each) / len(each) for each in rounds] for how, rounds in found.items()}
    lasts = {how: [each[-1] for each in rounds] for how, rounds in found.items()}
    report.section(f"{len(WAITING)} receivers of {os.path.getsize(source) / 2**20:.0f} MiB over {RATE} Mbit/s",
                   ["how", "first after s", "mean s", "last s"],
                   [["in turn" if how else "at once", spread([each[0] for each in rounds]), spread(means[how]),
                     spread(lasts[how])] for how, rounds in found.items()])
    report.mark(f"{len(WAITING)} receivers, mean wait in turn / at once", ratios(means[True], means[False]), most=0.6)
    report.mark(f"{len(WAITING)} receivers, the last one in turn / at once", ratios(lasts[True], lasts[False]), most=1.05)
    # Eight senders do not know of one another, so only those that one sender serves can be told what will come.
    if wrong:
        report.mark(f"{len(WAITING)} receivers in turn, the time told after {FIRST_SECONDS} s: wrong by the factor", wrong,
                    most=2)
    bench.remove(folder)


def measure(bench, report):
    folder = bench.folder("several")
    source, sending = os.path.join(folder, "source.mbtiles"), os.path.join(folder, "sending")
    make_map(source, min(256, bench.mib) << 20)
    store_of(bench, sending, source)
    bench.warm()
    singles, totals, peaks = [], [], []
    for number in range(bench.rounds):
        note(f"several: round {number + 1} of {bench.rounds}")
        singles.append(receive(bench, sending, source, 1)[0])
        total, peak = receive(bench, sending, source, RECEIVERS)
        totals.append(total)
        peaks.append(peak)
    report.section(f"{RECEIVERS} receivers at once of {os.path.getsize(source) / 2**20:.0f} MiB, TLS", ["what", "value"], [
        ["one receiver alone, MB/s", spread(singles, "{:.0f}")],
        [f"{RECEIVERS} together, MB/s", spread(totals, "{:.0f}")],
        ["most MB, sender", f"{max(peaks):.0f}"]])
    report.mark(f"{RECEIVERS} receivers together / one alone", ratios(totals, singles), least=0.9)
    report.mark(f"most memory of the sender with {RECEIVERS} receivers", [max(peaks)], most=48 + 8 * RECEIVERS, unit="MB",
                form="{:.0f}")
    bench.remove(folder)
    turns(bench, report)
