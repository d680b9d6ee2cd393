"""What the bytes of a transfer cost on this machine at the very least: hashing, encrypting, copying."""
import os, re, subprocess

from benching.hikeshare import Sender
from benching.processes import Failure, measure, run

CIPHERS = {"TLS_AES_128_GCM_SHA256": "aes-128-gcm", "TLS_AES_256_GCM_SHA384": "aes-256-gcm"}


def cipher(bench, store):
    """The cipher that `send` chooses when it is offered all of them, in the words of `openssl speed`."""
    with Sender(bench, store, "bench", "--no-discovery") as sender:
        shown = subprocess.run(["openssl", "s_client", "-tls1_3", "-alpn", "hikeshare/1", "-connect",
                                f"127.0.0.1:{sender.port}"], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                               timeout=30).stdout
    found = re.search(r"Cipher is (\w+)", shown)
    if not found or found[1] not in CIPHERS:
        raise Failure(f"the cipher that send chooses is not known: {found and found[1]}")
    return CIPHERS[found[1]]


def speed(algorithm, seconds, block):
    """Bytes a second of one core."""
    shown = run(["openssl", "speed", "-mr", "-seconds", seconds, "-bytes", block, "-evp", algorithm])
    return float(shown.strip().splitlines()[-1].split(":")[-1])


def copy_seconds(bench, source):
    """CPU seconds for each GB of a copy from one file to another with buffers of 512 KiB."""
    target = os.path.join(bench.folder("copy"), "target")
    _, usage = measure(["dd", f"if={source}", f"of={target}", "bs=512K", "status=none"])
    os.unlink(target)
    return usage.cpu / (os.path.getsize(source) / 1e9)


class Floor:
    """CPU seconds for each GB: one SHA-256, the cipher twice, and a copy of the file."""

    def __init__(self, bench, source, store):
        seconds = 1 if bench.quick else 3
        self.cipher = cipher(bench, store)
        # Chunks are hashed, and records of TLS encrypted, 16 KiB at a time.
        self.hash = 1e9 / speed("sha256", seconds, 16384)
        self.encrypt = 1e9 / speed(self.cipher, seconds, 16384)
        self.copy = sorted(copy_seconds(bench, source) for _ in range(3))[1]

    @property
    def strict(self):
        """With two copies of the bytes: out of the sender's file and into the receiver's."""
        return self.hash + 2 * self.encrypt + self.copy

    @property
    def generous(self):
        """With a copy of the file on each side: each of them takes the bytes from the kernel and gives them to it."""
        return self.strict + self.copy
