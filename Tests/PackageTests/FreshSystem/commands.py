"""Prints the commands of a program that uses swift-argument-parser, one a line: `hikeshare peers list`."""

import json
import subprocess
import sys


def names(command, before):
    name = (before + " " + command["commandName"]).strip()
    yield name
    for sub in command.get("subcommands", []):
        yield from names(sub, name)


help = subprocess.run([sys.argv[1], "--experimental-dump-help"], check=True, capture_output=True).stdout
print("\n".join(names(json.loads(help)["command"], "")))
