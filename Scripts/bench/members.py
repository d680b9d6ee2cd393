"""Groups of sessions: each member is a process of its own, and all are linked with one another."""
import contextlib

from bench.processes import kill_all
from bench.talkers import SESSIONS, Talker
from common.processes import PATIENCE, run, wait_until

ADDRESS = "10.77.1.1"


@contextlib.contextmanager
def address():
    """An address at which the members find one another: members do not tell each other of addresses of loopback.

    What they send to it still goes over loopback, because it belongs to the same network namespace.
    """
    run(["ip", "link", "add", "members", "type", "veth", "peer", "name", "nobody"])
    try:
        for end in ("members", "nobody"):
            run(["ip", "link", "set", end, "addrgenmode", "none", "up"])
        run(["ip", "address", "add", f"{ADDRESS}/24", "dev", "members"])
        yield
    finally:
        run(["ip", "link", "delete", "members"])


class Group:
    """A group that is a full mesh.

    The process of the last member starts last, and sends. It invites all others, and they are introduced to one another.
    """

    def __init__(self, bench, tasks, *options, sender=()):
        """`tasks` says what each member does, the sender last; `options` are for all, and `sender` for the sender alone."""
        self.bench, self.tasks, self.options, self.sender_options = bench, tasks, options, sender
        self.members = []

    def __enter__(self):
        try:
            addresses = []
            for index, task in enumerate(self.tasks):
                is_sender = index == len(self.tasks) - 1
                command = [SESSIONS, "group", "connect" if is_sender else "listen", "--task", task,
                           "--others", str(len(self.tasks) - 1), *self.options,
                           *(["--to", ",".join(addresses), *self.sender_options] if is_sender else [])]
                member = Talker(self.bench, command)
                self.members.append(member)
                addresses.append(f"{ADDRESS}:{int(member.wait('listening')['port'])}")
            for member in self.members:
                member.wait("complete")
        except BaseException:
            kill_all()
            raise
        return self

    @property
    def sender(self):
        return self.members[-1]

    def expect_running(self):
        for member in self.members:
            member.process.expect_running()

    def rates(self, count, few):
        """Waits until the first members have counted what arrived in all windows.

        Returns the results of the members in each window, first those to few members and then those to all.
        """
        self.sender.wait("sent", limit=PATIENCE)
        windows = self.sender.output.lines("window")

        def condition():
            self.expect_running()
            found = {}
            for member in self.members[:count]:
                for line in member.output.lines("result"):
                    found.setdefault(line["begin"], []).append(line)
            return all(len(found.get(window["begin"], [])) == (count if window["toAll"] else few)
                       for window in windows) and found
        found = wait_until(f"{count} members have counted", condition, pause=0.05)
        return [[found[window["begin"]] for window in windows if window["toAll"] == to_all] for to_all in (0, 1)]

    def __exit__(self, *_):
        for member in self.members:
            member.__exit__()
