"""A program that moves a file from one tmpfs file to another over loopback, as one of many in a round."""
import os
from typing import NamedTuple

from bench.files import same
from bench.processes import Process, wait_listening
from common.processes import Failure


class Result(NamedTuple):
    """Seconds, CPU seconds of both sides together, and the most memory of the sender and of the receiver in MB."""
    seconds: float
    cpu: float
    sender: float
    receiver: float


class Case:
    """One program; `name` is what it is called in tables."""
    name = ""

    def __init__(self, bench, source):
        self.bench, self.source = bench, source
        self.folder = bench.folder(self.name)
        self.target = os.path.join(self.folder, "target")

    def prepare(self):
        """Makes what every round needs; not measured."""

    def run(self):
        """Moves the file; returns a result."""
        raise NotImplementedError

    def check(self):
        if not same(self.source, self.target):
            raise Failure(f"{self.name}: what arrived is not what was sent")

    def clean(self):
        if os.path.exists(self.target):
            os.unlink(self.target)

    def measure(self):
        """Runs it once, checks what came, and leaves nothing; returns the result."""
        self.clean()
        result = self.run()
        self.check()
        self.clean()
        return result


def exchange(server, client, port, sender="client", lasting=False):
    """Runs a server, and then a client, from whose start on the time is taken until both have ended.

    A lasting server ends when it is told to, after the time was taken.
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


