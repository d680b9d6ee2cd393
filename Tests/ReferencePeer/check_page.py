"""Reads every example of WireFormat.md and computes its test vectors.

    python3 Tests/ReferencePeer/check_page.py
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import chunks
import identity
import wire
from chunks import Layout, sha256
from wire import FrameType

PAGE = Path(__file__).parents[2] / "Sources/PeerProtocol/PeerProtocol.docc/WireFormat.md"
UNSUPPORTED = ("pageQuery", "pageDigests", "pageRequest", "lanes", "join", "allDispatched")
PATTERN = bytes(index % 251 for index in range(40_000))


def check_examples(page: str) -> set[FrameType]:
    """Decodes the example of every frame that this peer knows; returns the types."""
    types = set()
    for name, text in re.findall(r"### Example: (\w+)\n.*?```\n(.*?)\n```", page, re.DOTALL):
        if name in UNSUPPORTED:
            continue
        frame = bytes.fromhex("".join(line.partition("#")[0] for line in text.splitlines()))
        type, length = wire.decode_header(frame[:8], allows_long=True)
        expected = FrameType[re.sub("([A-Z])", r"_\1", name).upper()]
        assert type == expected and length == len(frame) - 8, name
        body = wire.decode(expected, frame[8:]).body
        assert not body or wire.encode_json(expected, **body) == frame, f"{name} is written in another way"
        check_payload(expected, frame[8:], body)
        types.add(expected)
    return types


def check_payload(type: FrameType, payload: bytes, body: dict) -> None:
    digests = [sha256(PATTERN[start : start + 16_384]) for start in range(0, len(PATTERN), 16_384)]
    if type == FrameType.MANIFEST:
        manifest = chunks.read_manifest(body)
        assert manifest.resources[0].digest == chunks.resource_digest(len(PATTERN), digests)
    elif type == FrameType.DIGESTS:
        assert wire.decode_digests(payload) == (0, digests)
    elif type == FrameType.REQUEST:
        assert wire.decode_request(payload) == (0, [range(0, 1), range(2, 3)])
    elif type == FrameType.DATA:
        resource, offset, data = wire.decode_data(payload)
        assert resource == 0 and offset == 2 * 16_384 and PATTERN[offset:].startswith(data)
    elif type == FrameType.PAIRING_COMMITMENT:
        assert bytes.fromhex(body["commitment"]) == identity.commitment(bytes(range(0x20, 0x40)))


def check_digits(page: str) -> None:
    nonces = {
        "count 00": bytes(range(0x20)),
        "count 20": bytes(range(0x20, 0x40)),
        "32 × 00": bytes(32),
        "32 × ff": b"\xff" * 32,
    }
    rows = re.findall(r"^\| (\d+) \| ([^|]+) \| ([^|]+) \| `(\d{6})` \|$", page, re.MULTILINE)
    assert rows, "the page has no test vectors of digits"
    for version, receiver, sender, expected in rows:
        ids = sha256(b"receiver"), sha256(b"sender")
        assert identity.digits(int(version), *ids, nonces[receiver], nonces[sender]) == expected


def check_layouts(page: str) -> None:
    rows = re.findall(r"^\| ([\d,]+)(?: \([^|]*\))? \| ([\d,]+) \| ([\d,]+)(?: \([^|]*\))? \|$", page, re.MULTILINE)
    assert rows, "the page has no examples of chunk lengths"
    for row in rows:
        size, length, count = (int(number.replace(",", "")) for number in row)
        assert (Layout(size).chunk_length, Layout(size).count) == (length, count), size


def main() -> None:
    page = PAGE.read_text()
    missing = set(FrameType) - check_examples(page)
    assert not missing, f"the page has no example of {missing}"
    check_digits(page)
    check_layouts(page)
    for size, digests in ((0, []), (2, [sha256(b"[]")])):
        assert f"`{chunks.resource_digest(size, digests).hex()}`" in page, f"digest of {size} bytes"


if __name__ == "__main__":
    sys.exit(main())
