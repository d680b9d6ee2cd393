"""The frames of a link between two applications: keys of JSON payloads, and binary payloads.

Everything here is a table or a rule of the page Sessions.md.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass, field

from formats.frame_types import FrameType
from formats.values import (
    OPTIONAL, REQUIRED, Fields, beyond_limit, binary, boolean, digest, identifier, incarnation, integer, invalid,
    list_of, object_of, pattern, text,
)

MESSAGES, REQUESTS, BYTES, LONG_REQUESTS = 1, 2, 3, 4
"""The kinds of streams."""

FLAGS = {MESSAGES: (1,), REQUESTS: (0,), BYTES: (0, 1), LONG_REQUESTS: (0,)}
"""The flags that a stream of each kind may have: 1 if only the opener sends."""

FINISHED, CANCELLED, REFUSED, NOTHING_TAKES_IT, TOO_MANY, TOO_LARGE = range(6)
"""The codes of `end`. An unknown one is read as cancelled."""

LONGEST_FRAGMENT = 65_536
LONGEST_DROPPABLE = 16_384
MOST_CREDITS = 256
LINK_NAME = re.compile(r"[A-Za-z][A-Za-z0-9.-]{0,63}", re.ASCII)

INVITATION: Fields = {
    "members": (REQUIRED, integer(0, 65_535)),
    "connectionCount": (REQUIRED, integer(0, 2**32 - 1)),
    "wish": (REQUIRED, integer(1, 2**53 - 1)),
    "takesAnyone": (REQUIRED, boolean),
}
"""The keys of `session` in an invitation."""

MESSAGE_TYPE: Fields = {"name": (REQUIRED, text(64)), "version": (REQUIRED, integer(0, 65_535))}

MEMBER: Fields = {
    "id": (REQUIRED, digest),
    "incarnation": (REQUIRED, incarnation),
    "counter": (REQUIRED, integer(0, 2**32 - 1)),
    "status": (REQUIRED, pattern("present|left")),
    "displayName": (OPTIONAL, text(63)),
    "platform": (OPTIONAL, text(64)),
    "software": (OPTIONAL, text(64)),
    "addresses": (OPTIONAL, list_of(text(262), 16)),
    "links": (OPTIONAL, list_of(pattern("[0-9A-Fa-f]{16}"), 64)),
}

FIELDS: dict[FrameType, Fields] = {
    FrameType.LINK: {
        "epoch": (REQUIRED, integer(1, 2**32 - 1)),
        "connectionCount": (REQUIRED, integer(0, 2**32 - 1)),
        "received": (REQUIRED, integer(0, 2**53 - 1)),
        "window": (REQUIRED, integer(16_384, 16_777_216)),
        "maximumMessageLength": (REQUIRED, integer(1_024, 16_777_216)),
        "messageTypes": (REQUIRED, list_of(object_of(MESSAGE_TYPE), 64)),
        "addresses": (REQUIRED, list_of(text(262), 16)),
    },
    FrameType.MEMBERS: {"members": (REQUIRED, list_of(object_of(MEMBER), 64))},
    FrameType.RESOURCE: {
        "transfer": (REQUIRED, identifier),
        "verb": (REQUIRED, pattern("offer|accept|decline|cancel|attach|received")),
    },
}

RESOURCE_FIELDS: dict[str, Fields] = {
    "offer": {
        "name": (REQUIRED, text(255)),
        "size": (REQUIRED, integer(0, 256 << 30)),
        "count": (REQUIRED, integer(1, 32)),
        "metadata": (OPTIONAL, binary(4_096)),
    },
    "decline": {"code": (REQUIRED, text()), "reason": (REQUIRED, text())},
    "cancel": {"reason": (REQUIRED, text())},
    "attach": {"secret": (REQUIRED, incarnation)},
}
"""The further keys of `resource`, by its verb."""


class Parts:
    """A binary payload that is taken apart from its beginning."""

    def __init__(self, payload: bytes) -> None:
        self.rest = memoryview(payload)

    def number(self, length: int) -> int:
        return int.from_bytes(self.take(length), "big")

    def take(self, length: int) -> bytes:
        if length > len(self.rest):
            raise invalid("a payload that is cut off")
        part, self.rest = bytes(self.rest[:length]), self.rest[length:]
        return part

    def sized(self, length: int, longest: int) -> bytes:
        """Takes a part behind its own length, which is a number of `length` bytes."""
        count = self.number(length)
        if count > longest:
            raise beyond_limit(f"a part of {count} bytes")
        return self.take(count)

    def text(self, length: int, longest: int) -> str:
        try:
            return self.sized(length, longest).decode()
        except UnicodeDecodeError as error:
            raise invalid("not a text") from error

    def end(self) -> None:
        if self.rest:
            raise invalid("bytes that are left over")


def link_name(name: str) -> str:
    """Checks the name of a channel, a request or a message."""
    if not LINK_NAME.fullmatch(name):
        raise invalid(f"{name!r:.80} is not a name")
    return name


def _sized(length: int, part: bytes) -> bytes:
    return len(part).to_bytes(length, "big") + part


@dataclass(frozen=True)
class Open:
    """A stream begins."""

    stream: int
    kind: int
    is_one_way: bool
    """Whether only the opener sends."""
    name: str
    metadata: bytes = b""

    def encode(self) -> bytes:
        head = struct.pack(">IBB", self.stream, self.kind, self.is_one_way)
        return head + _sized(2, self.name.encode()) + _sized(2, self.metadata)

    @staticmethod
    def decode(payload: bytes) -> Open:
        parts = Parts(payload)
        stream, kind, flags = parts.number(4), parts.number(1), parts.number(1)
        if flags not in FLAGS.get(kind, ()):
            raise invalid(f"a stream of the kind {kind} with the flags {flags}")
        name = parts.text(2, 255 if kind == BYTES else 64)
        metadata = parts.sized(2, 4_096)
        if kind in (REQUESTS, LONG_REQUESTS):
            if name or metadata:
                raise invalid("a stream of requests with a name or with metadata")
        elif not name or (kind != BYTES and link_name(name) != name):
            raise invalid("a stream without a name")
        opening = Open(stream, kind, flags == 1, name, metadata)
        parts.end()
        return opening


@dataclass(frozen=True)
class End:
    """A side ends a stream."""

    stream: int
    code: int = FINISHED
    reason: str = ""

    def encode(self) -> bytes:
        return struct.pack(">IB", self.stream, self.code) + _sized(2, self.reason.encode())

    @staticmethod
    def decode(payload: bytes) -> End:
        parts = Parts(payload)
        stream, code, reason = parts.number(4), parts.number(1), parts.text(2, 1_000)
        parts.end()
        return End(stream, code if code <= TOO_LARGE else CANCELLED, reason)


@dataclass(frozen=True)
class Credit:
    """An acknowledgement of records, and how many bytes streams may have carried in all."""

    received: int
    limits: dict[int, int] = field(default_factory=dict)

    def encode(self) -> bytes:
        return struct.pack(">Q", self.received) + b"".join(struct.pack(">IQ", *limit) for limit in self.limits.items())

    @staticmethod
    def decode(payload: bytes) -> Credit:
        if len(payload) < 8 or len(payload) % 12 != 8:
            raise invalid("a credit of a wrong length")
        return Credit(int.from_bytes(payload[:8], "big"), dict(struct.iter_unpack(">IQ", payload[8:])))


@dataclass(frozen=True)
class Message:
    """A message: bytes, or JSON with a name and a version."""

    payload: bytes
    name: str = ""
    version: int = 0

    def encode(self) -> bytes:
        """The message without its length."""
        name = self.name.encode()
        return bytes([1 if name else 0]) + _sized(1, name) + self.version.to_bytes(2, "big") + self.payload

    @staticmethod
    def decode(data: bytes, longest: int) -> Message:
        parts = Parts(data)
        form, name, version = parts.number(1), parts.text(1, 64), parts.number(2)
        if form > 1 or bool(name) != bool(form) or (form == 0 and version):
            raise invalid(f"a message of the form {form} with a wrong name or version")
        if len(parts.rest) > longest:
            raise beyond_limit(f"a message of {len(parts.rest)} bytes")
        return Message(bytes(parts.rest), link_name(name) if name else "", version)


@dataclass(frozen=True)
class Droppable:
    """A message that needs no credit."""

    channel: str
    key: str
    message: Message

    def encode(self) -> bytes:
        return _sized(1, self.channel.encode()) + _sized(1, self.key.encode()) + self.message.encode()

    @staticmethod
    def decode(payload: bytes) -> Droppable:
        parts = Parts(payload)
        channel, key = link_name(parts.text(1, 64)), parts.text(1, 64)
        return Droppable(channel, key, Message.decode(bytes(parts.rest), LONGEST_DROPPABLE))


def decode_bytes(payload: bytes) -> tuple[int, bytes]:
    """Returns the stream and its bytes."""
    if len(payload) < 5:
        raise invalid("no bytes of a stream")
    return int.from_bytes(payload[:4], "big"), payload[4:]


def encode_bytes(stream: int, data: bytes) -> bytes:
    return struct.pack(">I", stream) + data
