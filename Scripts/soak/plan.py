"""Plans of transfers: drawn at random, or from a short list."""
import dataclasses, random


@dataclasses.dataclass(frozen=True)
class Rung:
    """A cable: its rate in Mbit/s, and the percentage of packets that it loses in each direction."""
    megabits: int
    loss: float

    @property
    def goodput(self):
        """About how many bytes of a file are transferred in a second."""
        return self.megabits * 1e6 / 8 * 0.85

    def __str__(self):
        return f"{self.megabits} Mbit/s, {self.loss} %"


LADDER = [Rung(100, 0), Rung(100, 0.1), Rung(50, 0.5), Rung(20, 1), Rung(10, 2), Rung(5, 2), Rung(2, 3), Rung(1, 5)]

# The share of a region that is transferred, by content. Without an entry it is the whole region.
SHARES = {"newer": 0.1, "items": 0.01, "routing": 0.01, "same": 0.01}

# The regions of the standing senders, which run as long as the soak, and their sizes.
STANDING = {"Little Hut": 1_000_000, "Middle Hut": 7_000_000, "Large Hut": 50_000_000}


@dataclasses.dataclass
class Fault:
    kind: str
    # Seconds after the end of the fault before, and seconds that it lasts.
    after: float
    lasts: float = 0
    # Which receiver, and which of two forms of the fault.
    target: int = 0
    other_way: bool = False


@dataclasses.dataclass
class Plan:
    rung: Rung
    # new, newer, items, routing, same: from a sender of its own; guest, full: from a standing sender.
    content: str
    # found, stranger (found, but not trusted), link, address
    way: str
    receivers: int = 1
    size: int = 0
    standing: str = ""
    once: bool = False
    faults: list = dataclasses.field(default_factory=list)
    # Whether the time of the first fault counts from the first progress.
    waits: bool = True

    @property
    def seconds(self):
        """About how long the transfer takes without faults."""
        return 1 + self.receivers * self.size * SHARES.get(self.content, 1) / self.rung.goodput

    def __str__(self):
        faults = ", ".join(fault.kind for fault in self.faults) or "undisturbed"
        standing = f" from {self.standing}" if self.standing else ""
        return (f"{self.rung}; {self.content}{standing}, {self.size / 1e6:.1f} MB, {self.way}, "
                f"{self.receivers} at once; {faults}")


ANY_FAULTS = ["kill receiver", "kill receiver", "interrupt receiver", "pause receiver", "cut", "cut",
              "cut and kill receiver", "move sender", "move receiver", "avahi of sender", "avahi of receiver", "reshape"]
# The most seconds that a fault lasts. A fault without an entry has no duration.
LONGEST = {"cut": 20, "cut and kill receiver": 10, "pause receiver": 10, "pause sender": 10, "reshape": 8,
           "avahi of sender": 6, "avahi of receiver": 6, "kill sender": 3, "restart sender": 2}
SENDER_FAULTS = ["kill sender", "kill sender", "restart sender", "pause sender"]


def draw(seed, number):
    """Draws the plan of a transfer."""
    dice = random.Random(f"{seed}/{number}")
    rung = dice.choice(LADDER)
    content, = dice.choices(["new", "newer", "items", "routing", "same", "guest", "full"], [32, 15, 5, 4, 6, 30, 8])
    receivers = 1 if content == "full" else dice.choices([1, 2, 3], [60, 22, 18])[0]
    plan = Plan(rung, content, "found", receivers, waits=dice.random() < 0.75)
    if content in ("guest", "full"):
        plan.standing = next(name for name, most in zip(STANDING, (2, 20, 1000)) if rung.megabits <= most)
        plan.size = STANDING[plan.standing]
        plan.way = dice.choice(["link", "stranger"])
    else:
        plan.size = int(min(80e6, rung.goodput * dice.uniform(5, 16)) / receivers)
        plan.way, = dice.choices(["found", "link", "address"], [60, 20, 20])
    if content == "full":
        plan.faults.append(fill(dice, plan))
    if dice.random() < 0.75:
        possible = ANY_FAULTS + ([] if plan.standing else SENDER_FAULTS)
        count = dice.choice([1, 1, 2, 2, 3, 4])
        plan.faults += [drawn_fault(dice, plan, dice.choice(possible), 1.2 / (count + 1)) for _ in range(count)]
        dice.shuffle(plan.faults)
    plan.once = not plan.faults and receivers == 1 and not plan.standing and dice.random() < 0.5
    return plan


def fill(dice, plan):
    return Fault("full disk", dice.uniform(0.1, 0.5) * plan.seconds, 60)


def drawn_fault(dice, plan, kind, latest):
    longest = LONGEST.get(kind, 0)
    # Short faults are more frequent.
    lasts = longest * max(0.05, dice.random()**2)
    return Fault(kind, dice.uniform(0.02, latest) * plan.seconds, lasts, dice.randrange(plan.receivers), dice.random() < 0.5)


SHORT = [
    Plan(Rung(100, 0), "new", "found", receivers=3, size=4_000_000),
    Plan(Rung(20, 1), "new", "found", size=8_000_000, faults=[Fault("kill receiver", 1), Fault("kill sender", 1, 0.5)]),
    Plan(Rung(20, 1), "newer", "address", receivers=2),
    Plan(Rung(20, 0), "guest", "link", receivers=3, standing="Little Hut", size=STANDING["Little Hut"]),
    Plan(Rung(10, 2), "guest", "link", standing="Middle Hut", size=STANDING["Middle Hut"], faults=[Fault("cut", 1, 7)]),
    Plan(Rung(20, 0), "full", "stranger", standing="Middle Hut", size=STANDING["Middle Hut"],
         faults=[Fault("full disk", 1, 60)]),
    Plan(Rung(100, 0), "same", "found", once=True),
]
