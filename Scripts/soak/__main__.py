"""Moves regions between two machines on a bad cable, with things going wrong all the time, and checks that nothing is lost.

  python3 Scripts/soak [--minutes N | --transfers N | --short] [--seed S] [--binary FILE] [--json FILE]

The machines are network namespaces of this one (Scripts/hosts), each with an Avahi daemon of its own. What is sent, how
fast and lossy the cable is and what goes wrong when is drawn by chance, from a seed that is shown and can be given again;
--short runs a few fixed transfers. Ctrl-C ends it after the present one. Progress goes to the standard error output,
tables go to the standard output, and with --json one JSON object for each transfer and one for all of them to a file. What
failed is kept, where it says; then the exit code is 1. See Docs/Reliability.md. Needs root, which sudo gives it.
"""
import argparse, json, os, shutil, signal, subprocess, sys, tempfile, time

sys.dont_write_bytecode = True
SCRIPTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(SCRIPTS)
sys.path[0] = SCRIPTS
from soak import figures
from soak.plan import SHORT, draw
from soak.soak import Soak, report

MOST_PROBLEMS = 10


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    bound = parser.add_mutually_exclusive_group()
    bound.add_argument("--minutes", type=float, help="begin no transfer later than this (default 10)")
    bound.add_argument("--transfers", type=int, help="how many rounds; one may have several receivers")
    bound.add_argument("--short", action="store_true", help="a few fixed transfers, about a minute")
    parser.add_argument("--seed", help="draws the same again, though nothing happens at quite the same moment again")
    parser.add_argument("--binary", help="the hikeshare to run; without, the release build is made")
    parser.add_argument("--json", help="write all figures to this file")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.seed = options.seed or ("short" if options.short else str(int(time.time())))
    return options


def plans(options):
    """The plans to run, each with its number; those that take time come until it is over."""
    end = time.monotonic() + (options.minutes or 10) * 60
    most = len(SHORT) if options.short else options.transfers
    stopped = []
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.append(report("stopping after this transfer")))
    number = 0
    while not stopped and (number < most if most else time.monotonic() < end):
        number += 1
        yield number, SHORT[number - 1] if options.short else draw(options.seed, number)


def go_inside(options):
    """Builds what is needed and starts this program again: as root, and with mounts of its own, so that none stays."""
    if not options.binary:
        subprocess.run([os.path.join(SCRIPTS, "setup"), "build", "run", "test"], check=True)
        subprocess.run([os.path.join(SCRIPTS, "release")], check=True, stdout=sys.stderr)
    command = ["unshare", "-m", sys.executable, os.path.dirname(os.path.abspath(__file__)), "--inside", *sys.argv[1:]]
    if os.geteuid():
        command = ["sudo", "env", "PATH=" + os.environ["PATH"], *command]
    os.execvp(command[0], command)


def main():
    options = arguments()
    if not options.inside:
        go_inside(options)
    binary = os.path.abspath(options.binary or os.path.join(ROOT, ".build", "release", "hikeshare"))
    work = tempfile.mkdtemp(prefix="hikeshare-soak.")
    report(f"seed {options.seed}, files in {work}")
    began = time.monotonic()
    lines = open(options.json, "w") if options.json else open(os.devnull, "w")
    standing = []
    with Soak(binary, options.seed, work) as soak:
        for number, plan in plans(options):
            done = soak.run(number, plan)
            if done:
                print(json.dumps(done), file=lines, flush=True)
            if len(soak.problems) >= MOST_PROBLEMS:
                report("too many problems")
                break
        for last in (soak.settle, lambda: standing.extend(soak.end_standing())):
            try:
                last()
            except Exception as error:
                soak.problems.append(f"at the end: {error!r}")
                report(f"PROBLEM {soak.problems[-1]}")
    summary = figures.summarize(soak.transfers, standing, time.monotonic() - began)
    print(json.dumps({**summary, "seed": options.seed, "problems": soak.problems}), file=lines, flush=True)
    print(figures.render(summary, soak.problems))
    for problem in soak.problems:
        print("\nPROBLEM", problem)
    if soak.problems:
        sys.exit(f"soak: {len(soak.problems)} problems; all of it is kept in {work}")
    shutil.rmtree(work)


main()
