"""What TCP achieves and may use between the hosts of Scripts/hosts."""
import contextlib, json, re, subprocess

from bench.processes import Process
from common.hosts import Hosts
from common.processes import run, wait_until

SENDER, RECEIVER = "10.77.0.1", "10.77.0.2"
ALLOWED = "/proc/sys/net/ipv4/tcp_allowed_congestion_control"
# A user who administers the network may use every congestion control.
ORDINARY = ["setpriv", "--bounding-set=-net_admin", "--inh-caps=-net_admin"]


def cable(*options):
    return Hosts("bench", "--net", "v4", *options)


def connections(hosts, port):
    """The number of connections of host a at a port, and their congestion controls."""
    shown = subprocess.run(hosts.command("a", "ss", "-Htni", "state", "established", f"sport = :{port}"),
                           capture_output=True, text=True).stdout
    used = re.findall(r"^\s+(?:\S+ )*?(cubic|bbr|reno)\b", shown, re.MULTILINE)
    return f"{len(used)} × {', '.join(sorted(set(used)))}" if used else "none seen"


def iperf3(hosts, seconds, *options):
    """The MB/s that arrive on host b."""
    server = Process(hosts.command("b", "iperf3", "-s", "-1"))
    try:
        wait_until("iperf3 listens", lambda: run(hosts.command("b", "ss", "-Htln", "sport = :5201")))
        shown = json.loads(run(hosts.command("a", "iperf3", "-J", "-c", RECEIVER, "-t", str(seconds), *options)))
        server.wait(30)
    finally:
        server.kill()
    return shown["end"]["sum_received"]["bits_per_second"] / 8e6


def allowed_congestion_controls():
    with open(ALLOWED) as file:
        return file.read().split()


def allow_congestion_controls(names, *enter):
    run([*enter, "sysctl", "-qw", "net.ipv4.tcp_allowed_congestion_control=" + " ".join(names)])


@contextlib.contextmanager
def restore_congestion_controls(*enter):
    """Restores the list of allowed congestion controls at the end of the scope."""
    before = allowed_congestion_controls()
    try:
        yield before
    finally:
        if set(before) != set(allowed_congestion_controls()):
            allow_congestion_controls(before, *enter)


@contextlib.contextmanager
def stock_congestion_controls():
    """Allows ordinary users only the congestion controls of a stock system, until the end of the scope.

    The list belongs to the whole machine and can be written only from the machine's own network.
    """
    enter = ["nsenter", "--net=/run/machine-network"]
    with restore_congestion_controls(*enter) as before:
        if "bbr" in before:
            allow_congestion_controls([name for name in before if name != "bbr"], *enter)
        yield
