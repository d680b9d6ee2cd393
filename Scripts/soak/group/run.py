"""Runs the soak of groups as long as it is told to, and shows its figures."""
import collections, json, os, signal, statistics, time

from common.processes import note
from common.tables import table
from soak.group.faults import SHORT
from soak.group.soak import GroupSoak

MOST_PROBLEMS = 50


def rounds(options):
    """The number and the faults of each round; None for faults that are drawn."""
    if options.short:
        yield from enumerate(SHORT, 1)
        return
    stopped = []
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.append(note("stopping after this round")))
    end, number = time.monotonic() + (options.minutes or 10) * 60, 0
    while not stopped and time.monotonic() < end:
        number += 1
        yield number, None


def run(binary, options, work):
    """Runs the soak; returns its problems, which it has shown with its figures."""
    began = time.monotonic()
    with open(options.json or os.devnull, "w") as lines, GroupSoak(binary, options.seed, work) as soak:
        for number, faults in rounds(options):
            print(json.dumps(soak.run(number, faults)), file=lines, flush=True)
            if len(soak.problems) >= MOST_PROBLEMS:
                note("too many problems")
                break
        soak.end_all()
        summary = summarize(soak, time.monotonic() - began)
        print(json.dumps(summary), file=lines)
    print(render(summary))
    return soak.problems


def summarize(soak, seconds):
    healing = [figures["healing"] for figures in soak.rounds]
    return {
        "seed": soak.seed, "minutes": round(seconds / 60, 1), "rounds": len(soak.rounds),
        "faults": collections.Counter(kind for figures in soak.rounds for kind in figures["faults"]),
        "lines": sum(figures["lines"] for figures in soak.rounds), "lost": sum(figures["lost"] for figures in soak.rounds),
        "files": len(soak.files), "healing": [round(statistics.median(healing), 1), max(healing)],
        "mesh": soak.mesh, "memory": round(max(chat.most_memory for chat in soak.chats)), "problems": soak.problems,
    }


def render(summary):
    return table(["what", "count"], [
        ["minutes", summary["minutes"]], ["rounds", summary["rounds"]],
        *[[f"fault: {kind}", count] for kind, count in sorted(summary["faults"].items())],
        ["faults in all", sum(summary["faults"].values())],
        ["lines that reached a person", summary["lines"]],
        ["lines lost to a long outage or a killed program", summary["lost"]],
        ["files sent to all", summary["files"]],
        ["seconds from start to mesh", summary["mesh"]],
        ["seconds from the last fault to mesh, median", summary["healing"][0]],
        ["seconds from the last fault to mesh, most", summary["healing"][1]],
        ["MiB resident, most", summary["memory"]],
        ["problems", len(summary["problems"])],
    ])
