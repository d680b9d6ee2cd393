"""localsendd: a program of other people that speaks LocalSend, as phones do. Scripts/setup installs it."""
import json, os, re, socket, subprocess, threading, time

from bench.processes import Process
from common.paths import ROOT
from common.processes import PATIENCE, Failure, run, wait_until

FOLDER = os.path.join(ROOT, ".build", "localsend")
PYTHON = "/usr/bin/python3"
VERSION = "localsendd 0.1.1"


class Phone:
    """A phone on a host. What it shows is read from its events as they come."""

    def __init__(self, bench, hosts, host, name):
        self.name, self.folder = name, bench.folder("phone-" + name)
        self.received, path = os.path.join(self.folder, "received"), os.path.join(self.folder, "socket")
        run(hosts.command(host, "ip", "route", "replace", "224.0.0.0/4", "dev", "lan0"))
        self.process = Process(hosts.command(
            host, "env", f"HOME={self.folder}", f"PYTHONPATH={FOLDER}", "PYTHONDONTWRITEBYTECODE=1", PYTHON, "-m", "localsendd",
            "--socket", path, "--alias", name, "--download-dir", self.received))
        wait_until(f"{name} has started", lambda: os.path.exists(path) or self.process.expect_running(), pause=0.01)
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.states, self.changed = [], threading.Condition()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        """Keeps every state with the time at which it came."""
        with self.socket.makefile("rb") as lines:
            for line in lines:
                event = json.loads(line)
                if event.get("type") == "state":
                    with self.changed:
                        self.states.append((time.monotonic(), event["data"]))
                        self.changed.notify_all()
        with self.changed:
            self.states.append((time.monotonic(), None))
            self.changed.notify_all()

    def wait(self, what, condition, after=0):
        """Waits for a state that came after a time; returns when it came, and the state."""
        limit = time.monotonic() + PATIENCE
        with self.changed:
            while True:
                for came, state in self.states:
                    if state is None:
                        raise Failure(f"{self.name} has ended: {self.process.said()}")
                    if came > after and condition(state):
                        return came, state
                if not self.changed.wait(limit - time.monotonic()):
                    raise Failure(f"not within {PATIENCE} s: {self.name}: {what}")

    def tap(self, method, **parameters):
        self.socket.sendall(json.dumps({"id": 1, "method": method, "params": parameters}).encode() + b"\n")

    def finds(self, name):
        self.wait(f"{name} is found", lambda state: any(device["alias"] == name for device in state["devices"]))

    def accept(self, after):
        """Says yes to the next question."""
        _, state = self.wait("somebody sends", lambda state: state["incoming"], after)
        self.tap("confirm_receive", sessionId=state["incoming"]["sessionId"], confirmed=True)

    def transfer(self, after):
        """Waits for the end of the next transfer, which must succeed; returns the seconds from its first to its last byte."""
        begin, _ = self.wait("it begins", lambda state: (state["active"] or {}).get("phase") == "transferring", after)
        end, state = self.wait("it ends", lambda state: state["result"] and not state["active"], begin)
        if state["result"]["kind"] not in ("sent", "received"):
            raise Failure(f"{self.name}: {state['result']}")
        self.tap("dismiss_result")
        return end - begin

    def end(self):
        self.process.kill()
        self.socket.close()


class Terminal:
    """A program in a terminal, in which a person answers questions."""

    def __init__(self, command, **environment):
        self.master, slave = os.openpty()
        self.text = ""
        self.process = subprocess.Popen(["setsid", "-c", *map(str, command)], stdin=slave, stdout=slave, stderr=slave,
                                        env={**os.environ, "TERM": "xterm", **environment})
        os.close(slave)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        data = b""
        try:
            while piece := os.read(self.master, 65536):
                data += piece
                self.text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", data.decode(errors="replace"))
        except OSError:
            pass

    def wait(self, pattern, after=0):
        """Waits until a pattern is on the screen, later than a number of characters; returns how many there are then."""
        def condition():
            if self.process.poll() is not None:
                raise Failure(f"{self.process.args} has ended: {self.text[-2000:]}")
            return re.search(pattern, self.text[after:]) and len(self.text)
        return wait_until(f"{pattern} in {self.text[-500:]!r}", condition, pause=0.01)

    def type(self, text):
        os.write(self.master, text.encode())

    def end(self):
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.master)
