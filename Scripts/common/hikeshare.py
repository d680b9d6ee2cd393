"""Runs hikeshare and reads the JSON that it writes."""
import json

from common.processes import run


def hikeshare(binary, *arguments, **options):
    """Runs a command that must succeed; returns its lines of JSON."""
    return [json.loads(line) for line in run([binary, *arguments, "--format", "json"], **options).splitlines()]


class JSONFile:
    """A file to which a running program writes lines of JSON."""

    def __init__(self, path):
        self.file, self.rest, self.read_lines = open(path, "rb"), b"", []

    def all_lines(self):
        *whole, self.rest = (self.rest + self.file.read()).split(b"\n")
        self.read_lines += [json.loads(line) for line in whole if line]
        return self.read_lines

    def lines(self, *types):
        """The lines of some types that have been written so far."""
        return [line for line in self.all_lines() if line["type"] in types]

    def close(self):
        self.file.close()
