"""Transfers regions between two machines on a bad cable while faults happen, and checks that nothing is lost or damaged.

  python3 Scripts/soak [--minutes N | --transfers N | --short] [--seed S] [--binary FILE] [--json FILE]
  python3 Scripts/soak --group [--minutes N | --short] [--seed S] [--binary FILE] [--json FILE]

The machines are network namespaces (Scripts/hosts), each with an Avahi daemon of its own. The content, the cable and the
faults are drawn at random from a seed, which is printed and can be given again; --short runs a few fixed transfers.
With --group, eight chats on eight machines form a group instead. Ctrl-C ends the soak after the current transfer or
round. Progress goes to standard error, the tables go to standard output. --json writes one JSON object for each transfer
or round and one for the whole soak. If a check fails, the exit code is 1, and the files that explain the failure are
kept. Needs root and asks for it with sudo. See Docs/Reliability.md.
"""
import argparse, json, os, secrets, shutil, signal, sys, tempfile, time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[0] = os.path.dirname(HERE)
# The module `share_links`.
sys.path.append(os.path.join(os.path.dirname(sys.path[0]), "Tests", "ReferencePeer"))
from common import setup
from common.processes import note
from soak import figures
from soak.group import run as group
from soak.plan import SHORT, draw
from soak.soak import Soak

MOST_PROBLEMS = 10


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    bound = parser.add_mutually_exclusive_group()
    bound.add_argument("--minutes", type=float, help="start no transfer or round after this time (default 10)")
    bound.add_argument("--transfers", type=int, help="the number of rounds; one may have several receivers")
    bound.add_argument("--short", action="store_true", help="a few fixed transfers or rounds, about a minute")
    parser.add_argument("--group", action="store_true", help="let a group of eight chats run instead of transfers")
    parser.add_argument("--seed", help="repeat the plan of an earlier soak; the exact moments of faults still vary")
    parser.add_argument("--binary", metavar="FILE", help="the hikeshare or, with --group, the Chat to run (default: build it)")
    parser.add_argument("--json", metavar="FILE", help="write all figures to this file")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.group and options.transfers:
        parser.error("--transfers is for transfers: use --minutes with --group")
    options.seed = options.seed or ("short" if options.short else str(secrets.randbelow(10**9)))
    return options


def plans(options):
    """The plans to run, each with its number, until the time or the number of transfers is reached."""
    end = time.monotonic() + (options.minutes or 10) * 60
    most = len(SHORT) if options.short else options.transfers
    stopped = []
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.append(note("stopping after this transfer")))
    number = 0
    while not stopped and (number < most if most else time.monotonic() < end):
        number += 1
        yield number, SHORT[number - 1] if options.short else draw(options.seed, number)


def go_inside(options):
    """Makes the release build if no binary is given, and starts this program again as root.

    Its mounts are its own, so none of them stays.
    """
    words = sys.argv[1:]
    if not options.binary:
        setup.install("build", "run", "test")
        if options.group:
            words += ["--binary", setup.build_example("Chat")]
        else:
            setup.build_release()
    command = setup.as_root(["unshare", "-m", sys.executable, HERE, "--inside", *words])
    os.execvp(command[0], command)


def run_all(soak, options, lines):
    """Runs the transfers, and the checks at the end; returns the figures of the standing senders."""
    for number, plan in plans(options):
        done = soak.run(number, plan)
        if done:
            print(json.dumps(done), file=lines, flush=True)
        if len(soak.problems) >= MOST_PROBLEMS:
            note("too many problems")
            break
    standing = []
    for last in (soak.settle, lambda: standing.extend(soak.end_standing())):
        try:
            last()
        except Exception as error:
            soak.problems.append(f"at the end: {error!r}")
            note(f"PROBLEM {soak.problems[-1]}")
    return standing


def main():
    options = arguments()
    if not options.inside:
        go_inside(options)
    binary = os.path.abspath(options.binary or setup.BINARY)
    work = tempfile.mkdtemp(prefix="hikeshare-soak.")
    note(f"seed {options.seed}, files in {work}")
    report(work, group.run(binary, options, work) if options.group else transfer(binary, options, work))


def transfer(binary, options, work):
    """Runs the soak of transfers, and shows its figures; returns its problems."""
    began = time.monotonic()
    with open(options.json or os.devnull, "w") as lines:
        with Soak(binary, options.seed, work) as soak:
            standing = run_all(soak, options, lines)
        summary = figures.summarize(soak.transfers, standing, time.monotonic() - began)
        print(json.dumps({**summary, "seed": options.seed, "problems": soak.problems}), file=lines)
    print(figures.render(summary, soak.problems))
    return soak.problems


def report(work, problems):
    """Shows the problems; without any, removes the files."""
    for problem in problems:
        print("\nPROBLEM", problem)
    if problems:
        sys.exit(f"soak: problems: {len(problems)}; the files are kept in {work}")
    shutil.rmtree(work)


main()
