"""hikeshare itself, as a case and for the other groups."""
import os, shutil, signal, tempfile

from bench.case import Case, exchange
from bench.files import same
from bench.processes import Process, free_port
from common.hikeshare import JSONFile
from common.processes import PATIENCE, Failure, run, wait_until


def store_of(bench, path, *files, name=None):
    """Makes a store and imports files into it."""
    run([bench.binary, "import", *files, *(["--name", name] if name else []), "--store", path, "--quiet"])
    return path


def check_arrived(source, store, what="hikeshare"):
    """Checks that a store has a map, byte for byte."""
    for folder, _, files in os.walk(os.path.join(store, "regions")):
        if any(file.endswith(".mbtiles") and same(source, os.path.join(folder, file)) for file in files):
            return
    raise Failure(f"{what}: the received map differs from the source")


def send_command(bench, store, region, *options):
    return [bench.binary, "send", region, "--store", store, "--yes", "--no-discovery", *options]


def receive_command(bench, store, address, *options):
    return [bench.binary, "receive", "--store", store, "--quiet", "--yes", "--connect", address, *options]


def transfer(bench, sending, receiving, region="bench", encryption="required"):
    """Sends a region over loopback; measures the whole `receive`, and the rest of `send` after it."""
    port = free_port()
    return exchange(
        send_command(bench, sending, region, "--once", "--quiet", "--port", port, "--encryption", encryption),
        receive_command(bench, receiving, f"127.0.0.1:{port}", "--encryption", encryption), port, sender="server")


class Hikeshare(Case):
    name = "hikeshare TLS + verified"
    encryption = "required"

    def prepare(self):
        self.sending = os.path.join(self.bench.folder("hikeshare"), "sending")
        if not os.path.exists(self.sending):
            store_of(self.bench, self.sending, self.source)
        self.receiving = os.path.join(self.folder, "receiving")

    def run(self):
        return transfer(self.bench, self.sending, self.receiving, encryption=self.encryption)

    def check(self):
        check_arrived(self.source, self.receiving, self.name)

    def clean(self):
        shutil.rmtree(self.receiving, ignore_errors=True)


class HikesharePlain(Hikeshare):
    name = "hikeshare plain + verified"
    encryption = "none"


class Sender:
    """A `send` that writes JSON; it is ended at the end of the scope."""

    def __init__(self, bench, store, region, *options, command=()):
        """`command` comes before the program, for example to run it on a host; `options` are those of `send`."""
        self.file = tempfile.NamedTemporaryFile(dir=bench.folder("senders"))
        self.output = JSONFile(self.file.name)
        self.process = Process([*command, bench.binary, "send", region, "--store", store, "--yes", "--format", "json",
                                "--port", "0", "--show-loopback", *options], output=self.file)

    def __enter__(self):
        listening = self.wait("listening")
        self.port, self.link = listening["port"], listening.get("link")
        return self

    def lines(self, *types):
        return self.output.lines(*types)

    def wait(self, *types, limit=PATIENCE):
        """Waits for a line of one of some types; returns it."""
        def condition():
            found = self.lines(*types)
            if not found:
                self.process.expect_running()
            return found
        return wait_until(f"send writes {' or '.join(types)}", condition, limit)[0]

    def end(self):
        """Interrupts `send`; returns the usage."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(PATIENCE)

    def __exit__(self, *_):
        self.process.kill()
        self.output.close()
        self.file.close()
