"""Namespaces for the benchmark, which leave nothing on the machine."""
import shutil, signal, subprocess, sys, tempfile

from bench.hosts import allow_congestion_controls, restore_congestion_controls

# The first process. `/run` is private, so daemons and network namespaces leave nothing there. The machine's own network
# stays reachable under /run/machine-network, for the one setting that only this network has. TCP is as on a stock system.
BEGIN = """
mount -t tmpfs -o mode=755 tmpfs /run
touch /run/machine-network
mount --bind /proc/self/ns/net /run/machine-network
mount -t tmpfs -o size=85% tmpfs "$1"
shift
exec unshare -n sh -ec '
  ip link set lo up
  sysctl -qw net.ipv4.tcp_congestion_control=cubic
  exec "$@"' sh "$@"
"""


def run(command, work_in, disk_in):
    """Runs a command; returns its exit code. Its options --work and --disk name a new tmpfs and a folder on a disk.

    The command has no network but loopback. All its processes end when it ends or when this process ends.
    """
    work = tempfile.mkdtemp(prefix="hikeshare-bench.", dir=work_in)
    disk = tempfile.mkdtemp(prefix="hikeshare-bench.", dir=disk_in)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    with restore_congestion_controls() as allowed:
        if "cubic" not in allowed:
            # A new network could not use cubic as its default.
            allow_congestion_controls([*allowed, "cubic"])
        inside = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", "unshare", "-m", "-p", "--fork", "--kill-child", "--mount-proc",
             "sh", "-ec", BEGIN, "sh", work, *command, "--work", work, "--disk", disk],
            stdin=subprocess.DEVNULL, start_new_session=True)
        try:
            return inside.wait()
        finally:
            inside.kill()
            inside.wait()
            for path in (work, disk):
                shutil.rmtree(path, ignore_errors=True)
