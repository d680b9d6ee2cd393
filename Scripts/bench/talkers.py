"""Programs with two sides that talk to each other and write lines of JSON: sessions, and what they are compared with."""
import os, tempfile

from bench.processes import Process
from common.hikeshare import JSONFile
from common.paths import RELEASE
from common.processes import PATIENCE, Failure, wait_until

SESSIONS = os.path.join(RELEASE, "SessionBench")


class Talker:
    """A program that writes lines of JSON; it is ended at the end of the scope."""

    def __init__(self, bench, command):
        self.file = tempfile.NamedTemporaryFile(dir=bench.folder("talkers"))
        self.output = JSONFile(self.file.name)
        self.process = Process(command, output=self.file)

    def __enter__(self):
        return self

    def wait(self, kind, count=1, limit=PATIENCE):
        """Waits for lines of a type; returns the last one."""
        def condition():
            found = self.output.lines(kind)
            if len(found) < count:
                self.process.expect_running()
            return len(found) >= count and found[-1]
        return wait_until(f"{self.process.name} writes {kind}", condition, limit, pause=0.01)

    def __exit__(self, *_):
        self.process.kill()
        self.output.close()
        self.file.close()


def result_of(listener, connector):
    """Waits for the result that one of two sides writes; returns it."""
    def results():
        return listener.output.lines("result") + connector.output.lines("result")

    def condition():
        running = [side.process.is_running for side in (listener, connector)]
        if found := results():
            return found[0]
        if not all(running):
            ended = [side.process for side, runs in zip((listener, connector), running) if not runs]
            raise Failure("; ".join(f"{process} ended without a result: {process.said()}" for process in ended))
        return None
    return wait_until(f"{connector.process.name} has a result", condition, pause=0.01)


class Rival:
    """A program of rivals/: its two sides, and the options that both get."""

    def __init__(self, *command, listen=(), connect=()):
        self.command, self.listen, self.connect = command, listen, connect

    def listening(self):
        return [*self.command, "listen", *self.listen]

    def connecting(self, line, host="127.0.0.1"):
        key = ["--key", line["key"]] if line.get("key") else []
        return [*self.command, "connect", "--to", f"{host}:{int(line['port'])}", *key, *self.connect]


def session(program, *both, listen=(), connect=()):
    """Both sides of a session, or of bare swift-nio."""
    return Rival(SESSIONS, program, listen=[*both, *listen], connect=[*both, *connect])


def talk(bench, rival):
    """Runs both sides over loopback; returns the result."""
    with Talker(bench, rival.listening()) as listener:
        with Talker(bench, rival.connecting(listener.wait("listening"))) as connector:
            return result_of(listener, connector)


def talk_over(bench, hosts, rival, host):
    """The same over a cable: host b listens, and host a connects, sends and asks."""
    with Talker(bench, hosts.command("b", *rival.listening())) as listener:
        command = rival.connecting(listener.wait("listening"), host)
        with Talker(bench, hosts.command("a", *command)) as connector:
            return result_of(listener, connector)
