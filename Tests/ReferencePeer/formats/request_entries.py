"""The entries of streams of requests: requests, withdrawals, answers and refusals.

Everything here is a table or a rule of the page Sessions.md, section “bytes”.
"""

from __future__ import annotations

from dataclasses import dataclass

from formats.link_frames import NOTHING_TAKES_IT, REFUSED, TOO_LARGE, TOO_MANY, Parts, _sized, link_name
from formats.values import beyond_limit, invalid

REQUEST, WITHDRAWAL, ANSWER, REFUSAL = range(4)
"""The types of entries."""

CAUSES = (REFUSED, NOTHING_TAKES_IT, TOO_MANY, TOO_LARGE)
"""The causes of refusals. An unknown one is read as refused."""

LONGEST_SHORT = 4_096
"""The longest entry on a stream of short requests, with its length."""

LONGEST_HEAD = 13 + 1 + 64 + 2
"""What is in front of the payload of a request at most, with the length."""


@dataclass(frozen=True)
class Entry:
    """What a side says about a request."""

    type: int
    number: int
    payload: bytes = b""
    name: str = ""
    version: int = 0
    cause: int = 0
    code: str = ""
    reason: str = ""

    def encode(self) -> bytes:
        """The entry with its length."""
        data = bytes([self.type]) + self.number.to_bytes(8, "big")
        if self.type == REQUEST:
            data += _sized(1, self.name.encode()) + self.version.to_bytes(2, "big")
        elif self.type == REFUSAL:
            data += bytes([self.cause]) + _sized(1, self.code.encode()) + _sized(2, self.reason.encode())
        return _sized(4, data + self.payload)

    @staticmethod
    def decode(data: bytes, longest: int) -> Entry:
        """Reads an entry without its length."""
        parts = Parts(data)
        type, number = parts.number(1), parts.number(8)
        entry = Entry(type, number)
        if type == REQUEST:
            name, version = link_name(parts.text(1, 64)), parts.number(2)
            entry = Entry(type, number, bytes(parts.rest), name, version)
        elif type == ANSWER:
            entry = Entry(type, number, bytes(parts.rest))
        elif type == REFUSAL:
            cause, code, reason = parts.number(1), parts.text(1, 64), parts.text(2, 1_000)
            entry = Entry(type, number, cause=cause if cause in CAUSES else REFUSED, code=code, reason=reason)
            parts.end()
        elif type == WITHDRAWAL:
            parts.end()
        else:
            raise invalid(f"an entry of the type {type}")
        if len(entry.payload) > longest:
            raise beyond_limit(f"a request or an answer of {len(entry.payload)} bytes")
        return entry
