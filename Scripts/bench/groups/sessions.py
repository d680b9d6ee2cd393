"""Sessions between two peers over loopback, compared with other programs that carry messages, requests or bytes.

Every program encrypts, and has two processes. The listening one counts what comes for a time, after a time that does not
count; in round trips, the connecting one does. Every message is checked: none may be missing, changed or out of order.
"""
import os, time

from bench import session_links
from bench.figures import ratios, spread
from bench.files import make_map, same
from bench.hikeshare import Hikeshare
from bench.processes import Process, free_port, kill_all, memory, processor_time, wait_listening
from bench.rivals.debian import SocatTLSLarge, make_certificate
from bench.rivals import iroh_rival
from bench.rivals.messaging import Messaging, counting_allocations
from bench.talkers import SESSIONS, Rival, Talker, result_of, session, talk
from common.processes import Failure, note

PEERS = 7
SESSION, BARE, SOCAT = "session", "bare swift-nio", SocatTLSLarge.name
# How a stream of gRPC is used: the client sends, or the server does.
GRPC_STREAMS = (("take", "gRPC C++ TLS stream, to the server"), ("give", "gRPC C++ TLS stream, to the client"))
# What is written to it at once where bytes are compared, as in a session.
GRPC_PIECE = 16 << 10


def socat(bench):
    """The MB/s of bytes that are read from nowhere and thrown away, from the start of the client to the end of both."""
    size, port = bench.size(1 << 30), free_port()
    certificate = make_certificate(bench.folder("socat"))
    server = Process(["socat", "-u", "-b", "262144",
                      f"OPENSSL-LISTEN:{port},bind=127.0.0.1,cert={certificate},verify=0", "OPEN:/dev/null"])
    try:
        wait_listening(port, server)
        client = Process(["socat", "-u", "-b", "262144", f"OPEN:/dev/zero,readbytes={size}",
                          f"OPENSSL:127.0.0.1:{port},verify=0"])
        client.expect_success()
        server.expect_success(60)
    finally:
        server.kill()
    return {"megabytes": size / 1e6 / (max(client.ended, server.ended) - client.began)}


def grpc_megabytes(bench, others, direction, timed):
    """The MB/s of a stream of gRPC whose messages are as long as the records of a session."""
    rate = talk(bench, others.grpc_stream(direction, *timed, "--length", str(GRPC_PIECE)))["rate"]
    return {"megabytes": rate * GRPC_PIECE / 1e6}


def idle(bench, peers):
    """The memory of a session whose peers do nothing, and its share of a core in percent."""
    with Talker(bench, session("idle").listening()) as listener:
        command = session("idle", connect=["--peers", str(peers)]).connecting(listener.wait("listening"))
        with Talker(bench, command) as others:
            others.wait("connected", peers)
            time.sleep(2)
            pid, seconds = listener.process.pid, 1 if bench.quick else 20
            whole, before = memory(pid), processor_time(pid)
            time.sleep(seconds)
            return {"memory": whole["VmRSS"], "allocated": whole["RssAnon"],
                    "cpu": 100 * (processor_time(pid) - before) / seconds}


def allocations(bench, report):
    """How often each side allocates memory for each message and each request.

    What is counted does not depend on other programs.
    """
    counting, rows = counting_allocations(bench), []
    for length in ("64", "1024"):
        options = ["--length", length, "--seconds", "0.2" if bench.quick else "2"]
        note(f"sessions: allocations for messages of {length} B")
        for name, program in ((SESSION, "messages"), (BARE, "bare-messages")):
            rival = Rival(*counting, SESSIONS, program, listen=options, connect=options)
            with Talker(bench, rival.listening()) as listener:
                with Talker(bench, rival.connecting(listener.wait("listening"))) as connector:
                    received = result_of(listener, connector)["allocations"]
                    sent = connector.wait("sent")["allocations"] if name == SESSION else None
            rows.append([f"{length} B", name, "" if sent is None else f"{sent:.2f}", f"{received:.2f}"])
            report.figures[f"allocations for a message of {length} B: {name}"] = {"sent": sent, "received": received}
    report.section("Allocations for each message", ["message", "program", "sending side", "receiving side"], rows)
    # The side that answers counts for a shorter time than the other one asks.
    listen, connect = [["--warm", str(warm), "--seconds", str(seconds)]
                       for warm, seconds in ([(0.05, 0.1), (0.1, 0.4)] if bench.quick else [(0.5, 1), (0.5, 2.5)])]
    rows = []
    for count in ("1", "64"):
        note(f"sessions: allocations for requests, {count} at once")
        rival = Rival(*counting, SESSIONS, "requests", listen=listen, connect=[*connect, "--outstanding", count])
        with Talker(bench, rival.listening()) as listener:
            with Talker(bench, rival.connecting(listener.wait("listening"))) as connector:
                asked, answered = (side.wait(kind)["allocations"]
                                   for side, kind in ((connector, "result"), (listener, "answered")))
        rows.append([count, f"{asked:.1f}", f"{answered:.1f}", f"{asked + answered:.1f}"])
        report.figures[f"allocations for a request of 64 B, {count} at once"] = {"asked": asked, "answered": answered}
    report.section("Allocations for each request of 64 B", ["at once", "asking side", "answering side", "both"], rows)


class Files:
    """A map that crosses in a session, and as a region of hikeshare; both ends are on the tmpfs.

    A session hashes the file before it offers it, hikeshare when the map is imported; neither is counted.
    """

    def __init__(self, bench):
        self.bench, self.folder = bench, bench.folder("session-file")
        self.source, self.target = (os.path.join(self.folder, name) for name in ("source.mbtiles", "target.mbtiles"))
        make_map(self.source, bench.size(1 << 30))
        self.region = Hikeshare(bench, self.source)
        self.region.prepare()

    def session(self):
        if os.path.exists(self.target):
            os.unlink(self.target)
        result = talk(self.bench, session("resource", listen=["--file", self.target], connect=["--file", self.source]))
        if not same(self.source, self.target):
            raise Failure("the file of the session differs from the source")
        return result

    def hikeshare(self):
        return {"megabytes": os.path.getsize(self.source) / 1e6 / self.region.measure().seconds}


class Cases:
    """What every round runs, by what is measured and by program; and the results."""

    def __init__(self, bench):
        self.bench, self.results = bench, {}
        others = Messaging(bench)
        timed = ["--seconds", "0.2" if bench.quick else "2"]
        self.cases = []

        def add(what, program, rival):
            self.cases.append((what, program, rival if callable(rival) else lambda: talk(bench, rival)))

        for name, length in (("messages of 64 B", "64"), ("messages of 1 KiB", "1024")):
            options = ["--length", length, *timed]
            add(name, SESSION, session("messages", *options))
            add(name, BARE, session("bare-messages", *options))
            add(name, "ZeroMQ CURVE", others.zeromq("messages", *options))
            for direction, program in GRPC_STREAMS:
                add(name, program, others.grpc_stream(direction, *options))
        add("chat lines in JSON", SESSION, session("lines", *timed))
        add("chat lines in JSON", "JSON alone", lambda: self.json(timed))
        add("round trips of 64 B", SESSION, session("echo", *timed))
        add("round trips of 64 B", BARE, session("bare-echo", *timed))
        add("round trips of 64 B", "ZeroMQ CURVE", others.zeromq("echo", *timed))
        add("round trips of 64 B", iroh_rival.NAME, iroh_rival.talk("echo", bench, *timed))
        for count in ("1", "64"):
            add(f"requests of 64 B, {count} at once", SESSION,
                session("requests", *timed, connect=["--outstanding", count]))
            add(f"requests of 64 B, {count} at once", "gRPC C++ TLS", others.grpc(*timed, "--outstanding", count))
            add(f"requests of 64 B, {count} at once", iroh_rival.NAME,
                iroh_rival.talk("requests", bench, *timed, connect=["--outstanding", count]))
        add("stream", SESSION, session("streams", *timed))
        add("stream", SOCAT, lambda: socat(bench))
        add("stream", iroh_rival.NAME, iroh_rival.talk("stream", bench, *timed))
        for direction, program in GRPC_STREAMS:
            add("stream", program, lambda direction=direction: grpc_megabytes(bench, others, direction, timed))
        add("three streams", "alone", session("streams", *timed, "--streams", "3"))
        add("three streams", "with a fourth, unread", session("streams", *timed, "--streams", "3", "--unread", "1"))
        times = ["--times", "2" if bench.quick else "20"]
        add("invitation", SESSION, session("meet", *times))
        add("invitation", "bare swift-nio, two handshakes and six round trips", session("bare-meet", *times))
        add("idle", "one peer", lambda: idle(bench, 1))
        add("idle", f"{PEERS} peers", lambda: idle(bench, PEERS))
        files = Files(bench)
        add("a file", SESSION, files.session)
        add("a file", "hikeshare", files.hikeshare)

    def json(self, timed):
        """The rate of the slower of writing and reading, one core each."""
        with Talker(self.bench, [SESSIONS, "json", "connect", *timed]) as talker:
            return talker.wait("result")

    def run(self, report):
        for number in range(self.bench.rounds):
            for what, program, case in list(self.cases):
                note(f"sessions: round {number + 1} of {self.bench.rounds}, {what}, {program}")
                try:
                    self.results.setdefault((what, program), []).append(case())
                except Failure as failure:
                    kill_all()
                    report.failed(f"sessions, {what}: {program}", failure)
                    self.cases = [other for other in self.cases if other[:2] != (what, program)]
                    self.results.pop((what, program), None)

    def values(self, what, program, figure):
        return [result[figure] for result in self.results.get((what, program), [])]

    def against(self, report, what, figure, other, program=SESSION, title=None, **bound):
        """Marks the ratio of a figure to that of another program."""
        over, under = self.values(what, program, figure), self.values(what, other, figure)
        if over and under:
            report.mark(f"{title or what}: {program} / {other}", ratios(over, under), **bound)

    def absolute(self, report, what, figure, program=SESSION, title=None, scale=1, **bound):
        if values := self.values(what, program, figure):
            report.mark(title or what, [value * scale for value in values], **bound)


def report_tables(report, cases):
    def rows(figures, form, *kinds, scale=1):
        return [[what, program, *(spread([result[figure] * scale for result in done], form) for figure in figures)]
                for (what, program), done in cases.results.items() if what.startswith(kinds)]

    report.section("Sessions over loopback: rates", ["what", "program", "thousands/s"],
                   rows(["rate"], "{:.1f}", "messages", "chat", "requests", scale=1e-3))
    report.section("Sessions over loopback: streams", ["what", "program", "MB/s"],
                   rows(["megabytes"], "{:.0f}", "stream", "three", "a file"))
    report.section("Sessions over loopback: times", ["what", "program", "p50, µs", "p99, µs"],
                   rows(["p50", "p99"], "{:.0f}", "round", "requests", "invitation"))
    report.section("A session that does nothing", ["what", "linked with", "MB", "% of a core"],
                   rows(["memory", "cpu"], "{:.3f}", "idle"))


def report_marks(report, cases):
    small, large, lines = "messages of 64 B", "messages of 1 KiB", "chat lines in JSON"
    cases.against(report, small, "rate", BARE, least=0.6)
    cases.absolute(report, small, "rate", least=300, scale=1e-3, unit="thousand/s", form="{:.0f}")
    cases.against(report, small, "rate", "ZeroMQ CURVE", least=0.6)
    cases.against(report, large, "rate", BARE, least=0.7)
    cases.absolute(report, large, "rate", least=200, scale=1024 / 1e6, unit="MB/s", form="{:.0f}")
    cases.against(report, lines, "rate", "JSON alone", least=0.6)
    trips = "round trips of 64 B"
    cases.against(report, trips, "p50", BARE, title=f"{trips}, p50", most=1.3)
    cases.against(report, trips, "p99", BARE, title=f"{trips}, p99", most=2)
    cases.against(report, trips, "p50", "ZeroMQ CURVE", title=f"{trips}, p50", most=2)
    cases.against(report, trips, "p99", "ZeroMQ CURVE", title=f"{trips}, p99", most=2)
    cases.against(report, "requests of 64 B, 1 at once", "rate", "gRPC C++ TLS", least=1)
    cases.against(report, "requests of 64 B, 64 at once", "rate", "gRPC C++ TLS", least=1)
    cases.against(report, "stream", "megabytes", SOCAT, least=0.7)
    cases.against(report, "three streams", "megabytes", "alone", program="with a fourth, unread", least=0.97)
    cases.against(report, "a file", "megabytes", "hikeshare", least=0.95)
    # What a region costs beside its bytes.
    cases.against(report, "a file", "megabytes", SESSION, program="hikeshare", least=0.85)
    stream, file = cases.values("stream", SESSION, "megabytes"), cases.values("a file", "hikeshare", "megabytes")
    if stream and file:
        report.mark("stream: session / a file by hikeshare", ratios(stream, file), least=0.95)
    cases.absolute(report, "invitation", "p50", title="an invitation by address, p50", most=15, scale=1e-3, unit="ms")
    one, many = (cases.values("idle", program, "allocated") for program in ("one peer", f"{PEERS} peers"))
    if one and many:
        each = [(b - a) * 1000 / (PEERS - 1) for a, b in zip(one, many)]
        report.mark("memory of each further idle peer", each, most=100, unit="KB", form="{:.0f}")
    cases.absolute(report, "idle", "memory", f"{PEERS} peers", title=f"memory with {PEERS} idle peers", most=45, unit="MB",
                   form="{:.0f}")
    cases.absolute(report, "idle", "cpu", f"{PEERS} peers", title=f"processor with {PEERS} idle peers", most=0.3,
                   unit="% of a core", form="{:.3f}")


def measure(bench, report):
    cases = Cases(bench)
    cases.run(report)
    report_tables(report, cases)
    report_marks(report, cases)
    report.figures["rounds of sessions"] = {f"{what}: {program}": done for (what, program), done in cases.results.items()}
    try:
        allocations(bench, report)
    except Failure as failure:
        kill_all()
        report.failed("sessions, allocations", failure)
    session_links.measure(bench, report)
