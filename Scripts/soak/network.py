"""The two machines and the cable between them."""
import json, os, random, string, subprocess

from common.hosts import Hosts

DEVICE = "lan0"


class Network(Hosts):
    def __init__(self):
        super().__init__("s" + "".join(random.SystemRandom().choices(string.ascii_lowercase, k=6)), "--mdns")
        self.last_octet = {"a": 1, "b": 2}

    def shape(self, rung):
        """Gives the cable the rate and the loss of a rung of the ladder."""
        self.call("shape", "--rate", f"{rung.megabits}mbit", "--loss", str(rung.loss) if rung.loss else "none")

    def address(self, side):
        return f"10.77.0.{self.last_octet[side]}"

    def move(self, side, generator, with_link_local):
        """Gives a host other addresses, as if it had moved to another network."""
        before = self.address(side)
        taken = set(self.last_octet.values())
        self.last_octet[side] = generator.choice([octet for octet in range(3, 250) if octet not in taken])
        commands = [f"ip addr del {before}/24 dev {DEVICE}", f"ip addr add {self.address(side)}/24 dev {DEVICE}"]
        if with_link_local:
            commands += [f"ip -6 addr flush dev {DEVICE} scope link",
                         f"ip addr add fe80::{generator.randrange(1, 0xffff):x}/64 dev {DEVICE} nodad"]
        self.call("exec", side, "sh", "-ec", "\n".join(commands))

    def bytes_sent(self):
        """The bytes that host a has sent over the cable, with all headers."""
        shown = json.loads(self.call("exec", "a", "ip", "-s", "-j", "link", "show", DEVICE))
        return shown[0]["stats64"]["tx"]["bytes"]

    def processes(self, name):
        """The ids of all processes of a program on both hosts."""
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
