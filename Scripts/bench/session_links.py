"""Sessions over slow and lossy cables, beside a file, after a cut, and with discovery."""
import contextlib, json, os, time

from bench.figures import ratios, spread
from bench.files import make_map
from bench.hikeshare import Sender, store_of
from bench.hosts import RECEIVER, SENDER, cable, iperf3
from bench.processes import Process, kill_all
from bench.talkers import SESSIONS, Talker, result_of, session, talk_over
from common.paths import SCRIPTS
from common.processes import Failure, expect, note, run

# The connection outlives the first; the second ends it, and the link is carried by another one afterwards.
SHORT_CUT, LONG_CUT = 3, 10
MESSAGES_PER_SECOND = 50
# The link, the options of its cable, the megabytes of the map that crosses, and the highest p99 in ms.
BESIDE = [("loopback speed", [], 250, 5), ("200 Mbit/s", ["--rate", "200mbit"], 100, 20),
          ("5 Mbit/s", ["--rate", "5mbit"], 40, 150)]
STREAM, TRANSFER = "beside a stream of the same session", "beside a separate transfer by hikeshare"
FILE = "beside a file of the same session"


@contextlib.contextmanager
def transfers(bench, hosts, store):
    """hikeshare sends from host a to host b, again and again, until the end of the scope."""
    receiving = os.path.join(bench.folder("links"), "receiving")
    with Sender(bench, store, "bench", "--no-discovery", command=hosts.command("a")) as sender:
        again = 'store=$1; shift; while :; do rm -rf "$store"; "$@"; done'
        receiver = Process(hosts.command("b", "sh", "-c", again, "sh", receiving, bench.binary, "receive", "--store",
                                         receiving, "--quiet", "--yes", "--connect", f"{SENDER}:{sender.port}"))
        try:
            sender.wait("progress")
            # By then the queues on the way are full.
            time.sleep(2)
            began, bytes_before = time.monotonic(), sent_by(sender)
            rate = {}
            yield rate
            rate["megabytesBeside"] = (sent_by(sender) - bytes_before) / (time.monotonic() - began) / 1e6
        finally:
            receiver.kill()
    bench.remove(receiving)


def sent_by(sender):
    """The bytes that a sender has reported so far, of all transfers."""
    total, last = 0, 0
    for line in sender.lines("progress"):
        total += line["bytes"] - last if line["bytes"] >= last else line["bytes"]
        last = line["bytes"]
    return total


def paced(bench, hosts, *options, connect=(), listen=()):
    """Sends a message at equal times; returns how long they were on the way."""
    seconds = "1" if bench.quick else "10"
    return talk_over(bench, hosts, session("paced", "--seconds", seconds, *options, connect=connect, listen=listen),
                     RECEIVER)


def expect_all(result, what):
    expect(result["count"] == result["sent"], f"{what}: only {result['count']:.0f} of {result['sent']:.0f} messages came")


def one_beside(bench, hosts, store, source, how):
    options = ["--interval", str(1000 / MESSAGES_PER_SECOND)]
    if how == STREAM:
        result = paced(bench, hosts, *options, "--stream", "1", "--warm", "3")
    elif how == FILE:
        target = os.path.join(bench.folder("links"), "target.mbtiles")
        bench.remove(target)
        result = paced(bench, hosts, *options, "--warm", "3", connect=["--file", source], listen=["--file", target])
    elif how == TRANSFER:
        with transfers(bench, hosts, store) as rate:
            result = paced(bench, hosts, *options)
        result.update(rate)
    else:
        result = paced(bench, hosts, *options)
    expect_all(result, how)
    return result


def beside(bench, report):
    """Messages alone, beside a stream and beside a file of the same session, and beside a transfer by hikeshare."""
    rows = []
    for name, options, megabytes, most in BESIDE:
        folder = bench.folder(f"beside {name}")
        source, store = os.path.join(folder, "source.mbtiles"), os.path.join(folder, "store")
        make_map(source, megabytes * 10**6, mean=8000)
        store_of(bench, store, source, name="bench")
        found = {how: [] for how in ("alone", STREAM, FILE, TRANSFER)}
        with cable(*options) as hosts:
            for number in range(bench.link_rounds):
                for how in list(found):
                    note(f"sessions: {name}, round {number + 1} of {bench.link_rounds}, {how}")
                    try:
                        found[how].append(one_beside(bench, hosts, store, source, how))
                    except Failure as failure:
                        kill_all()
                        report.failed(f"sessions, {name}: {how}", failure)
                        del found[how]
        for how, done in found.items():
            figures = [spread([result[figure] / 1000 for result in done]) for figure in ("p50", "p99", "highest")]
            rows.append([name, how, *figures, spread([result.get("megabytesBeside", 0) for result in done])])
        if FILE in found:
            report.mark(f"{name}: message p99 {FILE}", [result["p99"] / 1000 for result in found[FILE]], most=most, unit="ms")
        report.figures[f"rounds of messages at {name}"] = found
        bench.remove(folder)
    report.section("One way of a message of 64 B, 50 in a second", ["link", "how", "p50, ms", "p99, ms", "highest, ms",
                                                                    "beside, MB/s"], rows)


def long_link(bench, report):
    """A stream over a link with a high product of rate and delay."""
    seconds = 1 if bench.quick else 10
    streams, ceiling = [], []
    rival = session("streams", "--warm", "0", "--seconds", str(seconds))
    with cable("--rate", "100mbit", "--delay", "10") as hosts:
        for number in range(bench.link_rounds):
            note(f"sessions: 100 Mbit/s, round {number + 1} of {bench.link_rounds}")
            ceiling.append(iperf3(hosts, seconds))
            streams.append(talk_over(bench, hosts, rival, RECEIVER)["megabytes"])
    report.section("A stream at 100 Mbit/s, 20 ms there and back", ["program", "MB/s"],
                   [["iperf3", spread(ceiling)], ["session", spread(streams)]])
    report.mark("stream at 100 Mbit/s, 20 ms: session / iperf3", ratios(streams, ceiling), least=0.9)


def droppable(bench, report):
    """Droppable messages on a lossy link: 60 in a second, 200 B."""
    done = []
    with cable("--loss", "1", "--delay", "10") as hosts:
        for number in range(bench.link_rounds):
            note(f"sessions: droppable messages, round {number + 1} of {bench.link_rounds}")
            done.append(paced(bench, hosts, "--length", "200", "--interval", str(1000 / 60), "--droppable", "1"))
    report.section("Droppable messages: 60 in a second, 200 B, 1 % loss each way, 10 ms each way",
                   ["p50, ms", "p99, ms", "highest, ms", "arrived, %"],
                   [[*(spread([result[figure] / 1000 for result in done]) for figure in ("p50", "p99", "highest")),
                     spread([100 * result["count"] / result["sent"] for result in done])]])
    report.mark("droppable messages, 1 % loss, 10 ms each way: p50", [result["p50"] / 1000 for result in done], most=12,
                unit="ms")


def cut(bench, hosts, outage):
    """Takes the cable out for some seconds; returns the seconds from its return to the first message after it."""
    seconds = outage + 11
    rival = session("paced", "--interval", "20", "--seconds", str(seconds))
    with Talker(bench, hosts.command("b", *rival.listening())) as listener:
        command = rival.connecting(listener.wait("listening"), RECEIVER)
        with Talker(bench, hosts.command("a", *command)) as connector:
            time.sleep(2)
            hosts.call("cut")
            time.sleep(outage)
            back = time.monotonic()
            hosts.call("join")
            result = result_of(listener, connector)
    expect_all(result, "after the cut")
    expect(result["gap"] > outage - 1, f"the longest gap was {result['gap']:.1f} s: the cut was not seen")
    return result["gapEnd"] - back


def cuts(bench, report):
    found = {outage: [] for outage in ([SHORT_CUT] if bench.quick else [SHORT_CUT, LONG_CUT])}
    with cable() as hosts:
        for number in range(bench.link_rounds):
            for outage, seconds in found.items():
                note(f"sessions: cable out for {outage} s, round {number + 1} of {bench.link_rounds}")
                seconds.append(cut(bench, hosts, outage))
    report.section("Cable out; every message arrived, once and in order", ["out for s", "resumed after s"],
                   [[outage, spread(seconds)] for outage, seconds in found.items()])
    report.mark(f"cable out {SHORT_CUT} s: the first message after it is back", found[SHORT_CUT], most=1, unit="s")


def discovery(bench, report):
    """From the start of a session's search to `connected`, in a network with an Avahi daemon."""
    times = 1 if bench.quick else 10
    script = ('"$1" meet listen --discovery 1 >/dev/null & sleep 2\n'
              '"$1" meet connect --discovery 1 --times "$2"; code=$?; kill $!; exit $code')
    note("sessions: discovery")
    shown = run([os.path.join(SCRIPTS, "own-network"), "sh", "-c", script, "sh", SESSIONS, str(times)])
    result = json.loads(shown.strip().splitlines()[-1])
    report.section("An invitation by discovery, from the start of the search", ["p50, s", "highest, s", "times"],
                   [[f"{result['p50'] / 1e6:.3f}", f"{result['highest'] / 1e6:.3f}", times]])
    report.mark("an invitation by discovery, p50", [result["p50"] / 1e6], most=0.7, unit="s", form="{:.3f}")


def measure(bench, report):
    for part in (discovery, cuts, long_link, droppable, beside):
        try:
            part(bench, report)
        except Failure as failure:
            kill_all()
            report.failed(f"sessions, {part.__name__}", failure)
