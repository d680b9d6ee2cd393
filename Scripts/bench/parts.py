"""What each part of a transfer costs on this machine alone: hashing, encrypting, copying."""
import os

from bench.hikeshare import Sender, receive_command
from bench.processes import Process, measure
from bench.relay import Relay
from common.processes import Failure, run, wait_until

# By the number in the server's first message.
CIPHERS = {b"\x13\x01": "aes-128-gcm", b"\x13\x02": "aes-256-gcm"}


def cipher(bench, store):
    """The cipher that the two sides of hikeshare agree on, by its name in `openssl speed`."""
    with Sender(bench, store, "bench", "--no-discovery") as sender, Relay(sender.port) as relay:
        receiving = os.path.join(bench.folder("cipher"), "store")
        receiver = Process(receive_command(bench, receiving, f"127.0.0.1:{relay.port}"))
        try:
            hello = wait_until("the sender answers", lambda: relay.answer or receiver.expect_running())
        finally:
            receiver.kill()
    # Header of the record and of the message, version, random value, session id.
    place = 5 + 4 + 2 + 32
    place += 1 + hello[place] if len(hello) > place else 0
    chosen = hello[place:place + 2]
    if hello[:1] != b"\x16" or chosen not in CIPHERS:
        raise Failure(f"hikeshare uses an unknown cipher: {chosen.hex()}")
    return CIPHERS[chosen]


def speed(algorithm, seconds, block):
    """The bytes that one core processes in a second."""
    shown = run(["openssl", "speed", "-mr", "-seconds", seconds, "-bytes", block, "-evp", algorithm])
    return float(shown.strip().splitlines()[-1].split(":")[-1])


def copy_seconds(bench, source):
    """The CPU seconds for each GB of a copy with buffers of 512 KiB."""
    target = os.path.join(bench.folder("copy"), "target")
    _, usage = measure(["dd", f"if={source}", f"of={target}", "bs=512K", "status=none"])
    os.unlink(target)
    return usage.cpu / (os.path.getsize(source) / 1e9)


class Parts:
    """The CPU seconds for each GB, one value for each round."""

    def __init__(self, bench, source, store):
        self.bench, self.source, self.cipher = bench, source, cipher(bench, store)
        self.hash, self.encrypt, self.copy = [], [], []

    def measure(self):
        seconds = 1 if self.bench.quick else 2
        # Chunks are hashed, and records of TLS encrypted, 16 KiB at a time.
        self.hash.append(1e9 / speed("sha256", seconds, 16384))
        self.encrypt.append(1e9 / speed(self.cipher, seconds, 16384))
        self.copy.append(copy_seconds(self.bench, self.source))
