"""Two machines on a cable, made by Scripts/hosts."""
import json, os, random, string, subprocess

HOSTS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "hosts")
DEVICE = "lan0"


class Network:
    """Hosts a (who sends) and b (who receives)."""

    def __init__(self):
        self.prefix = "s" + "".join(random.SystemRandom().choices(string.ascii_lowercase, k=6))
        self.last_octet = {"a": 1, "b": 2}

    def call(self, command, *arguments):
        result = subprocess.run([HOSTS, command, "-p", self.prefix, *arguments], capture_output=True, text=True,
                                stdin=subprocess.DEVNULL, env=self.environment())
        if result.returncode:
            raise RuntimeError(f"hosts {command} {' '.join(arguments)}: {result.stderr.strip()}")
        return result.stdout

    @staticmethod
    def environment(**more):
        """This program's, without the way to another D-Bus than the host's own."""
        kept = {name: value for name, value in os.environ.items() if name != "DBUS_SYSTEM_BUS_ADDRESS"}
        return {**kept, **more}

    def up(self):
        self.call("up", "--mdns")

    def down(self):
        self.call("down")

    def command(self, side, *arguments):
        """The words that run a program on a host; its process has the id of the one that is started with them."""
        return [HOSTS, "exec", "-p", self.prefix, side, *arguments]

    def shape(self, rung):
        """Makes the cable as fast and as lossy as a rung of the ladder says."""
        self.call("shape", "--rate", f"{rung.megabits}mbit", "--loss", str(rung.loss) if rung.loss else "none")

    def address(self, side):
        return f"10.77.0.{self.last_octet[side]}"

    def move(self, side, generator, with_link_local):
        """Gives a host other addresses, as another network would."""
        before = self.address(side)
        taken = set(self.last_octet.values())
        self.last_octet[side] = generator.choice([octet for octet in range(3, 250) if octet not in taken])
        commands = [f"ip addr del {before}/24 dev {DEVICE}", f"ip addr add {self.address(side)}/24 dev {DEVICE}"]
        if with_link_local:
            commands += [f"ip -6 addr flush dev {DEVICE} scope link",
                         f"ip addr add fe80::{generator.randrange(1, 0xffff):x}/64 dev {DEVICE} nodad"]
        self.call("exec", side, "sh", "-ec", "\n".join(commands))

    def bytes_sent(self):
        """The bytes that host a has put on the cable, with all headers."""
        shown = json.loads(self.call("exec", "a", "ip", "-s", "-j", "link", "show", DEVICE))
        return shown[0]["stats64"]["tx"]["bytes"]

    def processes(self, name):
        """The ids of the programs of a name that run on either host."""
        found = []
        for side in "ab":
            pids = subprocess.run(["ip", "netns", "pids", self.prefix + side], capture_output=True, text=True)
            for pid in pids.stdout.split():
                try:
                    if os.path.basename(os.readlink(f"/proc/{pid}/exe")) == name:
                        found.append(int(pid))
                except OSError:
                    pass
        return found
