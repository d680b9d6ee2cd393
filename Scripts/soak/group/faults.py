"""The faults of a round: drawn at random, or from a short list."""
import dataclasses

HOSTS = "abcdefgh"


@dataclasses.dataclass
class Fault:
    # kill, cut, separate, avahi stop, avahi kill
    kind: str
    # Seconds after the begin of the round, and seconds that it lasts.
    begins: float
    lasts: float
    # The host, or the groups.
    target: str

    def __str__(self):
        return f"{self.kind} {self.target} at {self.begins:.1f} s for {self.lasts:.1f} s"


SHORT = [
    [Fault("kill", 1, 0.2, "b"), Fault("kill", 2, 3, "g")],
    [Fault("cut", 1, 9, "c"), Fault("kill", 3, 1, "e")],
    [Fault("separate", 1, 10, "abcd cdef efgh"), Fault("avahi kill", 2, 3, "a")],
]


def draw(dice):
    """Draws the faults of a round."""
    faults, taken = [], set()
    for _ in range(dice.choice([1, 1, 2, 2, 3, 4])):
        kind = dice.choice(["kill", "kill", "cut", "cut", "separate", "separate", "avahi stop", "avahi kill"])
        begins = dice.uniform(0, 15)
        target = groups(dice) if kind == "separate" else dice.choice(HOSTS)
        key = kind if kind == "separate" else (kind.split()[0], target)
        if key in taken:
            continue
        taken.add(key)
        faults.append(Fault(kind, begins, duration(dice, kind), target))
    return faults


def duration(dice, kind):
    if kind == "kill":
        return dice.choice([0, dice.uniform(0, 2), dice.uniform(0, 10), dice.uniform(0, 40)])
    if kind in ("cut", "separate"):
        # Half of them are short: nothing may be lost then.
        return dice.choice([dice.uniform(1, 20), dice.uniform(1, 40)])
    return dice.uniform(0, 6)


def groups(dice):
    """Draws groups of hosts: apart, overlapping (not everybody reaches everybody), or alone."""
    hosts = list(HOSTS)
    dice.shuffle(hosts)
    shape = dice.choice(["halves", "three", "chain", "overlap", "center", "alone"])
    cut = dice.randrange(1, 8)
    if shape == "halves":
        parts = [hosts[:cut], hosts[cut:]]
    elif shape == "three":
        parts = [hosts[:3], hosts[3:5], hosts[5:]]
    elif shape == "chain":
        parts = [hosts[index:index + 2] for index in range(7)]
    elif shape == "overlap":
        parts = [hosts[:5], hosts[3:]]
    elif shape == "center":
        parts = [[hosts[0], other] for other in hosts[1:]]
    else:
        parts = [hosts[cut:]]
    return " ".join("".join(sorted(part)) for part in parts)
