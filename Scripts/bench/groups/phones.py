"""Maps to phones that have LocalSend and from them, compared with two phones that send to each other."""
import os, time

from bench.figures import ratios, spread
from bench.files import make_map, same
from bench.hikeshare import store_of
from bench.processes import Process
from bench.rivals.localsend import VERSION, Phone, Terminal
from common.hosts import Hosts
from common.processes import Failure, note

LAPTOP, ANNA, BEN = "abc"
NAME = "bench laptop"


class Way:
    """One way in which a map is sent, and its times."""

    def __init__(self, bench, hosts, source, store):
        self.bench, self.hosts, self.source, self.store = bench, hosts, source, store

    def check(self, phone):
        """Compares what a phone has received with the map, and removes it."""
        files = [os.path.join(phone.received, name) for name in os.listdir(phone.received)]
        if len(files) != 1 or not same(self.source, files[0]):
            raise Failure(f"{phone.name}: what has arrived differs from the map: {files}")
        self.bench.remove(*files)

    def between_phones(self, anna, ben):
        """From a phone to a phone: the seconds as the receiver and as the sender sees them."""
        begin = time.monotonic()
        anna.finds("ben")
        anna.tap("send", to="ben", files=[self.source])
        ben.accept(begin)
        received, sent = ben.transfer(begin), anna.transfer(begin)
        self.check(ben)
        return received, sent

    def to_phone(self, anna, ben):
        """From hikeshare to a phone."""
        begin = time.monotonic()
        sender = Process(self.hosts.command(
            LAPTOP, self.bench.binary, "send", "bench", "--store", self.store, "--phone", "ben", "--as", "mbtiles", "--once",
            "--yes", "--format", "json", "--name", NAME))
        try:
            ben.accept(begin)
            seconds = ben.transfer(begin)
            sender.expect_success(300)
        finally:
            sender.kill()
        self.check(ben)
        return seconds

    def from_phone(self, anna, name):
        """From a phone to hikeshare, which a person lets take the map; a phone remembers a name for a while after it is gone."""
        begin, folder = time.monotonic(), os.path.join(self.bench.folder("phones"), "receiving")
        receiver = Terminal(self.hosts.command(
            LAPTOP, self.bench.binary, "receive", "--store", folder, "--name", name))
        try:
            anna.finds(name)
            anna.tap("send", to=name, files=[self.source])
            seen = receiver.wait(r"\[y/N\] *$")
            receiver.type("y\r")
            seconds = anna.transfer(begin)
            receiver.wait(r"\[y/N\] *$", seen)
        finally:
            receiver.end()
        self.bench.remove(folder)
        return seconds


def measure(bench, report):
    folder = bench.folder("phones")
    source, store = os.path.join(folder, "bench.mbtiles"), os.path.join(folder, "store")
    # What is shorter is over before its time says something.
    make_map(source, max(64 << 20, bench.size(256 << 20)))
    store_of(bench, store, source, name="bench")
    size = os.path.getsize(source) / 1e6
    bench.warm()
    names = {"two phones, as the receiver sees it": [], "hikeshare to a phone": [], "two phones, as the sender sees it": [],
             "a phone to hikeshare": []}
    received, to_phone, sent, from_phone = names.values()
    with Hosts("phones", "--net", "v4", "--count", "3", "--mdns") as hosts:
        anna, ben = Phone(bench, hosts, ANNA, "anna"), Phone(bench, hosts, BEN, "ben")
        way = Way(bench, hosts, source, store)
        try:
            for number in range(bench.rounds):
                note(f"phones: round {number + 1} of {bench.rounds}")
                seconds = way.between_phones(anna, ben)
                received.append(size / seconds[0])
                sent.append(size / seconds[1])
                to_phone.append(size / way.to_phone(anna, ben))
                from_phone.append(size / way.from_phone(anna, f"bench receiver {number}"))
        finally:
            anna.end()
            ben.end()
    report.section(f"LocalSend: a map of {size:.0f} MB between hosts ({VERSION}, HTTPS)", ["way", "MB/s"],
                   [[name, spread(values, "{:.0f}")] for name, values in names.items()])
    report.mark("hikeshare to a phone / phone to phone", ratios(to_phone, received), least=1)
    report.mark("a phone to hikeshare / phone to phone", ratios(from_phone, sent), least=1)
    bench.remove(folder)
