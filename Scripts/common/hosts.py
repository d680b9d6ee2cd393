"""Machines joined by cables, made by Scripts/hosts."""
import os

from common.paths import SCRIPTS
from common.processes import run

HOSTS = os.path.join(SCRIPTS, "hosts")


def environment(**more):
    """This program's environment without the address of the machine's own D-Bus: each host has a D-Bus of its own."""
    kept = {name: value for name, value in os.environ.items() if name != "DBUS_SYSTEM_BUS_ADDRESS"}
    return {**kept, **more}


class Hosts:
    """The hosts of one network; a transfer has two: host a, which sends, and host b, which receives."""

    def __init__(self, prefix, *options):
        """`options` are those of `hosts up`."""
        self.prefix, self.options = prefix, options

    def __enter__(self):
        self.up()
        return self

    def __exit__(self, *_):
        self.down()

    def up(self):
        self.call("up", *self.options)

    def down(self):
        self.call("down")

    def call(self, command, *arguments):
        return run([HOSTS, command, "-p", self.prefix, *arguments], env=environment())

    def command(self, side, *arguments):
        """The command line that runs a program on a host. The program keeps the id of the process that starts it."""
        return [HOSTS, "exec", "-p", self.prefix, side, *arguments]
