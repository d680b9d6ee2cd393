"""The soak of groups: one round of faults after the other, each with a check."""
import hashlib, itertools, os, random, signal, time

from common.hosts import environment
from common.processes import PATIENCE, Failure, note, wait_until
from soak.group import oracle
from soak.group.chat import Chat
from soak.group.faults import draw
from soak.group.network import Network

NAMES = ["Anna", "Ben", "Cleo", "Dora", "Emil", "Fritz", "Gina", "Hugo"]
PAUSE = 0.02
# Seconds between two lines of a person, and between two files of the group, on average.
LINE_PAUSE, FILE_PAUSE = 0.5, 8
# Seconds within which all are connected with all after the last fault.
HEALING = 40
# Seconds that all must be connected for: the screen may not yet show that a link was lost.
QUIET = 0.5


class GroupSoak:
    def __init__(self, binary, seed, work):
        self.binary, self.seed, self.work = binary, seed, work
        self.logs, self.outgoing = os.path.join(work, "logs"), os.path.join(work, "outgoing")
        for folder in (self.logs, self.outgoing):
            os.makedirs(folder)
        self.environment = environment(TMPDIR=work, HOME=work, SWIFT_BACKTRACE="enable=no")
        self.hosts = Network()
        self.began = self.hosts.began = time.monotonic()
        self.chats = [Chat(self, name) for name in NAMES]
        self.by_host = {chat.host: chat for chat in self.chats}
        self.problems, self.rounds, self.files, self.last = [], [], {}, {}

    def __enter__(self):
        self.hosts.up()
        return self

    def __exit__(self, *_):
        for chat in self.chats:
            if chat.is_running:
                chat.kill()
        self.hosts.down()

    def problem(self, text):
        self.problems.append(f"seed {self.seed}, {time.monotonic() - self.began:.1f} s: {text}")
        note(f"PROBLEM {self.problems[-1]}")

    def run(self, number, faults):
        """Runs a round and checks it; returns its figures."""
        self.dice = random.Random(f"{self.seed}/{number}")
        if number == 1:
            for chat in self.chats:
                chat.start()
            self.mesh = self.await_mesh()
        faults = draw(self.dice) if faults is None else faults
        problems = len(self.problems)
        note(f"{number}: {'; '.join(map(str, faults))}")
        began = time.monotonic()
        self.disturb(faults)
        healing = self.await_mesh()
        came, lost = self.check()
        figures = {
            "round": number, "begins": round(began - self.began, 1), "seconds": round(time.monotonic() - began, 1),
            "faults": [fault.kind for fault in faults], "healing": healing, "lines": came, "lost": lost,
            "problems": len(self.problems) - problems,
        }
        note(f"{number}: all connected {healing} s after the last fault; lines: {came} came, {lost} were lost")
        self.rounds.append(figures)
        return figures

    # A round

    def disturb(self, faults):
        """Causes the faults and ends them, while everybody talks."""
        steps = [(fault.begins, self.begin, fault) for fault in faults]
        steps += [(fault.begins + fault.lasts, self.end, fault) for fault in faults]
        steps.sort(key=lambda step: step[0])
        began = time.monotonic()
        self.next_file = began + self.dice.uniform(0, 5)
        self.next_line = {chat.name: began for chat in self.chats}
        for at, step, fault in steps:
            while time.monotonic() < began + at:
                self.talk()
                time.sleep(PAUSE)
            step(fault)

    def begin(self, fault):
        if fault.kind == "kill":
            code = self.by_host[fault.target].kill()
            if code != -signal.SIGKILL:
                self.problem(f"{self.by_host[fault.target].name} ended with {code} before it was killed")
        else:
            self.hosts.begin(fault)

    def end(self, fault):
        if fault.kind == "kill":
            self.by_host[fault.target].start()
        else:
            self.hosts.end(fault)

    def talk(self):
        """Lets people say lines and send files, if it is time."""
        now = time.monotonic()
        for chat in self.chats:
            if now >= self.next_line[chat.name] and chat.is_running:
                chat.say()
                self.next_line[chat.name] = now + self.dice.expovariate(1 / LINE_PAUSE)
        if now >= self.next_file:
            self.next_file = now + self.dice.expovariate(1 / FILE_PAUSE)
            self.send_file(self.dice.choice([chat for chat in self.chats if chat.is_running]))

    def send_file(self, chat):
        name = f"{chat.name}-{len(self.files) + 1}.bin"
        content = self.dice.randbytes(int(10 ** self.dice.uniform(2, 6.5)))
        with open(os.path.join(self.outgoing, name), "wb") as file:
            file.write(content)
        self.files[name] = hashlib.sha256(content).hexdigest()
        chat.type(f"/send {os.path.join(self.outgoing, name)}")

    # Checks

    def await_mesh(self):
        """L1: all show all as connected in time; returns how long it took."""
        began = time.monotonic()
        pairs = list(itertools.permutations(self.chats, 2))

        def missing():
            return [f"{one.name} shows {other.name} as {one.state(other.name)}" for one, other in pairs
                    if one.state(other.name) != "connected"]
        since = None

        def is_mesh():
            nonlocal since
            since = None if missing() else since or time.monotonic()
            return since and time.monotonic() - since >= QUIET
        try:
            wait_until("all connected", is_mesh, HEALING, PAUSE)
        except Failure:
            self.problem(f"L1: {'; '.join(missing())}")
            self.wait("all connected at last", is_mesh)
        return round((since or time.monotonic()) - began, 2)

    def wait(self, what, condition, limit=PATIENCE):
        try:
            wait_until(what, condition, limit, PAUSE)
        except Failure as failure:
            self.problem(str(failure))

    def check(self):
        """Lets everybody say a last line, and checks all screens and files; returns how many lines came and were lost."""
        for chat in self.chats:
            if chat.process.poll() is not None:
                self.problem(f"{chat.name} ended with {chat.process.returncode}")
            chat.say()
            chat.measure_memory()
        self.wait("the last lines arrive", lambda: all(
            chat.said[-1][0] in other.received[chat.name] for chat, other in itertools.permutations(self.chats, 2)), 20)
        came = lost = 0
        for sender, receiver in itertools.permutations(self.chats, 2):
            problems, *counts = oracle.check_lines(self.hosts, sender, receiver, self.last)
            came, lost = came + counts[0], lost + counts[1]
            for problem in problems:
                self.problem(problem)
        self.check_connections()
        for problem in oracle.check_files(self.chats, self.files):
            self.problem(problem)
        self.forget()
        return came, lost

    def check_connections(self):
        """One connection for each pair, as soon as files have been sent and connections that lost are closed."""
        expected = sorted(map("".join, itertools.combinations(sorted(self.by_host), 2)))
        try:
            wait_until("one connection for each pair", lambda: sorted(self.hosts.connections()) == expected, pause=0.5)
        except Failure:
            found = sorted(self.hosts.connections())
            self.problem(f"connections: {len(found)} instead of {len(expected)}: {' '.join(found)}")

    def forget(self):
        """Forgets what was checked."""
        for chat in self.chats:
            with chat.lock:
                chat.said.clear()
                chat.received.clear()
                chat.missed.clear()
                chat.sent_files.clear()
                chat.received_files.clear()
                for times in chat.states.values():
                    del times[:-1]
            chat.absences.clear()
            for name in set(os.listdir(chat.folder)) & set(self.files):
                os.unlink(os.path.join(chat.folder, name))
        for outages in self.hosts.outages.values():
            outages.clear()

    def end_all(self):
        """Ends all programs."""
        for chat in self.chats:
            code = chat.leave()
            if code != 0:
                self.problem(f"{chat.name} ended with {code}")
