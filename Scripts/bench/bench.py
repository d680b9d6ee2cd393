"""Runs the groups of measurements, and holds what they share."""
import json, mmap, os, platform, shutil, tempfile, time, traceback

from bench import figures
from bench.groups import (disk, imports, links, members, memory, newer, pages, phones, rates, sessions, several, small, trailhead,
                          web)
from bench.processes import kill_all
from bench.rivals import localsend, messaging, wormhole
from common.processes import note, run

GROUPS = {"rates": rates, "memory": memory, "small": small, "links": links, "several": several, "import": imports,
          "disk": disk, "sessions": sessions, "groups": members, "newer": newer, "web": web, "pages": pages,
          "trailhead": trailhead, "phones": phones}
# These run only on request.
ON_REQUEST = {"sessions", "groups", "newer", "web", "pages", "trailhead", "phones"}
DEFAULT_GROUPS = [name for name in GROUPS if name not in ON_REQUEST]
# `warm` holds one page in each piece of so many bytes. Hosts reclaim 2 MiB or more at a time.
HELD_EVERY = 256 << 10
# File systems on disks ask for pieces of up to 1 MiB.
HELD_EVERY_FOR_DISKS = 2 << 20


class Bench:
    """The options of a run, and its folders on the tmpfs and on the disk."""

    def __init__(self, options):
        self.binary, self.cache, self.quick, self.mib = options.binary, options.cache, options.quick, options.mib
        self.rounds, self.link_rounds = options.rounds, min(3, options.rounds)
        self.newer_mib, self.files = options.newer_mib, options.files
        self.work, self.disk, self.held = options.work, options.disk, None

    def folder(self, name):
        """The folder of a name on the tmpfs; it is made if it does not exist."""
        path = os.path.join(self.work, "".join(letter if letter.isalnum() else "-" for letter in name))
        os.makedirs(path, exist_ok=True)
        return path

    def warm(self, disk=False):
        """Provides memory for a group. A group calls this after it has made the files that it keeps.

        The host of a virtual machine may reclaim large pieces of free memory. The next program that writes there pays for
        getting them back, many times the cost of the write. So this method fills as much memory as the group needs, and
        frees it again except for single pages. The free pieces between these pages are too small to be reclaimed, and the
        kernel uses them first.
        """
        times, held_every = (4, HELD_EVERY_FOR_DISKS) if disk else (2, HELD_EVERY)
        if self.held:
            self.held.close()
        size, block = (times * self.mib + 512) << 20, bytes(1 << 20)
        with tempfile.TemporaryFile(dir=self.work, buffering=0) as file:
            for _ in range(0, size, len(block)):
                file.write(block)
            self.held = mmap.mmap(file.fileno(), size)
        for start in range(0, size, held_every):
            self.held.madvise(mmap.MADV_REMOVE, start + mmap.PAGESIZE, held_every - mmap.PAGESIZE)

    def size(self, wanted):
        """The size of a file: as wanted, or smaller with --quick."""
        return wanted // 64 if self.quick else wanted

    def remove(self, *paths):
        for path in paths:
            if os.path.isdir(path):
                shutil.rmtree(path)
            elif os.path.exists(path):
                os.unlink(path)


def machine():
    with open("/proc/cpuinfo") as file:
        model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), platform.machine())
    return f"{model}, {os.cpu_count()} cores, Linux {platform.release()}"


def rivals():
    """The versions of the programs that hikeshare is compared with."""
    names = ["iperf3", "socat", "rsync", "openssh-client", "syncthing", "openssl", *messaging.PACKAGES]
    installed = run(["dpkg-query", "-W", "-f", "${Package} ${Version}\n", *names]).split("\n")
    return ", ".join([*filter(None, installed), *wormhole.PACKAGES, localsend.VERSION])


def measure(options):
    """Runs the groups and prints their tables; returns whether everything could be measured."""
    bench, report = Bench(options), figures.Report(shows_tables=not options.beside)
    other = figures.Report(shows_tables=False) if options.beside else None
    version = run([bench.binary, "--version"]).strip()
    began, load = time.time(), os.getloadavg()[0]
    print(f"hikeshare {version}; {time.strftime('%Y-%m-%d', time.gmtime(began))}; {machine()}; "
          f"load before it began {load:.1f}\n\n{rivals()}\n", flush=True)
    for group in options.groups:
        start = time.monotonic()
        if other:
            bench.rounds = bench.link_rounds = 1
            for _ in range(options.rounds):
                for bench.binary, result in ((options.binary, report), (options.beside, other)):
                    measure_group(bench, group, result)
        else:
            measure_group(bench, group, report)
        note(f"{group}: {time.monotonic() - start:.0f} s")
    if options.json:
        beside = {"beside": other.marks} if other else {}
        report.write(options.json, **beside, version=version, machine=machine(), rivals=rivals(), loadBefore=load, mib=bench.mib,
                     rounds=bench.rounds)
    report.print_marks(other)
    print(f"\n{(time.time() - began) / 60:.0f} minutes")
    return not report.failures


def measure_group(bench, group, report):
    try:
        GROUPS[group].measure(bench, report)
    except Exception as failure:
        # The other groups are still worth measuring.
        traceback.print_exc()
        report.failed(f"all of {group}", failure)
    finally:
        kill_all()
        bench.remove(*(entry.path for place in (bench.work, bench.disk) for entry in os.scandir(place)))


def discovery(options):
    """Runs in a network with an Avahi daemon; prints the seconds of each transfer as JSON."""
    bench = Bench(options)
    print(json.dumps([small.receive_example(bench, discovery=True) for _ in range(options.discovery)]))
    bench.remove(bench.folder("example"))
