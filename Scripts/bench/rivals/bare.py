"""The bare C program: the cost of a verified transfer without a protocol."""
import os

from bench.case import Case, exchange
from bench.processes import free_port
from bench.rivals.debian import make_certificate
from common.paths import RELEASE, ROOT
from common.processes import run

SOURCE = os.path.join(os.path.dirname(__file__), "bare.c")
HEADERS = [os.path.join(ROOT, ".build", "checkouts", "swift-nio-ssl", "Sources", "CNIOBoringSSL", "include"),
           os.path.join(ROOT, "Sources", "CSHA256", "include")]
# The TLS and the SHA-256 of hikeshare.
LIBRARIES = [os.path.join(RELEASE, name) for name in ["CNIOBoringSSL.build", "CSHA256.build"]]


def build(cache):
    """Compiles the program with the object files of TLS and SHA-256 from the release build of hikeshare."""
    program = os.path.join(cache, "bare")
    objects = [sorted(os.path.join(folder, file) for folder, _, files in os.walk(library) for file in files
                      if file.endswith(".o")) for library in LIBRARIES]
    if not all(objects):
        raise SystemExit("The bare C program needs a release build of hikeshare; make it with Scripts/release.")
    objects = sum(objects, [])
    newest = max(map(os.path.getmtime, [SOURCE, *objects]))
    if not os.path.exists(program) or os.path.getmtime(program) < newest:
        includes = [f"-I{folder}" for folder in HEADERS]
        run(["gcc", "-std=c11", "-O2", "-Wall", "-Wextra", *includes, SOURCE, *objects, "-o", program,
             "-lstdc++", "-lpthread"])


class Bare(Case):
    """Reads, verifies and writes in one thread; with keepers, so many other threads verify and write."""
    name = "bare C, plain + verified"
    keepers = 0
    encrypted = False

    def prepare(self):
        self.program = os.path.join(self.bench.cache, "bare")
        self.list = os.path.join(self.bench.folder("bare"), "digests")
        if not os.path.exists(self.list):
            run([self.program, "digests", self.source, self.list])
        self.certificate = make_certificate(self.folder)

    def run(self):
        port = free_port()
        server, client = ([self.program, "receive", port, self.target, self.list, "--keepers", str(self.keepers)],
                          [self.program, "send", port, self.source])
        if self.encrypted:
            server += ["--tls", self.certificate]
            client += ["--tls"]
        return exchange(server, client, port)


class BareTwo(Bare):
    name = "bare C, plain + verified, two threads"
    keepers = 1


class BareThree(Bare):
    name = "bare C, plain + verified, three threads"
    keepers = 2


class BareTLS(Bare):
    name = "bare C, TLS + verified"
    encrypted = True


class BareTLSTwo(BareTLS):
    name = "bare C, TLS + verified, two threads"
    keepers = 1


class BareTLSThree(BareTLS):
    name = "bare C, TLS + verified, three threads"
    keepers = 2


PLAIN = [Bare, BareTwo, BareThree]
TLS = [BareTLS, BareTLSTwo, BareTLSThree]
