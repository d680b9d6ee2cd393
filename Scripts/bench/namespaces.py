"""A machine within the machine: whatever happens in it, nothing of it stays."""
import shutil, signal, subprocess, sys, tempfile

from bench.hosts import allow_congestion_controls, restore_congestion_controls

# Runs as the first process: `/run` is its own, so daemons and network namespaces leave nothing there, and the network of
# the machine is kept where it can be found, for the one setting that only it has. TCP is that of a stock system.
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
    """Runs a command, to which it names two folders, on a tmpfs of its own and on a disk; returns its exit code.

    It sees no network but loopback. When it ends, or this process does, whatever it has started ends.
    """
    work = tempfile.mkdtemp(prefix="hikeshare-bench.", dir=work_in)
    disk = tempfile.mkdtemp(prefix="hikeshare-bench.", dir=disk_in)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    with restore_congestion_controls() as allowed:
        if "cubic" not in allowed:  # then no network but the machine's own may have it as its default
            allow_congestion_controls([*allowed, "cubic"])
        inside = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", "unshare", "-m", "-p", "--fork", "--kill-child", "--mount-proc",
             "sh", "-ec", BEGIN, "sh", work, *command, "--work", work, "--disk", disk], stdin=subprocess.DEVNULL, start_new_session=True)
        try:
            return inside.wait()
        finally:
            inside.kill()
            inside.wait()
            for path in (work, disk):
                shutil.rmtree(path, ignore_errors=True)
