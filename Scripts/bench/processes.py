"""Starts programs, measures them, and ends them."""
import os, select, signal, socket, subprocess, tempfile, time
from typing import NamedTuple

from common.processes import PATIENCE, Failure, run, wait_until

# The processes that were started and have not been waited for.
running = set()
# The longest tick of a kernel's clock, in seconds.
TICK = 0.01


class Usage(NamedTuple):
    """What a process used: CPU seconds with its descendants, and the peak memory of one process in MB of 10⁶ bytes."""
    code: int
    cpu: float
    peak: float
    user: float


class Process:
    """A program in a session of its own.

    GNU time starts it, because the peak memory that wait4 reports for a child of this program includes this program's own. GNU time
    knows hundredths of a second only, and a short program may need none, so the CPU time is that of GNU time with its descendants.
    """

    def __init__(self, command, output=subprocess.DEVNULL, errors=None, environment=None, folder=None):
        self.command = [str(word) for word in command]
        self.usage_file = tempfile.NamedTemporaryFile("r", prefix="usage.")
        self.errors = errors or tempfile.TemporaryFile("w+")
        began = time.monotonic()
        self.popen = subprocess.Popen(
            ["/usr/bin/time", "-f", "%M", "-o", self.usage_file.name, "--", *self.command],
            stdin=subprocess.DEVNULL, stdout=output, stderr=self.errors, env=environment, cwd=folder,
            start_new_session=True)
        self.began = began
        self.handle = os.pidfd_open(self.popen.pid)
        running.add(self)

    @property
    def name(self):
        return os.path.basename(self.command[0])

    @property
    def is_running(self):
        # Does not reap the process: `wait` does, and reads its CPU time.
        return self in running and not has_ended(self.handle)

    @property
    def pid(self):
        """The program's own id."""
        return wait_until(f"{self.name} has begun", lambda: children(self.popen.pid) or self.expect_running())[0]

    def expect_running(self):
        if not self.is_running:
            raise Failure(f"{self} has ended: {self.said()}")

    def said(self):
        """The end of the program's standard error output."""
        self.errors.seek(0)
        return self.errors.read()[-2000:].strip()

    def send_signal(self, number):
        if self.is_running:
            os.kill(self.pid, number)

    def wait(self, limit=900):
        """Waits for the end and records its time in `ended`; returns the usage."""
        if not has_ended(self.handle, limit):
            self.kill()
            raise Failure(f"{self} has not ended in {limit} s: {self.said()}")
        self.ended = time.monotonic()
        _, status, used = os.wait4(self.popen.pid, 0)
        self.popen.returncode = os.waitstatus_to_exitcode(status)
        running.discard(self)
        os.close(self.handle)
        # If a signal ended the program, GNU time first writes a line about it.
        lines = self.usage_file.read().splitlines()
        self.usage_file.close()
        if not lines:
            raise Failure(f"{self} ended without its usage: {self.said()}")
        # The kernel samples what a program does at each tick of its clock. None may have met a short program in user mode.
        user = used.ru_utime or TICK
        return Usage(self.popen.returncode, used.ru_utime + used.ru_stime, int(lines[-1]) * 1024 / 1e6, user)

    def expect_success(self, limit=900):
        usage = self.wait(limit)
        if usage.code:
            raise Failure(f"{self} ended with {usage.code}: {self.said()}")
        return usage

    def stop(self, number=signal.SIGTERM):
        """Ends a server after the processes that serve its clients have ended; returns the usage."""
        wait_until(f"{self.name} has served its clients", lambda: not children(self.pid))
        self.send_signal(number)
        return self.wait(PATIENCE)

    def kill(self):
        """Ends the program and its children, if it still runs."""
        if self not in running:
            return
        try:
            os.killpg(self.popen.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.popen.wait()
        running.discard(self)

    def __str__(self):
        return " ".join(self.command)


def has_ended(handle, limit=0):
    """Whether the process of a pidfd has ended; waits for it, at most so many seconds."""
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    return bool(poll.poll(limit * 1000))


def kill_all():
    """Ends every process that still runs."""
    for process in list(running):
        process.kill()


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


def resident(pid):
    """The resident memory of a process in MB."""
    return memory(pid)["VmRSS"]


def memory(pid):
    """The resident memory of a process in MB, all of it and its parts."""
    with open(f"/proc/{pid}/status") as file:
        words = (line.split() for line in file if line.startswith(("VmRSS", "Rss")))
        return {name.rstrip(":"): int(kibibytes) * 1024 / 1e6 for name, kibibytes, _ in words}


def processor_time(pid):
    """The seconds that all threads of a process have run."""
    total = 0
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/schedstat") as file:
            total += int(file.read().split()[0])
    return total / 1e9


def seconds_of(command):
    """Runs a program that must succeed; returns the seconds from its start to its end."""
    begin = time.monotonic()
    run(command)
    return time.monotonic() - begin


def measure(command, limit=900):
    """Runs a program that must succeed; returns its seconds and its usage."""
    begin = time.monotonic()
    process = Process(command)
    usage = process.expect_success(limit)
    return process.ended - begin, usage


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def listens(port):
    """Whether a program listens on a port; does not connect to it."""
    for name in ("/proc/net/tcp", "/proc/net/tcp6"):
        with open(name) as file:
            if any(words[1].endswith(f":{port:04X}") and words[3] == "0A" for words in map(str.split, file)):
                return True
    return False


def wait_listening(port, process):
    def condition():
        process.expect_running()
        return listens(port)
    wait_until(f"{process.name} listens on port {port}", condition)
