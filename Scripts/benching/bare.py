"""The bare C program: what verified transfer costs without a protocol around it."""
import os

from benching.cases import Case, exchange
from benching.processes import free_port, run
from benching.rivals import make_certificate

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bare.c")


def build(cache):
    """Compiles it if it is older than its source; returns the program."""
    program = os.path.join(cache, "bare")
    if not os.path.exists(program) or os.path.getmtime(program) < os.path.getmtime(SOURCE):
        run(["gcc", "-std=c11", "-O2", "-Wall", "-Wextra", SOURCE, "-o", program, "-lssl", "-lcrypto", "-lpthread"])
    return program


class Bare(Case):
    """Reads, verifies and writes in one thread."""
    name = "bare C, plain + verified"
    options = []
    encrypted = False

    def prepare(self):
        self.program = os.path.join(self.bench.cache, "bare")
        self.list = os.path.join(self.bench.folder("bare"), "digests")
        if not os.path.exists(self.list):
            run([self.program, "digests", self.source, self.list])
        self.certificate = make_certificate(self.folder)

    def run(self):
        port = free_port()
        server, client = ([self.program, "receive", port, self.target, self.list, *self.options],
                          [self.program, "send", port, self.source])
        if self.encrypted:
            server += ["--tls", self.certificate]
            client += ["--tls"]
        return exchange(server, client, port)


class BareThreads(Bare):
    """Verifies and writes in another thread than it reads."""
    name = "bare C, plain + verified, two threads"
    options = ["--threads"]


class BareTLS(Bare):
    name = "bare C, TLS + verified"
    encrypted = True


class BareTLSThreads(BareTLS):
    name = "bare C, TLS + verified, two threads"
    options = ["--threads"]
