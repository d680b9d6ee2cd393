"""A whole trailhead: one laptop with six regions, eight people who pick some of them, two phones, one who leaves and comes back.

All are machines of Scripts/hosts, and the laptop has one cable of 200 Mbit/s. The people use the share link. The phones download
a region's map from the page for phones, as curl. The last person is ended in the middle and comes back. Everything that somebody
has picked is compared byte for byte.
"""
import json, os, time, urllib.parse
from concurrent.futures import ThreadPoolExecutor

from bench.files import make_map, same
from bench.hikeshare import Sender, check_arrived
from bench.processes import Process
from common.hosts import Hosts
from common.processes import Failure, note, run, wait_until

RATE = 200
"""Mbit/s of the cable of the laptop."""
SIZES = {"Aran": 4, "Benasque": 8, "Cadi": 16, "Daro": 24, "Espot": 40, "Falgar": 64}
"""The regions, with the MiB of their maps."""
PICKS = {"b": ["Aran"], "c": ["Aran", "Cadi"], "d": ["Falgar"], "e": ["Benasque", "Espot"], "f": ["Daro"], "g": list(SIZES),
         "h": ["Cadi", "Daro"], "i": ["Espot", "Falgar"]}
"""What each person picks."""
PHONES = {"b": "Benasque", "c": "Cadi"}
"""The region that each phone downloads; the phones are on the hosts of two people."""
LEAVES = "i"


class Person:
    """Somebody who receives regions."""

    def __init__(self, bench, hosts, host, link):
        self.leaves = host == LEAVES
        self.store = os.path.join(bench.folder("trailhead"), f"store-{host}")
        regions = [word for name in PICKS[host] for word in ("--region", name)]
        self.output = os.path.join(bench.folder("trailhead"), f"said-{host}")
        self.command = hosts.command(host, bench.binary, "receive", link, "--store", self.store, "--yes", "--format", "json",
                                     *regions)
        self.start()

    def start(self):
        with open(self.output, "w") as file:
            self.process = Process(self.command, output=file)

    def has_begun(self):
        with open(self.output) as file:
            return any(line.get("bytes", 0) > 1 << 20 for line in map(json.loads, file) if line["type"] == "progress")

    def receive(self):
        """Waits until the person has everything; the time of the end is that at which somebody waits for it."""
        if self.leaves:
            wait_until("some of the map has arrived", self.has_begun)
            self.process.kill()
            self.start()
        self.process.expect_success()


def download(bench, hosts, host, page, name):
    """A phone downloads the map of a region; returns the seconds."""
    def get(path, *options):
        return run(hosts.command(host, "curl", "--silent", "--show-error", "--fail", *options, urllib.parse.urljoin(page, path)))
    began = time.monotonic()
    path = next(part.split('"')[0] for part in get("").split('href="')[1:] if name in part.split("</li>")[0])
    target = os.path.join(bench.folder("trailhead"), f"phone-{host}.mbtiles")
    base = urllib.parse.urljoin(page, path)
    get(urllib.parse.urljoin(base, f"files/{name}.mbtiles"), "--output", target)
    return time.monotonic() - began, target


def measure(bench, report):
    folder = bench.folder("trailhead")
    sending, maps = os.path.join(folder, "sending"), {}
    for name, mib in SIZES.items():
        maps[name] = os.path.join(folder, f"{name}.mbtiles")
        make_map(maps[name], max(1, mib // (8 if bench.quick else 1)) << 20)
        run([bench.binary, "import", maps[name], "--name", name, "--store", sending, "--quiet"])
    with Hosts("bench", "--net", "v4", "--count", str(len(PICKS) + 1), "--rate", f"{RATE}mbit") as hosts:
        with Sender(bench, sending, "--all", "--no-discovery", "--web", "--web-port", "0", command=hosts.command("a")) as sender:
            page = next(url for url in sender.wait("webPage")["urls"] if "//10.77.0.1:" in url)
            note("trailhead: eight people and two phones come")
            began = time.monotonic()
            people = {host: Person(bench, hosts, host, sender.link) for host in PICKS}
            with ThreadPoolExecutor(len(people) + len(PHONES)) as pool:
                phones = {host: pool.submit(download, bench, hosts, host, page, name) for host, name in PHONES.items()}
                list(pool.map(Person.receive, people.values()))
                phones = {host: phone.result() for host, phone in phones.items()}
            ends = {host: person.process.ended - began for host, person in people.items()}
            peak = sender.end().peak
    wanted = 0
    for host, person in people.items():
        for name in PICKS[host]:
            check_arrived(maps[name], person.store, f"{host}, {name}")
            wanted += os.path.getsize(maps[name])
    for host, (_, target) in phones.items():
        if not same(maps[PHONES[host]], target):
            raise Failure(f"the phone on {host}: the downloaded map differs from the source")
        wanted += os.path.getsize(target)
    size = {host: sum(os.path.getsize(maps[name]) for name in names) / 1e6 for host, names in PICKS.items()}
    rows = [[f"{host}{', leaves and comes back' if host == LEAVES else ''}", " ".join(PICKS[host]), f"{size[host]:.0f}",
             f"{ends[host]:.1f}"] for host in PICKS]
    rows += [[f"phone on {host}", PHONES[host], f"{os.path.getsize(target) / 1e6:.0f}", f"{seconds:.1f}"]
             for host, (seconds, target) in phones.items()]
    last = max(ends.values())
    report.section(f"Eight people and two phones at one laptop with six regions, over {RATE} Mbit/s",
                   ["who", "picks", "MB", "has it after s"], rows)
    report.mark("everything that was picked / what the cable carries until the last one has it",
                [wanted / last / (RATE * 1e6 / 8)], least=0.8)
    report.mark("most memory of the laptop", [peak], most=128, unit="MB", form="{:.0f}")
    bench.remove(folder)
