"""Measures hikeshare: against other programs, by size, on bad links, and against what is wanted of it.

  python3 Scripts/bench [--only GROUPS] [--quick] [--mib N] [--rounds N] [--json FILE] [--binary FILE] [--disk DIR]

Groups, with commas between: rates, memory, small, links, several, import, disk. Tables go to the standard output, progress
to the standard error output. In every round every program runs once, one after the other, so that whatever slows the
machine slows all of them; printed are medians with the spread, and what arrives is compared byte for byte. Needs root,
which sudo gives it; everything runs in namespaces of its own, without any network but loopback. See Docs/Performance.md.
"""
import argparse, os, subprocess, sys

sys.dont_write_bytecode = True
SCRIPTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(SCRIPTS)
sys.path[0] = SCRIPTS
from bench import bench, namespaces
from bench.rivals import bare, wormhole


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="GROUPS", default=",".join(bench.GROUPS), help="groups, with commas between")
    parser.add_argument("--quick", action="store_true", help="smaller and fewer: shows that it works, not how fast it is")
    parser.add_argument("--mib", type=int, help="size of the maps (default 1024; with --quick 128)")
    parser.add_argument("--rounds", type=int, help="how often everything runs (default 5; with --quick 2)")
    parser.add_argument("--json", metavar="FILE", help="write all figures to this file")
    parser.add_argument("--binary", metavar="FILE", help="the hikeshare to measure; without, the release build is made")
    parser.add_argument("--work", metavar="DIR", default="/dev/shm", help="where the tmpfs is mounted (default /dev/shm)")
    parser.add_argument("--disk", metavar="DIR", default="/var/tmp", help="the disk to measure (default /var/tmp)")
    parser.add_argument("--cache", help=argparse.SUPPRESS)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--discovery", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.groups = [group for group in options.only.split(",") if group]
    unknown = set(options.groups) - set(bench.GROUPS)
    if unknown:
        parser.error(f"no such group: {', '.join(sorted(unknown))}; there are {', '.join(bench.GROUPS)}")
    options.mib = options.mib or (128 if options.quick else 1024)
    options.rounds = options.rounds or (2 if options.quick else 5)
    return options


def check_space(options):
    """Ends the program if what it makes would not fit."""
    with open("/proc/meminfo") as file:
        available = next(int(line.split()[1]) * 1024 for line in file if line.startswith("MemAvailable"))
    disk = os.statvfs(options.disk)
    for what, there, needed in (("memory", available, 10 * 10**9),
                                (f"space in {options.disk}", disk.f_bavail * disk.f_frsize, 2 * options.mib << 20)):
        if there < needed:
            sys.exit(f"bench: {there / 1e9:.1f} GB of {what} are free; {needed / 1e9:.1f} are needed")


def prepare(options):
    """Installs and builds what is needed; returns the arguments for this program to go on with."""
    subprocess.run([os.path.join(SCRIPTS, "setup"), "build", "run", "bench"], check=True)
    binary = os.path.join(ROOT, ".build", "release", "hikeshare")
    if not options.binary:
        subprocess.run([os.path.join(SCRIPTS, "release")], check=True, stdout=sys.stderr)
    cache = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "hikeshare-bench")
    os.makedirs(cache, exist_ok=True)
    wormhole.install(cache)
    bare.build(cache)
    return [*sys.argv[1:], "--cache", cache, "--binary", os.path.abspath(options.binary or binary)]


def main():
    options = arguments()
    if options.inside:
        sys.exit(0 if bench.measure(options) else 1)
    if options.discovery:
        return bench.discovery(options)
    check_space(options)
    command = [sys.executable, os.path.dirname(os.path.abspath(__file__))]
    given = sys.argv[1:] if options.cache else prepare(options)
    if os.geteuid():
        os.execvp("sudo", ["sudo", "env", "PATH=" + os.environ["PATH"], *command, *given])
    sys.exit(namespaces.run([*command, *given, "--inside"], options.work, options.disk))


main()
