"""The types of frames, and how long their payloads may be: the tables of WireFormat.md and Sessions.md."""

from __future__ import annotations

from enum import IntEnum


class FrameType(IntEnum):
    HELLO = 0x01
    PING = 0x02
    PONG = 0x03
    CANCEL = 0x05
    FAILURE = 0x06
    INVITE = 0x10
    ACCEPT = 0x11
    DECLINE = 0x12
    PAIRING_COMMITMENT = 0x18
    PAIRING_NONCE = 0x19
    PAIRING_REVEAL = 0x1A
    PAIRING_CONFIRMATION = 0x1B
    MANIFEST = 0x20
    SELECTION = 0x21
    DIGESTS = 0x22
    REQUEST = 0x23
    DATA = 0x24
    CONFIRMATION = 0x25
    DONE = 0x26
    ACKNOWLEDGEMENT = 0x27
    PIECE_QUERY = 0x28
    PIECE_LIST = 0x29
    RANGE_REQUEST = 0x2A
    DIGEST_QUERY = 0x2B
    TURN = 0x2C
    CATALOGUE = 0x2D
    PICK = 0x2E
    LINK = 0x30
    MEMBERS = 0x31
    OPEN = 0x32
    DROPPABLE = 0x33
    BYTES = 0x34
    CREDIT = 0x35
    END = 0x36
    RESOURCE = 0x37


FIRST_SKIPPED_TYPE = 0x80
"""Unknown types from here on are skipped; unknown types below end the connection."""

SHORT_PAYLOAD = 65_536
LONGEST_PAYLOAD = {
    FrameType.MANIFEST: 1_048_576,
    FrameType.CATALOGUE: 262_144,
    FrameType.DIGESTS: 32_776,
    FrameType.REQUEST: 8_196,
    FrameType.DATA: 1_048_588,
    FrameType.PIECE_QUERY: 8_196,
    FrameType.PIECE_LIST: 32_776,
    FrameType.RANGE_REQUEST: 24_580,
    FrameType.OPEN: 4_361,
    FrameType.DROPPABLE: 16_582,
    FrameType.BYTES: 65_540,
    FrameType.CREDIT: 3_080,
    FrameType.END: 1_007,
}

LONG_IF_AWAITED = frozenset({FrameType.MANIFEST, FrameType.CATALOGUE, FrameType.BYTES})
"""The types that may have more than 65,536 bytes only at some points of a transfer."""

RECORDS = frozenset({FrameType.MEMBERS, FrameType.OPEN, FrameType.BYTES, FrameType.END, FrameType.RESOURCE})
"""The frames of a link that are numbered, kept and sent again."""
