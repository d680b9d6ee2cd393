"""The processes of hikeshare and their output."""
import os, signal, subprocess

from formats import share_links
from common.hikeshare import JSONFile
from common.processes import PATIENCE, Failure, expect, wait_until

# Seconds between two checks of what the programs wrote.
PAUSE = 0.02
# From Docs/CLI.md.
EXIT_CODES = {0, 1, 2, 3, 4, 5, 6, 7, 8, 64, 130}


class Program:
    """A process of hikeshare on a host; its output goes to two files."""

    def __init__(self, soak, side, log, arguments, text=None):
        self.log, self.arguments = log, arguments
        # The signals that the soak sent.
        self.signals = set()
        with open(log + ".out", "wb") as output, open(log + ".err", "wb") as errors:
            self.process = subprocess.Popen(
                soak.network.command(side, soak.binary, *arguments, "--format", "json"), stdout=output, stderr=errors,
                stdin=subprocess.DEVNULL if text is None else subprocess.PIPE, env=soak.environment,
                start_new_session=True)
        if text is not None:
            self.process.stdin.write(text.encode() + b"\n")
            self.process.stdin.close()
        self.output, self.errors = JSONFile(log + ".out"), JSONFile(log + ".err")

    def lines(self, *types):
        return self.output.lines(*types)

    @property
    def code(self):
        """The exit code; None while the process runs."""
        return self.process.poll()

    def send_signal(self, number):
        if self.code is None:
            self.signals.add(number)
            self.process.send_signal(number)

    def end(self, number=signal.SIGINT, limit=PATIENCE):
        """Ends the process; returns the exit code."""
        self.send_signal(signal.SIGCONT)
        self.send_signal(number)
        try:
            return self.process.wait(limit)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise Failure(f"{self} has not ended {limit} s after signal {number}")

    def check_code(self, allowed):
        """Checks the exit code: is it allowed, and does it agree with the reported error?"""
        code = self.code
        if code < 0:
            expect(-code in self.signals, f"{self} was ended by signal {-code}")
            return
        expect(code in EXIT_CODES, f"{self} ended with {code}, which is not an exit code of hikeshare")
        if signal.SIGINT in self.signals:
            allowed = allowed | {130}
        expect(code in allowed, f"{self} ended with {code}; expected one of {sorted(allowed)}")
        said = [line.get("exitCode") for line in self.errors.lines("error")]
        expect(said == ([code] if code else []), f"{self} ended with {code} and reported errors with {said}")

    def __str__(self):
        return f"hikeshare {' '.join(self.arguments)} (pid {self.process.pid}, {self.log})"


class Sender:
    """A `send` of a region: one process, or several in sequence if it is killed or restarted."""

    def __init__(self, soak, store, region, name, log, *options):
        self.soak, self.store, self.region, self.name, self.log, self.options = soak, store, region, name, log, options
        self.programs = []
        # How often the process was killed, so that it could not report its transfers.
        self.deaths = 0
        self.start()

    def start(self, port=None):
        arguments = ["send", self.region, "--store", self.store.path, "--name", self.name, "--port", str(port or 0),
                     *self.options]
        self.program = Program(self.soak, "a", f"{self.log}-{len(self.programs) + 1}", arguments)
        self.programs.append(self.program)

        def listening():
            expect(self.program.code is None, f"{self.program} ended with {self.program.code} before it listened")
            return self.program.lines("listening")
        self.listening, = wait_until(f"{self.program} listens", listening, pause=PAUSE)
        self.port = self.listening["port"]

    def kill(self):
        self.deaths += 1
        self.program.end(signal.SIGKILL)

    def stop(self):
        self.program.end()
        self.program.check_code(set())

    def link(self):
        """The link, with the current address of the host."""
        shown = [line["link"] for line in self.program.lines("listening", "network") if line.get("link")]
        link = share_links.parse(shown[-1])
        return str(share_links.ShareLink([(self.soak.network.address("a"), self.port)], link.id, link.token))

    def lines(self, peer, *types):
        return [line for program in self.programs for line in program.lines(*types)
                if line.get("peer", {}).get("id") == peer]

    def unreported(self, peer):
        """The number of transfers with a peer that a killed process could not report the end of."""
        def count(program, *types):
            return sum(line.get("peer", {}).get("id") == peer for line in program.lines(*types))
        return sum(count(program, "invitation") - count(program, "sent", "notSent", "unconfirmed")
                   for program in self.programs if signal.SIGKILL in program.signals)

    def usage(self):
        """The number of open descriptors and of threads, and the resident memory in MiB, now and at its peak.

        Descriptors of the store's database do not count: the store opens up to five connections when it needs them.
        """
        pid = self.program.process.pid
        with open(f"/proc/{pid}/status") as file:
            status = dict(line.rstrip("\n").split(":\t", 1) for line in file)
        memory = [int(status[name].split()[0]) / 1024 for name in ("VmRSS", "VmHWM")]
        return sum(not is_database(pid, number) for number in os.listdir(f"/proc/{pid}/fd")), int(status["Threads"]), *memory


def is_database(pid, number):
    """Whether a descriptor belongs to a store's database."""
    try:
        return "/hikeshare.sqlite" in os.readlink(f"/proc/{pid}/fd/{number}")
    except OSError:
        return False
