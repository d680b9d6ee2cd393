"""A person's chat on a host: its processes, and what the screen shows."""
import collections, os, re, signal, subprocess, threading, time

from common.processes import PATIENCE

LINE = re.compile(r"(\w+): (\d+\.\d+)$")
STATE = re.compile(r"-- (\w+): (\w+)")
MISSED = re.compile(r"-- (\w+) does not get “(\d+\.\d+)”")
HAS_FILE = re.compile(r"-- (\w+) has (\S+)$")
SENT_FILE = re.compile(r"-- (\w+) sent (\S+), (\d+) bytes$")


def number(text):
    """The number of a line, such as 3.17 for the 17th line of the 3rd process, as a pair that can be compared."""
    process, line = text.split(".")
    return int(process), int(line)


class Chat:
    def __init__(self, soak, name):
        self.soak, self.name, self.host = soak, name, name[0].lower()
        self.folder = os.path.join(soak.work, name)
        os.makedirs(self.folder)
        self.process, self.processes, self.count = None, 0, 0
        self.lock = threading.Lock()
        # What this person said: number and time. What the screen shows others to have said, by name. Emptied by each check.
        self.said, self.received = [], collections.defaultdict(list)
        self.missed, self.sent_files, self.received_files = [], [], []
        # When the screen showed a person as connected, or not, by name.
        self.states = collections.defaultdict(list)
        # When the process was killed and when the next one was started.
        self.absences = []
        self.most_memory = 0

    def start(self):
        self.processes += 1
        self.count = 0
        log = os.path.join(self.soak.logs, f"{self.name}-{self.processes:03}")
        with open(log + ".err", "wb") as errors:
            self.process = subprocess.Popen(
                self.soak.hosts.command(self.host, self.soak.binary, self.name, os.path.join(self.folder, "key.pem"),
                                        "--everyone"),
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, env=self.soak.environment,
                start_new_session=True)
        if self.absences:
            self.absences[-1][1] = time.monotonic()
        self.reader = threading.Thread(target=self.read, args=(self.process.stdout, log + ".out"), daemon=True)
        self.reader.start()

    @property
    def is_running(self):
        return self.process is not None

    def kill(self):
        self.absences.append([time.monotonic(), None])
        self.process.kill()
        return self.bury()

    def bury(self):
        """Waits for the end of the process and of its output; returns the exit code."""
        code = self.process.wait(PATIENCE)
        self.reader.join()
        self.process = None
        with self.lock:
            for times in self.states.values():
                times.append((time.monotonic(), "gone"))
        return code

    def leave(self):
        """Ends the input, and returns the exit code."""
        self.process.stdin.close()
        return self.bury()

    def say(self):
        self.count += 1
        text = f"{self.processes}.{self.count}"
        with self.lock:
            self.said.append((number(text), time.monotonic()))
        self.type(text)

    def type(self, text):
        try:
            self.process.stdin.write(text.encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass   # The soak finds the end of the process by itself.

    def read(self, output, log):
        with open(log, "w") as file:
            for line in output:
                now, text = time.monotonic(), line.decode().rstrip("\n")
                print(f"{now - self.soak.began:.3f} {text}", file=file, flush=True)
                with self.lock:
                    self.take(now, text)

    def take(self, now, text):
        if found := LINE.match(text):
            self.received[found[1]].append(number(found[2]))
        elif found := STATE.match(text):
            self.states[found[1]].append((now, found[2]))
        elif found := MISSED.match(text):
            self.missed.append((found[1], number(found[2])))
        elif found := SENT_FILE.match(text):
            self.received_files.append(found[2])
        elif found := HAS_FILE.match(text):
            self.sent_files.append((found[1], found[2]))

    def state(self, name):
        with self.lock:
            times = self.states[name]
            return times[-1][1] if times else "unknown"

    def back_at(self, name, begin, end):
        """When the screen showed a person as connected again after an absence; the end of the absence if it showed nothing."""
        with self.lock:
            times = list(self.states[name])
        noticed = next((now for now, state in times if now >= begin and state != "connected"), None)
        if noticed is None:
            return end
        return next((now for now, state in times if now >= max(noticed, end) and state == "connected"), float("inf"))

    def measure_memory(self):
        """Notes the resident memory of the process in MiB."""
        with open(f"/proc/{self.process.pid}/status") as file:
            status = dict(line.rstrip("\n").split(":\t", 1) for line in file)
        self.most_memory = max(self.most_memory, int(status["VmHWM"].split()[0]) / 1024)
