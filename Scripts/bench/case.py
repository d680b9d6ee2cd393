"""A program that copies a file on the tmpfs over loopback; each round runs many of them."""
import os
from typing import NamedTuple

from bench.files import same
from bench.processes import Process, wait_listening
from common.processes import Failure


class Result(NamedTuple):
    """The seconds, the CPU seconds of both sides together, and the peak memory of the sender and the receiver in MB."""
    seconds: float
    cpu: float
    sender: float
    receiver: float


class Case:
    """One program; `name` is its name in tables."""
    name = ""

    def __init__(self, bench, source):
        self.bench, self.source = bench, source
        self.folder = bench.folder(self.name)
        self.target = os.path.join(self.folder, "target")

    def prepare(self):
        """Makes what every round needs. This is not measured."""

    def run(self):
        """Copies the file; returns the result."""
        raise NotImplementedError

    def check(self):
        if not same(self.source, self.target):
            raise Failure(f"{self.name}: the copy differs from the source")

    def clean(self):
        if os.path.exists(self.target):
            os.unlink(self.target)

    def measure(self):
        """Runs the program once, checks the copy and removes it; returns the result."""
        self.clean()
        result = self.run()
        self.check()
        self.clean()
        return result


def exchange(server, client, port, sender="client", lasting=False):
    """Starts a server and then a client; measures from the start of the client to the end of both.

    A lasting server does not end by itself. It is stopped after the end of the client, outside the measured time.
    """
    server = Process(server)
    try:
        wait_listening(port, server)
        client = Process(client)
        begin = client.began
        usage = client.expect_success()
        seconds = client.ended - begin
        if lasting:
            other = server.stop()
        else:
            other = server.expect_success(60)
            seconds = max(seconds, server.ended - begin)
    finally:
        server.kill()
    peaks = (usage.peak, other.peak) if sender == "client" else (other.peak, usage.peak)
    return Result(seconds, usage.cpu + other.cpu, *peaks)


