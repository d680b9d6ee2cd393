"""Several receivers at once from one sender.

They use the link, because a sender lets only few unknown receivers at one address ask at the same time.
"""
import os

from bench.figures import ratios, spread
from bench.files import make_map
from bench.hikeshare import Sender, check_arrived, store_of
from bench.processes import Process
from common.processes import note

RECEIVERS = 7


def receive(bench, sending, source, count):
    """Serves several receivers at once.

    Returns the MB/s of all together and of each receiver, and the peak memory of the sender in MB.
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
    return (count * size / (max(receiver.ended for receiver in receivers) - begin),
            [size / (receiver.ended - receiver.began) for receiver in receivers], usage.peak)


def measure(bench, report):
    folder = bench.folder("several")
    source, sending = os.path.join(folder, "source.mbtiles"), os.path.join(folder, "sending")
    make_map(source, min(256, bench.mib) << 20)
    store_of(bench, sending, source)
    bench.warm()
    singles, totals, fairness, peaks = [], [], [], []
    for number in range(bench.rounds):
        note(f"several: round {number + 1} of {bench.rounds}")
        singles.append(receive(bench, sending, source, 1)[0])
        total, each, peak = receive(bench, sending, source, RECEIVERS)
        totals.append(total)
        fairness.append(min(each) / (sum(each) / len(each)))
        peaks.append(peak)
    report.section(f"{RECEIVERS} receivers at once of {os.path.getsize(source) / 2**20:.0f} MiB, TLS", ["what", "value"], [
        ["one receiver alone, MB/s", spread(singles, "{:.0f}")],
        [f"{RECEIVERS} together, MB/s", spread(totals, "{:.0f}")],
        ["the slowest of them / their mean", spread(fairness)],
        ["most MB, sender", f"{max(peaks):.0f}"]])
    report.mark(f"{RECEIVERS} receivers together / one alone", ratios(totals, singles), least=0.9)
    report.mark("the slowest of them / their mean", [min(fairness)], least=0.5)
    report.mark(f"most memory of the sender with {RECEIVERS} receivers", [max(peaks)], most=48 + 8 * RECEIVERS, unit="MB",
                form="{:.0f}")
    bench.remove(folder)
