"""Groups of sessions on one machine: a message to several, a member that does not read, and what idle members cost.

Each member is a process with TLS links to all others. Rates are those of all that read, taken together: each counts what arrives
in windows that are the same time for all, and checks that no message is missing, changed or out of order.
"""
import signal, time
from statistics import median

from bench.figures import ratios, spread
from bench.members import Group, address
from bench.processes import kill_all, memory, processor_time, resident
from common.processes import Failure, note

# The members of a group beside the sender.
OTHERS = 7
# A larger group, for what each further member costs.
MANY = 16
LENGTHS = {"64 B": "64", "1 KiB": "1024"}
MIB = 1.048576
# The bounds of LinksOfSessions.md in MB. The member that does not read has one channel.
BOUND_STALLED = 13.6 * MIB
# The sender keeps records that are not acknowledged, an outbox, and the queue of each stream.
BOUND_SENDER = (1 + 1 + 126 / 16) * MIB


def rates(bench, length, few, stalled=False):
    """What the members which read get, all together, of messages to a few of them and of messages to all.

    The sender sends to few and to all in turn, so that a slow machine slows down both. With `stalled`, all are the few and
    one that does not read.
    """
    readers = OTHERS - stalled
    tasks = ["count"] * readers + ["stall"] * stalled + ["send"]
    sender = ["--few", str(few), "--stalled", str(int(stalled)), "--turns", "1" if bench.quick else "8"]
    with Group(bench, tasks, "--length", length, sender=sender) as group:
        windows = group.rates(readers, few)

    def mean(windows, figure):
        return sum(line[figure] for window in windows for line in window) / len(windows)

    return {name: {"rate": mean(found, "rate"), "megabytes": mean(found, "megabytes")}
            for name, found in zip(("few", "all"), windows)}


def idle(bench, count):
    """The memory of the members of an idle group, and their share of a core in percent."""
    with Group(bench, ["idle"] * count) as group:
        time.sleep(2)
        pids, seconds = [member.process.pid for member in group.members], 1 if bench.quick else 20
        used, before = [memory(pid) for pid in pids], [processor_time(pid) for pid in pids]
        began = time.monotonic()
        time.sleep(seconds)
        shares = [100 * (processor_time(pid) - start) / (time.monotonic() - began) for pid, start in zip(pids, before)]
        group.expect_running()
    return {"memory": max(each["VmRSS"] for each in used), "middle": median(each["VmRSS"] for each in used),
            "anonymous": median(each["RssAnon"] for each in used), "cpu": max(shares), "middleCPU": median(shares)}


def settled(pid):
    """The resident memory of a process in MB when it has not grown for a second."""
    highest, since = resident(pid), time.monotonic()
    while time.monotonic() - since < 1:
        time.sleep(0.05)
        if (now := resident(pid)) > highest + 0.05:
            highest, since = now, time.monotonic()
    return highest


def full(bench):
    """What a member that does not read, and all of whose windows are full, adds to its process and to that of the sender."""
    tasks = ["count"] * (OTHERS - 1) + ["stall", "fill"]
    with Group(bench, tasks, "--length", "1024", sender=["--stalled", "1", "--recipients", "2"]) as group:
        group.sender.wait("waiting")
        pids = {"sender": group.sender.process.pid, "stalled": group.members[-2].process.pid}
        before = {name: settled(pid) for name, pid in pids.items()}
        group.sender.process.send_signal(signal.SIGUSR1)
        group.sender.wait("full")
        after = {name: settled(pid) for name, pid in pids.items()}
        group.expect_running()
    return {name: after[name] - before[name] for name in pids}


class Cases:
    """What every round runs, and the results."""

    def __init__(self, bench):
        self.bench, self.results, self.cases = bench, {}, []
        for name, length in LENGTHS.items():
            self.add(f"{name}, several", lambda length=length: rates(bench, length, 1))
            self.add(f"{name}, stalled", lambda length=length: rates(bench, length, OTHERS - 1, stalled=True))
        self.add(f"{OTHERS + 1} members", lambda: idle(bench, OTHERS + 1))
        self.add(f"{MANY} members", lambda: idle(bench, MANY))
        self.add("full windows", lambda: full(bench))

    def add(self, name, case):
        self.cases.append((name, case))

    def run(self, report):
        for number in range(self.bench.rounds):
            for name, case in list(self.cases):
                note(f"groups: round {number + 1} of {self.bench.rounds}, {name}")
                try:
                    self.results.setdefault(name, []).append(case())
                except Failure as failure:
                    kill_all()
                    report.failed(f"groups, {name}", failure)
                    self.cases = [other for other in self.cases if other[0] != name]
                    self.results.pop(name, None)

    def values(self, name, figure):
        return [result[figure] for result in self.results.get(name, [])]

    def rows(self, figures, *names):
        return [[name, *(spread([result[figure] * scale for result in self.results[name]], form)
                         for figure, scale, form in figures)]
                for name in names if name in self.results]


def report_tables(report, cases):
    def shown(key, part, figure, scale=1):
        return spread([result[part][figure] * scale for result in cases.results[key]], "{:.1f}")

    report.section("Messages in a group", ["what", "thousands/s, all together", "MB/s"],
                   [[f"{name} to {who}", shown(key, part, "rate", 1e-3), shown(key, part, "megabytes")]
                    for name in LENGTHS
                    for key, part, who in ((f"{name}, several", "few", "one member"),
                                           (f"{name}, several", "all", f"{OTHERS} members"),
                                           (f"{name}, stalled", "few", f"{OTHERS - 1} members"),
                                           (f"{name}, stalled", "all", f"{OTHERS - 1} members and one that does not read"))
                    if key in cases.results])
    report.section("A group that does nothing",
                   ["what", "MB, most", "MB, middle", "of it not of files", "% of a core, most", "middle"],
                   cases.rows([("memory", 1, "{:.1f}"), ("middle", 1, "{:.1f}"), ("anonymous", 1, "{:.1f}"),
                               ("cpu", 1, "{:.3f}"), ("middleCPU", 1, "{:.3f}")],
                              f"{OTHERS + 1} members", f"{MANY} members"))
    report.section("A member that does not read, with full windows: what it adds",
                   ["", "MB, its own process", "MB, the sender"],
                   cases.rows([("stalled", 1, "{:.1f}"), ("sender", 1, "{:.1f}")], "full windows"))


def report_marks(report, cases):
    for name in LENGTHS:
        for case, what, least in (("several", f"{OTHERS} members, all together / to one", 0.8),
                                  ("stalled", f"{OTHERS - 1} members: with one that does not read / without", 0.97)):
            few, all_of_them = ([each["rate"] for each in cases.values(f"{name}, {case}", part)] for part in ("few", "all"))
            if few:
                report.mark(f"messages of {name} to {what}", ratios(all_of_them, few), least=least)
    eight, many = (cases.values(f"{count} members", "middle") for count in (OTHERS + 1, MANY))
    if eight:
        report.mark(f"memory of a member of {OTHERS + 1}, idle", cases.values(f"{OTHERS + 1} members", "memory"), most=45,
                    unit="MB", form="{:.0f}")
        report.mark(f"processor time of a member of {OTHERS + 1}, idle", cases.values(f"{OTHERS + 1} members", "cpu"),
                    most=0.3, unit="% of a core", form="{:.3f}")
    if eight and many:
        each = [(after - before) * 1000 / (MANY - OTHERS - 1) for before, after in zip(eight, many)]
        report.mark("memory of each further idle member", each, most=120, unit="KB", form="{:.0f}")
    for figure, bound, who in (("stalled", BOUND_STALLED, "its own process"), ("sender", BOUND_SENDER, "the sender")):
        if values := cases.values("full windows", figure):
            report.mark(f"full windows of a member that does not read: memory of {who}", values, most=round(bound, 1),
                        unit="MB", form="{:.1f}")


def measure(bench, report):
    cases = Cases(bench)
    with address():
        cases.run(report)
    report_tables(report, cases)
    report_marks(report, cases)
    report.figures["rounds of groups"] = cases.results
