"""The results of a soak in figures."""
import collections, statistics

from common.tables import table


def summarize(transfers, standing, seconds):
    """The figures of all transfers of a soak as one object."""
    faults, codes, contents, ways = (collections.Counter() for _ in range(4))
    for transfer in transfers:
        faults.update(transfer["faults"])
        codes.update(str(code) for code in transfer["exitCodes"])
        contents[transfer["content"]] += transfer["receivers"]
        ways[transfer["way"]] += transfer["receivers"]
    rungs = {}
    for transfer in transfers:
        rungs.setdefault(transfer["rung"], []).append(transfer)
    return {
        "minutes": round(seconds / 60, 1), "rounds": len(transfers),
        "transfers": sum(transfer["receivers"] for transfer in transfers),
        "undisturbed": sum(transfer["receivers"] for transfer in transfers if not transfer["faults"]),
        "faults": dict(faults), "exitCodes": dict(codes), "contents": dict(contents), "ways": dict(ways),
        "interruptions": sum(transfer["interruptions"] for transfer in transfers),
        "reconnections": sum(transfer["reconnections"] for transfer in transfers),
        "transferred": sum(transfer["transferred"] for transfer in transfers),
        "twice": sum(transfer["twice"] for transfer in transfers),
        "mostTwice": max((transfer["twice"] for transfer in transfers), default=0),
        "onCable": sum(transfer["onCable"] for transfer in transfers),
        "rungs": [rung_figures(rung, group) for rung, group in rungs.items()],
        "standing": standing,
    }


def rung_figures(rung, transfers):
    # If only little is transferred, the time says nothing about the cable.
    rates = [transfer["transferred"] * 8 / 1e6 / transfer["seconds"] for transfer in transfers
             if not transfer["faults"] and transfer["content"] in ("new", "guest")]
    return {
        "rung": rung, "transfers": sum(transfer["receivers"] for transfer in transfers),
        "faults": sum(len(transfer["faults"]) for transfer in transfers),
        "transferred": sum(transfer["transferred"] for transfer in transfers),
        "megabits": round(statistics.median(rates), 2) if rates else 0,
    }


def render(summary, problems):
    megabytes = lambda count: f"{count / 1e6:.1f}"
    total = [
        ["minutes", summary["minutes"]], ["transfers", summary["transfers"]],
        ["of them undisturbed", summary["undisturbed"]],
        *[[f"fault: {kind}", count] for kind, count in sorted(summary["faults"].items())],
        ["faults in all", sum(summary["faults"].values())],
        ["transfers that broke off", summary["interruptions"]],
        ["reconnections by `receive` itself", summary["reconnections"]],
        ["exit codes of `receive`", ", ".join(f"{code}: {count}" for code, count in sorted(summary["exitCodes"].items()))],
        ["MB of files transferred", megabytes(summary["transferred"])],
        ["MB of them transferred twice", megabytes(summary["twice"])],
        ["MB on the cable, with headers and retransmissions", megabytes(summary["onCable"])],
        ["problems", len(problems)],
    ]
    order = lambda rung: [-float(word.split()[0]) for word in rung["rung"].split(", ")]
    rungs = [[rung["rung"], rung["transfers"], rung["faults"], megabytes(rung["transferred"]), rung["megabits"]]
             for rung in sorted(summary["rungs"], key=order)]
    senders = [[sender["name"], sender["transfers"], *(f"{before} → {after}" for before, after in
                                                    zip(sender["first"], sender["last"]))] for sender in summary["standing"]]
    return "\n\n".join([
        table(["what", "count"], total),
        table(["cable", "transfers", "faults", "MB transferred", "Mbit/s of files, undisturbed (median)"], rungs),
        table(["sender that ran all the time", "transfers", "descriptors", "threads", "MiB resident", "most MiB"], senders),
    ])
