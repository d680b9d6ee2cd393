"""The eight hosts, and who reached whom when."""
import itertools, random, string, time

from common.hosts import Hosts
from soak.group.faults import HOSTS


class Network(Hosts):
    def __init__(self):
        super().__init__("g" + "".join(random.SystemRandom().choices(string.ascii_lowercase, k=6)),
                         "--count", str(len(HOSTS)), "--mdns")
        self.cut_hosts, self.groups = set(), None
        # Begin and end of each time in which two hosts did not reach each other, by pair.
        self.outages = {pair: [] for pair in map(frozenset, itertools.combinations(HOSTS, 2))}

    def begin(self, fault):
        before = time.monotonic()
        if fault.kind == "cut":
            self.cut_hosts.add(fault.target)
            self.call("cut", fault.target)
        elif fault.kind == "separate":
            self.groups = fault.target.split()
            self.call("separate", *self.groups)
        else:
            self.call("avahi", fault.target, fault.kind.split()[1])
        self.note_outages(before)

    def end(self, fault):
        if fault.kind == "cut":
            self.call("join", fault.target)
            self.cut_hosts.remove(fault.target)
        elif fault.kind == "separate":
            self.call("heal")
            self.groups = None
        else:
            self.call("avahi", fault.target, "start")
        self.note_outages(time.monotonic())

    def note_outages(self, now):
        for pair, outages in self.outages.items():
            is_out = bool(outages) and outages[-1][1] is None
            if self.reaches(pair) and is_out:
                outages[-1][1] = now
            elif not self.reaches(pair) and not is_out:
                outages.append([now, None])

    def reaches(self, pair):
        if pair & self.cut_hosts:
            return False
        return self.groups is None or any(pair <= set(group) for group in self.groups)

    def connections(self):
        """The established TCP connections: the names of the hosts of each."""
        ends = {}
        for host in HOSTS:
            for line in self.call("exec", host, "ss", "-Htn", "state", "established").splitlines():
                texts = line.replace("%lan0", "").replace("::ffff:", "").replace("[", "").replace("]", "").split()[-2:]
                ends.setdefault(frozenset(texts), []).append(host)
        return ["".join(hosts) for hosts in ends.values()]
