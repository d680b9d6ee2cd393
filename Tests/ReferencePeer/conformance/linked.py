"""A link of the conformance kit with a program: the frames of its streams, and what the program does with them."""

from __future__ import annotations

import struct
import time
from dataclasses import dataclass, field
from typing import Any, Callable

from connecting.connection import Connection
from conformance.case import PATIENCE, Wrong, expect_pong
from formats import wire
from formats.frame_types import RECORDS
from formats.link_frames import BYTES, MESSAGES, NOTHING_TAKES_IT, REFUSED, TOO_MANY, Credit, End, Open, decode_bytes, encode_bytes
from formats.request_entries import REFUSAL, Entry
from formats.wire import Frame, FrameType
from link.meeting import Meeting


@dataclass
class Linked:
    """A link with the program."""

    connection: Connection
    meeting: Meeting
    terms: dict[str, Any]
    """What the program says in its `link`."""
    received: int = 0
    """How many records of the program have arrived."""
    refusals: bytearray = field(default_factory=bytearray)
    """What has come on the stream of short requests and was not looked at."""

    @property
    def first(self) -> int:
        """The number of the first stream of this side."""
        return 2 if self.connection.identity.id < self.connection.peer else 1

    def open(self, kind: int = BYTES, name: str = "kit", at: int = 0) -> bytes:
        """The frame that opens the stream at this place among those of this side."""
        return wire.encode(FrameType.OPEN, Open(self.first + 2 * at, kind, kind == MESSAGES, name).encode())

    def bytes(self, data: bytes, at: int = 0) -> bytes:
        return wire.encode(FrameType.BYTES, encode_bytes(self.first + 2 * at, data))

    def end(self, code: int = 0, at: int = 0) -> bytes:
        return wire.encode(FrameType.END, End(self.first + 2 * at, code).encode())

    def next(self, wanted: Callable[[Frame], bool]) -> Frame:
        """Waits for a frame, whatever comes before it; counts the records."""
        deadline = time.monotonic() + PATIENCE
        while True:
            found = self.connection.next(*FrameType, within=deadline - time.monotonic())
            self.received += found.type in RECORDS
            if wanted(found):
                return found

    def expect_credit(self, count: int) -> None:
        """Waits until the program has acknowledged so many records."""
        self.next(lambda found: found.type == FrameType.CREDIT and Credit.decode(found.payload).received >= count)

    def expect_refusal(self, *codes: int, at: int = 0) -> None:
        """Waits until the program ends a stream, and checks that the link goes on."""
        number = self.first + 2 * at
        found = self.next(lambda found: found.type == FrameType.END and End.decode(found.payload).stream == number)
        if (given := End.decode(found.payload).code) not in codes:
            raise Wrong(f"it ends the stream with code {given}, not with {' or '.join(map(str, codes))}")
        expect_pong(self.connection)

    def expect_refusals(self, *numbers: int) -> None:
        """Waits until the program refuses requests, whose stream is the first one, and checks that the link goes on."""
        wanted = set(numbers)
        while wanted:
            found = self.next(lambda found: found.type == FrameType.BYTES and decode_bytes(found.payload)[0] == self.first)
            self.refusals += decode_bytes(found.payload)[1]
            while len(self.refusals) >= 4 and len(self.refusals) >= (length := 4 + int.from_bytes(self.refusals[:4], "big")):
                entry = Entry.decode(bytes(self.refusals[4:length]), 0)
                del self.refusals[:length]
                if entry.type != REFUSAL or entry.number not in wanted or entry.cause not in (REFUSED, NOTHING_TAKES_IT, TOO_MANY):
                    raise Wrong(f"it answers with {entry}")
                wanted.discard(entry.number)
        expect_pong(self.connection)


def message(payload: bytes = b"x", form: int = 0, name: str = "", version: int = 0, length: int | None = None) -> bytes:
    """A message on a stream, right or wrong."""
    body = bytes([form, len(name)]) + name.encode() + version.to_bytes(2, "big") + payload
    return struct.pack(">I", len(body) if length is None else length) + body
