"""The frames of the protocol: limits, and the keys and fields of their payloads.

Everything here is a table or a rule of WireFormat.md. A change of the format should need a change of this file and of
frame_types.py only, and of chunks.py for digests. The frames of a link are in link_frames.py.
"""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Container, Iterable

from formats import link_frames
from formats.frame_types import FIRST_SKIPPED_TYPE, LONG_IF_AWAITED, LONGEST_PAYLOAD, SHORT_PAYLOAD, FrameType
from formats.values import (
    OPTIONAL, REQUIRED, Fields, ProtocolError, beyond_limit, binary, boolean, check_keys, counts, digest, feature,
    has_fraction, identifier, incarnation, integer, invalid, kind, list_of, moment, object_of, parse_json, pattern,
    resource_name, text, unexpected,
)

VERSION = 1
HEADER_LENGTH = 8

KEEP_ALIVE_SECONDS = 2
SILENCE_SECONDS = 6
CLOSING_SECONDS = 2

MAXIMUM_SIZE = 256 << 30
MAXIMUM_RESOURCES = 32
DIGESTS_IN_A_FRAME = 1_024


@dataclass(frozen=True)
class Frame:
    """A frame as it was received; `body` is the JSON object of a frame that has one."""

    type: FrameType
    payload: bytes
    body: dict[str, Any]


def encode(type: FrameType, payload: bytes) -> bytes:
    return struct.pack(">BBHI", type, 0, 0, len(payload)) + payload


def encode_json(type: FrameType, **body: Any) -> bytes:
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return encode(type, text.encode())


def decode_header(header: bytes, awaited: Container[int]) -> tuple[int, int]:
    """Returns the type and the payload's length; `awaited` are the types whose long frames are legal now."""
    type, flags, reserved, length = struct.unpack(">BBHI", header)
    if flags or reserved:
        raise invalid("flags and reserved bytes must be 0")
    if type < FIRST_SKIPPED_TYPE and type not in set(FrameType):
        raise invalid(f"frame type {type:#04x} is unknown")
    longest = LONGEST_PAYLOAD.get(type, SHORT_PAYLOAD)
    if type in LONG_IF_AWAITED and type not in awaited:
        longest = min(longest, SHORT_PAYLOAD)
    if length > longest:
        raise beyond_limit(f"a payload of {length} bytes")
    return type, length


def decode(type: FrameType, payload: bytes) -> Frame:
    fields = FIELDS.get(type)
    if fields is None:
        return Frame(type, payload, {})
    body = _parse_manifest(payload) if type == FrameType.MANIFEST else parse_json(payload)
    check_keys(type.name, body, fields)
    return Frame(type, payload, body)


def _parse_manifest(payload: bytes) -> dict[str, Any]:
    """Reads a manifest: numbers with a fraction are the application's only."""
    try:
        body = parse_json(payload, allows_fractions=True)
        if has_fraction(body.get("resources")):
            raise invalid("a number with a fraction among the resources")
        return body
    except ProtocolError as error:
        raise error if error.code == "limitExceeded" else ProtocolError("invalidManifest", str(error)) from error


FIELDS: dict[FrameType, Fields] = {
    FrameType.HELLO: {
        "application": (REQUIRED, text(15)),
        "versions": (REQUIRED, list_of(integer(None, None))),
        "role": (REQUIRED, pattern("dialer|listener")),
        "peerID": (REQUIRED, digest),
        "displayName": (REQUIRED, text(63)),
        "platform": (REQUIRED, text()),
        "software": (REQUIRED, text()),
        "encryption": (REQUIRED, pattern("required|optional|none")),
        "maximumResourceSize": (REQUIRED, integer(0, 2**64 - 1)),
        "features": (REQUIRED, list_of(feature)),
        "incarnation": (OPTIONAL, incarnation),
    },
    FrameType.PING: {"nonce": (REQUIRED, integer(0, 2**32 - 1))},
    FrameType.PONG: {"nonce": (REQUIRED, integer(0, 2**32 - 1))},
    FrameType.CANCEL: {"reason": (REQUIRED, text()), "disconnects": (OPTIONAL, boolean)},
    FrameType.FAILURE: {
        "code": (REQUIRED, text()),
        "message": (REQUIRED, text()),
        "remedy": (OPTIONAL, text()),
    },
    FrameType.INVITE: {
        "timeout": (REQUIRED, integer(1, 3_600)),
        "context": (OPTIONAL, binary(16_384)),
        "token": (OPTIONAL, pattern(r"[0-9A-HJKMNP-TV-Z]{16}")),
        "pinned": (OPTIONAL, boolean),
        "session": (OPTIONAL, object_of(link_frames.INVITATION)),
    },
    FrameType.ACCEPT: {},
    FrameType.DECLINE: {
        "code": (REQUIRED, text()),
        "reason": (REQUIRED, text()),
        "connectionCount": (OPTIONAL, integer(0, 2**32 - 1)),
        "epoch": (OPTIONAL, integer(0, 2**32 - 1)),
    },
    FrameType.PAIRING_COMMITMENT: {"commitment": (REQUIRED, digest)},
    FrameType.PAIRING_NONCE: {"nonce": (REQUIRED, digest)},
    FrameType.PAIRING_REVEAL: {"nonce": (REQUIRED, digest)},
    FrameType.PAIRING_CONFIRMATION: {},
    FrameType.MANIFEST: {},
    FrameType.DIGEST_QUERY: {"kinds": (REQUIRED, list_of(kind))},
    FrameType.SELECTION: {"kinds": (REQUIRED, list_of(kind)), "unknown": (REQUIRED, list_of(kind))},
    FrameType.TURN: {
        "place": (REQUIRED, integer(1, 1_000)),
        "count": (REQUIRED, integer(1, 1_000)),
        "seconds": (OPTIONAL, integer(0, 604_800)),
        "rate": (OPTIONAL, integer(1, 1_000_000_000_000)),
    },
    FrameType.CONFIRMATION: {"resource": (REQUIRED, integer(0, 2**32 - 1)), "digest": (REQUIRED, digest)},
    FrameType.DONE: {"id": (REQUIRED, identifier)},
    FrameType.ACKNOWLEDGEMENT: {
        "id": (REQUIRED, identifier),
        "time": (REQUIRED, moment),
        "imported": (REQUIRED, counts),
        "keptLocal": (REQUIRED, counts),
        "changes": (OPTIONAL, list_of(object_of({
            "kind": (REQUIRED, kind),
            "outcome": (REQUIRED, text()),
            "name": (REQUIRED, text()),
            "localName": (OPTIONAL, text()),
        }))),
    },
    **link_frames.FIELDS,
}


def now() -> str:
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


# Binary payloads


def encode_digests(resource: int, first: int, digests: list[bytes]) -> bytes:
    """One part of a list of digests, from a chunk on."""
    return encode(FrameType.DIGESTS, struct.pack(">II", resource, first) + b"".join(digests))


def decode_digests(payload: bytes) -> tuple[int, int, list[bytes]]:
    """Returns the resource, the first chunk and the digests of a part."""
    if len(payload) < 8 or len(payload) % 32 != 8:
        raise invalid("a list of digests of a wrong length")
    resource, first = struct.unpack(">II", payload[:8])
    return resource, first, [payload[start : start + 32] for start in range(8, len(payload), 32)]


def encode_request(resource: int, chunks: Iterable[int]) -> bytes:
    bits = bytearray(8_192)
    for chunk in chunks:
        bits[chunk // 8] |= 0x80 >> chunk % 8
    return encode(FrameType.REQUEST, struct.pack(">I", resource) + bits.rstrip(b"\0"))


def decode_request(payload: bytes) -> tuple[int, list[int]]:
    """Returns the resource and the chunks, in ascending order."""
    bits = payload[4:]
    if len(payload) < 4 or bits.endswith(b"\0"):
        raise invalid("a request that ends too early or too late")
    chunks = [chunk for chunk in range(8 * len(bits)) if bits[chunk // 8] & 0x80 >> chunk % 8]
    return int.from_bytes(payload[:4], "big"), chunks


def encode_data(resource: int, offset: int, data: bytes) -> bytes:
    return encode(FrameType.DATA, struct.pack(">IQ", resource, offset) + data)


def decode_data(payload: bytes) -> tuple[int, int, bytes]:
    if len(payload) < 13:
        raise invalid("a data frame without bytes")
    resource, offset = struct.unpack(">IQ", payload[:12])
    return resource, offset, payload[12:]
