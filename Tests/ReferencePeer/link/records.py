"""The records of a link: numbered, kept until they are acknowledged, and sent again over the next connection."""

from __future__ import annotations

from collections import deque
from typing import Any, Callable

from formats import wire
from formats.frame_types import RECORDS, FrameType

MOST_KEPT = 1 << 20
"""How many bytes of records wait for their acknowledgement before no more bytes of streams are sent."""


class Records:
    """The records of both directions. They outlive every connection."""

    def __init__(self) -> None:
        self.write: Callable[[bytes], None] | None = None
        """Writes to the connection that carries the link; none while there is no such connection."""
        self.sent = self.acknowledged = self.received = 0
        self.kept: deque[bytes] = deque()
        self.kept_bytes = 0

    @property
    def is_full(self) -> bool:
        return self.kept_bytes >= MOST_KEPT

    def send(self, type: FrameType, payload: bytes) -> None:
        """Numbers and keeps a record, and sends it if there is a connection."""
        frame = wire.encode(type, payload)
        self.sent += 1
        self.kept.append(frame)
        self.kept_bytes += len(frame)
        if self.write:
            self.write(frame)

    def send_json(self, type: FrameType, **body: Any) -> None:
        """Sends a record that has a JSON object."""
        self.send(type, wire.encode_json(type, **body)[wire.HEADER_LENGTH :])

    def send_aside(self, frame: bytes) -> None:
        """Sends a frame that is no record, if there is a connection."""
        if self.write:
            self.write(frame)

    def took(self, type: FrameType) -> None:
        """Counts a frame of the other side if it is a record."""
        self.received += type in RECORDS

    def acknowledge(self, count: int) -> None:
        """Lets go of the records that the other side has."""
        if count > self.sent:
            raise wire.unexpected(f"an acknowledgement of {count} records, of which {self.sent} were sent")
        while self.acknowledged < count:
            self.kept_bytes -= len(self.kept.popleft())
            self.acknowledged += 1

    def attach(self, write: Callable[[bytes], None], received: int) -> int:
        """Continues on a connection: sends what the other side has not received; returns how many records that are."""
        if received < self.acknowledged:
            raise wire.unexpected("the other side has forgotten records that it had acknowledged")
        self.acknowledge(received)
        self.write = write
        for frame in self.kept:
            write(frame)
        return len(self.kept)

    def detach(self) -> None:
        self.write = None
