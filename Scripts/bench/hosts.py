"""Two machines on a cable, made by Scripts/hosts, and what TCP may use there."""
import contextlib, json, os, re, subprocess

from bench.processes import run

HOSTS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "hosts")
SENDER = "10.77.0.1"
ALLOWED = "/proc/sys/net/ipv4/tcp_allowed_congestion_control"
# Who may administer the network may use any congestion control.
ORDINARY = ["setpriv", "--bounding-set=-net_admin", "--inh-caps=-net_admin"]


class Hosts:
    """Hosts a (who sends) and b (who receives), for the time of a scope."""

    def __init__(self, *options):
        self.options = options

    def __enter__(self):
        run([HOSTS, "up", "-p", "bench", "--net", "v4", *self.options])
        return self

    def __exit__(self, *_):
        run([HOSTS, "down", "-p", "bench"])

    def command(self, side, *command):
        """The words that run a program on a host; its process has the id of the one that is started with them."""
        return [HOSTS, "exec", "-p", "bench", side, *command]

    def connections(self, port):
        """How many connections host a has at a port, and the congestion controls that they use."""
        shown = subprocess.run(self.command("a", "ss", "-Htni", "state", "established", f"sport = :{port}"),
                               capture_output=True, text=True).stdout
        used = re.findall(r"^\s+(?:\S+ )*?(cubic|bbr|reno)\b", shown, re.MULTILINE)
        return f"{len(used)} × {', '.join(sorted(set(used)))}" if used else "none seen"

    def iperf3(self, seconds, *options):
        """MB/s that arrive on host b."""
        server = subprocess.Popen(self.command("b", "iperf3", "-s", "-1"), stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, start_new_session=True)
        try:
            for _ in range(500):
                if run(self.command("b", "ss", "-Htln", "sport = :5201")):
                    break
            shown = json.loads(run(self.command("a", "iperf3", "-J", "-c", "10.77.0.2", "-t", str(seconds), *options)))
            server.wait(30)
        finally:
            server.kill()
        return shown["end"]["sum_received"]["bits_per_second"] / 8e6


def allowed_congestion_controls():
    with open(ALLOWED) as file:
        return file.read().split()


@contextlib.contextmanager
def restore_congestion_controls(*enter):
    """Allows at the end of a scope what was allowed at its beginning."""
    before = allowed_congestion_controls()
    try:
        yield before
    finally:
        if set(before) != set(allowed_congestion_controls()):
            allow_congestion_controls(before, *enter)


def allow_congestion_controls(names, *enter):
    run([*enter, "sysctl", "-qw", "net.ipv4.tcp_allowed_congestion_control=" + " ".join(names)])


@contextlib.contextmanager
def stock_congestion_controls():
    """Allows those without rights what a stock system does, for the time of a scope.

    The list is the whole machine's, and can be written from its own network alone.
    """
    enter = ["nsenter", "--net=/run/machine-network"]
    with restore_congestion_controls(*enter) as before:
        if "bbr" in before:
            allow_congestion_controls([name for name in before if name != "bbr"], *enter)
        yield
