"""Rates and CPU time compared with other programs, from tmpfs to tmpfs."""
import os

from bench.rivals import bare
from bench.figures import ratios, spread
from bench.files import make_map
from bench.hikeshare import Hikeshare, HikesharePlain
from bench.parts import Parts
from bench.processes import kill_all
from bench.rivals.debian import Iperf3, RsyncDaemon, RsyncSSH, Scp, Socat, SocatTLS, SocatTLSLarge
from bench.rivals.syncthing import Syncthing
from bench.rivals.wormhole import Wormhole
from common.processes import Failure, note

CASES = [Iperf3, Socat, *bare.PLAIN, HikesharePlain, RsyncDaemon, SocatTLS, SocatTLSLarge, Hikeshare, *bare.TLS, Scp,
         RsyncSSH, Syncthing, Wormhole]
# The wanted ratio of the rates of two programs.
WANTED = [
    (Hikeshare, SocatTLS, 1.3), (Hikeshare, Scp, 2.5), (Hikeshare, RsyncSSH, 2.5), (Hikeshare, Wormhole, 2.5),
    (Hikeshare, Syncthing, 2.5), (HikesharePlain, Iperf3, 0.7), (HikesharePlain, RsyncDaemon, 1.0),
]
# Ratios without a mark.
REPORTED = [
    (Hikeshare, SocatTLSLarge), *((Hikeshare, case) for case in bare.TLS), *((HikesharePlain, case) for case in bare.PLAIN),
    (HikesharePlain, Socat),
]
# The bare C programs that do the same. The best one of each round counts.
BARE = {Hikeshare: bare.TLS, HikesharePlain: bare.PLAIN}


def measure(bench, report):
    folder = bench.folder("rates")
    source = os.path.join(folder, "bench.mbtiles")
    note(f"rates: making a map of {bench.mib} MiB")
    make_map(source, bench.mib << 20)
    size = os.path.getsize(source)
    cases = [case(bench, source) for case in CASES]
    for case in cases:
        case.prepare()
    bench.warm()
    parts = Parts(bench, source, next(case for case in cases if case.name == Hikeshare.name).sending)
    results = {case.name: [] for case in cases}
    for number in range(bench.rounds):
        parts.measure()
        for case in cases:
            if case.name not in results:
                continue
            note(f"rates: round {number + 1} of {bench.rounds}, {case.name}")
            try:
                results[case.name].append(case.measure())
            except Failure as failure:
                kill_all()
                report.failed(f"rates, {case.name}", failure)
                del results[case.name]
    rates = {name: [size / result.seconds / 1e6 for result in done] for name, done in results.items()}
    costs = {name: [result.cpu / (size / 1e9) for result in done] for name, done in results.items()}
    report.section(
        f"Rates: {size / 2**20:.0f} MiB, {bench.rounds} rounds, {os.cpu_count()} cores; medians (lowest-highest)",
        ["program", "MB/s", "CPU s/GB, both sides", "most MB, sender", "most MB, receiver"],
        [[name, spread(rates[name], "{:.0f}"), spread(costs[name]), f"{max(result.sender for result in done):.0f}",
          f"{max(result.receiver for result in done):.0f}"] for name, done in results.items()])
    best = {case: best_of(rates, programs, max) for case, programs in BARE.items()}
    rows = []
    for one, other, wanted in WANTED + [(one, other, None) for one, other in REPORTED]:
        if one.name not in rates or other.name not in rates:
            continue
        values = ratios(rates[one.name], rates[other.name])
        rows.append([f"{one.name} / {other.name}", spread(values)])
        if wanted:
            bound = ratios(best[one], rates[other.name])
            if bound:
                rows.append([f"the best bare C / {other.name}", spread(bound)])
            report.mark(f"{one.name} / {other.name}", values, least=wanted, bare=bound)
    for case, least in ((Hikeshare, 0.85), (HikesharePlain, 0.9)):
        if case.name in rates and best[case]:
            report.mark(f"{case.name} / the best bare C", ratios(rates[case.name], best[case]), least=least)
    report.section("Ratios of each round", ["ratio of rates", "median (lowest-highest)"], rows)
    if {Hikeshare.name, Socat.name, *(case.name for case in bare.TLS)} <= set(costs):
        report_cost(report, parts, costs)
    report.figures["rounds"] = {name: [result._asdict() for result in done] for name, done in results.items()}
    bench.remove(folder, *(case.folder for case in cases), bench.folder("hikeshare"), bench.folder("bare"))


def best_of(values, cases, best):
    """The best value of the cases in each round; empty if a case was not measured."""
    if any(case.name not in values for case in cases):
        return []
    return [best(round) for round in zip(*(values[case.name] for case in cases))]


def report_cost(report, parts, costs):
    """Reports the CPU time, compared with bare C: no known program does the same steps in less time."""
    bound = best_of(costs, BARE[Hikeshare], min)
    lines = [
        ("SHA-256 alone, one chunk after the other, once", parts.hash),
        (f"{parts.cipher} alone, which hikeshare's two sides choose, once", parts.encrypt),
        ("a copy of the file alone (dd, 512 KiB), once", parts.copy),
        (f"{Socat.name}, which checks and encrypts nothing", costs[Socat.name]),
        *((case.name, costs[case.name]) for case in (*bare.TLS, SocatTLS, Hikeshare) if case.name in costs),
    ]
    report.section("CPU time", ["what", "CPU s/GB", "times the best bare C"],
                   [[what, spread(values), spread(ratios(values, bound))] for what, values in lines])
    report.mark("CPU of both sides with TLS / the best bare C", ratios(costs[Hikeshare.name], bound), most=1.15)
