"""ZeroMQ and gRPC: they carry messages or requests with encryption."""
import os

from bench.rivals.debian import make_certificate
from bench.talkers import Rival
from common.processes import run

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGES = ["libzmq3-dev", "libgrpc++-dev"]


def counting_allocations(bench):
    """How a program is started so that it can count its own allocations."""
    library = os.path.join(bench.cache, "allocations.so")
    run(["gcc", "-std=c11", "-O2", "-Wall", "-Wextra", "-shared", "-fPIC", os.path.join(HERE, "allocations.c"), "-o", library])
    return ["env", f"LD_PRELOAD={library}"]


def build(cache):
    """Compiles the programs that are older than their sources."""
    if is_older(cache, "zeromq", "zeromq.c", "measuring.h"):
        run(["gcc", "-std=c11", "-D_GNU_SOURCE", "-O2", "-Wall", "-Wextra", os.path.join(HERE, "zeromq.c"),
             "-o", os.path.join(cache, "zeromq"), "-lzmq"])
    for program in ("grpc", "grpc_streams"):
        if is_older(cache, program, f"{program}.cc", "grpc.h", "question.proto", "measuring.h"):
            build_grpc(cache, program)


def is_older(cache, program, *sources):
    path = os.path.join(cache, program)
    newest = max(os.path.getmtime(os.path.join(HERE, source)) for source in sources)
    return not os.path.exists(path) or os.path.getmtime(path) < newest


def build_grpc(cache, program):
    made = os.path.join(cache, "protocol")
    os.makedirs(made, exist_ok=True)
    plugin = run(["which", "grpc_cpp_plugin"]).strip()
    run(["protoc", "-I", HERE, f"--cpp_out={made}", f"--grpc_out={made}", f"--plugin=protoc-gen-grpc={plugin}",
         "question.proto"])
    libraries = run(["pkg-config", "--libs", "grpc++", "protobuf"]).split()
    run(["g++", "-std=c++17", "-O2", "-Wall", "-Wextra", f"-I{made}", f"-I{HERE}", os.path.join(HERE, f"{program}.cc"),
         os.path.join(made, "question.pb.cc"), os.path.join(made, "question.grpc.pb.cc"),
         "-o", os.path.join(cache, program), *libraries])


class Messaging:
    """The programs, with a certificate."""

    def __init__(self, bench):
        self.cache = bench.cache
        self.pem = ["--pem", make_certificate(bench.folder("messaging"))]

    def zeromq(self, program, *options):
        return Rival(os.path.join(self.cache, "zeromq"), program, listen=options, connect=options)

    def grpc(self, *options):
        return Rival(os.path.join(self.cache, "grpc"), listen=self.pem, connect=[*options, *self.pem])

    def grpc_stream(self, direction, *options):
        """Messages over one stream: `take`, the client sends them; `give`, the server does."""
        both = [*options, *self.pem]
        return Rival(os.path.join(self.cache, "grpc_streams"), direction, listen=both, connect=both)
