"""magic-wormhole, with its own mailbox server and without a relay."""
import os, sys

from bench.case import Case, Result
from bench.processes import Process, free_port, wait_listening
from common.processes import run, wait_until

PACKAGES = ["magic-wormhole==0.24.0", "magic-wormhole-mailbox-server==0.8.0"]


def install(cache):
    """Installs magic-wormhole into a virtual environment, if it is missing."""
    folder, programs = os.path.join(cache, "wormhole"), programs_folder(cache)
    if not all(os.path.exists(os.path.join(programs, name)) for name in ("wormhole", "twist")):
        run([sys.executable, "-m", "venv", "--clear", folder])
        run([os.path.join(programs, "pip"), "install", "-q", *PACKAGES])


def programs_folder(cache):
    return os.path.join(cache, "wormhole", "bin")


class Wormhole(Case):
    """Measured from the start of `receive`, after `send` has shown its code, to the end of both."""
    name = "magic-wormhole"
    code = "7-bench-mark"

    def run(self):
        port = free_port()
        programs = programs_folder(self.bench.cache)
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
