"""Measures hikeshare: against other programs, by size, on bad links, and against its own marks.

  python3 Scripts/bench [--only GROUPS] [--quick] [--mib N] [--rounds N] [--json FILE] [--binary FILE] [--disk DIR]
  python3 Scripts/bench --beside FILE [--only GROUPS] ...
  python3 Scripts/bench --only newer [--mib N] [OLDER.mbtiles NEWER.mbtiles]
  python3 Scripts/bench --only pages [MAP...]

Groups, separated by commas: rates, memory, small, links, several, import, disk, and on request only sessions, groups, newer,
web, pages, trailhead and phones; or all. With two files, newer measures them instead of random maps; pages measures all files, too.
Tables go to standard output, progress goes to standard error.
Each round runs every program once, one after the other, so that a slow machine slows down all of them. The tables show
medians with the lowest and the highest value. What arrives is compared byte for byte. The exit code is 0 if everything
could be measured, even if marks are not met. Needs root and asks for it with sudo. Everything runs in namespaces of its
own, with no network but loopback. See Docs/Performance.md.
"""
import argparse, os, re, subprocess, sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[0] = os.path.dirname(HERE)
from bench import bench, namespaces
from bench.rivals import bare, iroh_rival, messaging, wormhole
from common import setup
from common.processes import note

# The parts of Swift that a program can load when it starts.
SWIFT_LIBRARY = re.compile(r"^\s*lib(?:swift|_?Foundation|dispatch)\S*", re.MULTILINE)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="GROUPS", default=",".join(bench.DEFAULT_GROUPS),
                        help="groups, separated by commas, or all (default all but sessions, groups, newer, web, pages, "
                             "trailhead and phones)")
    parser.add_argument("--quick", action="store_true", help="a moment of each group: shows that it works, not how fast it is")
    parser.add_argument("--mib", type=int, help="size of the maps (default 1024; with --quick 16; newer 100, with --quick 10)")
    parser.add_argument("--rounds", type=int, help="the number of rounds (default 5; with --quick 1)")
    parser.add_argument("--json", metavar="FILE", help="write all figures to this file")
    parser.add_argument("--binary", metavar="FILE", help="the hikeshare to measure (default: make the release build)")
    parser.add_argument("--beside", metavar="FILE",
                        help="another version of hikeshare, which is measured in turn with this one; only marks are shown")
    parser.add_argument("--work", metavar="DIR", default="/dev/shm", help="where to mount the tmpfs (default /dev/shm)")
    parser.add_argument("--disk", metavar="DIR", default="/var/tmp", help="the disk to measure (default /var/tmp)")
    parser.add_argument("files", nargs="*", metavar="FILE", help="an older and a newer version of a map, for newer; maps, for pages")
    parser.add_argument("--cache", help=argparse.SUPPRESS)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--discovery", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.groups = list(bench.GROUPS) if options.only == "all" else [group for group in options.only.split(",") if group]
    unknown = set(options.groups) - set(bench.GROUPS)
    if unknown:
        parser.error(f"unknown group: {', '.join(sorted(unknown))}; the groups are {', '.join(bench.GROUPS)}")
    if "newer" in options.groups and len(options.files) not in (0, 2):
        parser.error("give two files or none")
    if options.files and not {"newer", "pages"} & set(options.groups):
        parser.error("only the groups newer and pages use files")
    options.beside = options.beside and os.path.abspath(options.beside)
    if options.beside and {"sessions", "groups"} & set(options.groups):
        parser.error("--beside is another hikeshare; sessions and groups measure a program of their own")
    options.files = [os.path.abspath(file) for file in options.files]
    options.newer_mib = options.mib or (10 if options.quick else 100)
    options.mib = options.mib or (16 if options.quick else 1024)
    options.rounds = options.rounds or (1 if options.quick else 5)
    return options


def check_space(options):
    """Ends the program if there is too little memory or disk."""
    with open("/proc/meminfo") as file:
        available = next(int(line.split()[1]) * 1024 for line in file if line.startswith("MemAvailable"))
    disk = os.statvfs(options.disk)
    for what, free, needed in (("memory", available, 10**9 if options.quick else 10 * 10**9),
                               (f"space in {options.disk}", disk.f_bavail * disk.f_frsize, 2 * options.mib << 20)):
        if free < needed:
            sys.exit(f"bench: {free / 1e9:.1f} GB of {what} are free; {needed / 1e9:.1f} are needed")


def check_linking(binary, is_quick):
    """Ends the program if a hikeshare loads the Swift runtime: it starts more slowly and uses more memory.

    The marks are those of the release build, into which the runtime is linked.
    """
    if not os.access(binary, os.X_OK):
        sys.exit(f"bench: {binary} is not a program")
    shown = subprocess.run(["ldd", binary], capture_output=True, text=True).stdout
    if library := SWIFT_LIBRARY.search(shown):
        message = f"{binary} is not a release build: it loads {library[0].strip()}; make one with Scripts/release"
        if not is_quick:
            sys.exit(f"bench: {message}")
        note(f"warning: {message}")


def prepare(options):
    """Installs and builds what is needed; returns the arguments with which this program continues."""
    if not options.binary:
        setup.install("build")
        setup.build_release()
    binary = os.path.abspath(options.binary or setup.BINARY)
    check_linking(binary, options.quick)
    if options.beside:
        check_linking(options.beside, options.quick)
    setup.install("run", "bench")
    cache = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "hikeshare-bench")
    os.makedirs(cache, exist_ok=True)
    if "rates" in options.groups:
        wormhole.install(cache)
    if {"rates", "disk"} & set(options.groups):
        bare.build(cache)
    if "pages" in options.groups:
        setup.install("test")
    if {"sessions", "groups"} & set(options.groups):
        setup.build_sessions()
    if "sessions" in options.groups:
        messaging.build(cache)
        iroh_rival.install(cache)
    return [*sys.argv[1:], "--cache", cache, "--binary", binary]


def main():
    options = arguments()
    if options.inside:
        sys.exit(0 if bench.measure(options) else 1)
    if options.discovery:
        return bench.discovery(options)
    check_space(options)
    given = sys.argv[1:] if options.cache else prepare(options)
    command = [sys.executable, HERE, *given]
    if os.geteuid():
        os.execvp("sudo", setup.as_root(command))
    sys.exit(namespaces.run([*command, "--inside"], options.work, options.disk))


main()
