"""Senders that run as long as the soak."""
from common.processes import expect, wait_until
from soak.programs import PAUSE

# MiB that a sender's memory may grow by after its first transfers.
GROWTH = 24
# The first transfers fill pools and caches.
FIRST_TRANSFERS = 5


class Standing:
    """A sender that the soak never ends, and its use of memory, threads and descriptors."""

    def __init__(self, sender, store, source):
        self.sender, self.store, self.source = sender, store, source
        self.usages = []

    def measure(self):
        """Records the use after every connection of a transfer has ended."""
        if self.usages:
            wait_until(f"{self.sender.program} has no more descriptors than before",
                       lambda: self.sender.usage()[0] <= self.usages[0][0], pause=PAUSE)
        self.usages.append(self.sender.usage())

    def figures(self):
        first, last = self.usages[:FIRST_TRANSFERS][-1], self.usages[-1]
        expect(last[2] <= first[2] + GROWTH, f"{self.sender.program} has grown from {first[2]} to {last[2]} MiB")
        # Threads for files end a few seconds after their work.
        wait_until(f"{self.sender.program} has hardly more than {first[1]} threads",
                   lambda: self.sender.usage()[1] <= first[1] + 2, pause=PAUSE)
        rounded = lambda usage: [*usage[:2], *(round(size) for size in usage[2:])]
        return {"name": self.sender.name, "transfers": len(self.sender.program.lines("sent", "notSent", "unconfirmed")),
                "first": rounded(first), "last": rounded(last)}

    def end(self):
        self.sender.stop()
        self.store.expected = {self.sender.region: self.source}
        self.store.check()
