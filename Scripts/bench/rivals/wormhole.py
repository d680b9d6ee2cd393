"""magic-wormhole, with a mailbox server of its own and no relay."""
import os, sys

from bench.case import Case, Result
from bench.processes import Process, free_port, wait_listening
from common.processes import run, wait_until

PACKAGES = ["magic-wormhole==0.24.0", "magic-wormhole-mailbox-server==0.8.0"]


def install(cache):
    """Makes the virtual environment that the program lives in, if it is not there; returns the folder of its programs."""
    folder = os.path.join(cache, "wormhole")
    programs = os.path.join(folder, "bin")
    if not all(os.path.exists(os.path.join(programs, name)) for name in ("wormhole", "twist")):
        run([sys.executable, "-m", "venv", "--clear", folder])
        run([os.path.join(programs, "pip"), "install", "-q", *PACKAGES])
    return programs


class Wormhole(Case):
    """From the start of `receive`, when `send` has announced its code, to the end of both."""
    name = "magic-wormhole"
    code = "7-bench-mark"

    def run(self):
        port = free_port()
        programs = os.path.join(self.bench.cache, "wormhole", "bin")
        client = [os.path.join(programs, "wormhole"), "--relay-url", f"ws://127.0.0.1:{port}/v1", "--transit-helper", ""]
        mailbox = Process([os.path.join(programs, "twist"), "wormhole-mailbox", f"--port=tcp:{port}:interface=127.0.0.1",
                           f"--channel-db={self.folder}/mailbox.sqlite"], folder=self.folder)
        sender = None
        try:
            wait_listening(port, mailbox)
            sender = Process([*client, "send", "--hide-progress", "--no-qr", "--code", self.code, self.source])
            wait_until("wormhole send shows its code", lambda: self.code in sender.said() or sender.expect_running())
            receiver = Process([*client, "receive", "--hide-progress", "--accept-file", "-o", self.target, self.code],
                               folder=self.folder)
            receiving, sending = receiver.expect_success(), sender.expect_success(60)
        finally:
            for process in filter(None, (sender, mailbox)):
                process.kill()
        return Result(max(receiver.ended, sender.ended) - receiver.began, receiving.cpu + sending.cpu, sending.peak,
                      receiving.peak)
