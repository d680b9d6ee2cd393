"""What a person or a test wants, line by line."""

from __future__ import annotations

import json
import os
from typing import Any

LONGEST_LINE = 1 << 20


class Commands:
    """Lines that are read without a buffer of Python's, so that `select` knows whether there is more."""

    def __init__(self, file: int) -> None:
        self.file = file
        self.read = b""
        self.has_ended = False

    def fileno(self) -> int:
        return self.file

    def fill(self) -> None:
        """Reads what is there; call it when `select` says so."""
        data = os.read(self.file, 65_536)
        self.has_ended = not data
        self.read += data
        if len(self.read) > LONGEST_LINE:
            raise ValueError("a line that is too long")

    def readline(self) -> str:
        """The next line; empty at the end of the input."""
        while b"\n" not in self.read and not self.has_ended:
            self.fill()
        line, _, self.read = self.read.partition(b"\n")
        return line.decode()

    def next(self) -> dict[str, Any] | None:
        """The next command that is there whole."""
        return json.loads(self.readline()) if b"\n" in self.read else None
