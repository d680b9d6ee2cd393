"""Reads the examples of WireFormat.md and Sessions.md and the transfer of Transcript.md, and computes the test vectors.

    python3 Tests/ReferencePeer/check_page.py
"""

from __future__ import annotations

import contextlib
import json
import re
import sys
from pathlib import Path

from application import HIKESHARE
from connecting import identity
from formats import chunks, link_frames, pieces, share_links, wire
from formats.chunks import Layout, sha256
from formats.link_frames import Credit, Droppable, End, Message, Open
from formats.values import check_keys
from formats.wire import FrameType

PAGES = Path(__file__).parents[2] / "Sources/PeerProtocol/PeerProtocol.docc"
EXAMPLE = r"### Example: (\w+)[^\n]*\n.*?```\n(.*?)\n```"
PATTERN = bytes(index % 251 for index in range(40_000))


def check_examples(page: str) -> set[FrameType]:
    """Decodes the example of every frame that this peer knows; returns the types."""
    types = set()
    for name, text in re.findall(EXAMPLE, page, re.DOTALL):
        frame = bytes.fromhex("".join(line.partition("#")[0] for line in text.splitlines()))
        type, length = wire.decode_header(frame[:8], set(FrameType))
        expected = FrameType[re.sub("([A-Z])", r"_\1", name).upper()]
        assert type == expected and length == len(frame) - 8, name
        body = wire.decode(expected, frame[8:]).body
        assert not body or wire.encode_json(expected, **body) == frame, f"{name} is written in another way"
        check_payload(expected, frame[8:], body)
        types.add(expected)
    return types


def vectors() -> list[dict]:
    """The examples of the pages: each frame in hexadecimal, and its payload if that is JSON."""
    found = []
    for page in ("WireFormat.md", "Sessions.md", "Lanes.md"):
        for name, text in re.findall(EXAMPLE, (PAGES / page).read_text(), re.DOTALL):
            frame = bytes.fromhex("".join(line.partition("#")[0] for line in text.splitlines()))
            with contextlib.suppress(ValueError):
                found.append({"name": name, "page": page, "frame": frame.hex(), "json": json.loads(frame[8:])})
                continue
            found.append({"name": name, "page": page, "frame": frame.hex()})
    return found


def check_payload(type: FrameType, payload: bytes, body: dict) -> None:
    digests = [sha256(PATTERN[start : start + 16_384]) for start in range(0, len(PATTERN), 16_384)]
    if type == FrameType.MANIFEST:
        manifest = chunks.read_manifest(body)
        assert manifest.resources[0].digest == chunks.resource_digest(len(PATTERN), digests)
    elif type == FrameType.DIGESTS:
        assert wire.decode_digests(payload) == (0, 0, digests)
        assert wire.encode_digests(0, 0, digests)[8:] == payload
    elif type == FrameType.REQUEST:
        assert wire.decode_request(payload) == (0, [0, 2])
        assert wire.encode_request(0, [0, 2])[8:] == payload
    elif type == FrameType.DATA:
        resource, offset, data = wire.decode_data(payload)
        assert resource == 0 and offset == 2 * 16_384 and PATTERN[offset:].startswith(data)
    elif type in (FrameType.PIECE_QUERY, FrameType.PIECE_LIST, FrameType.RANGE_REQUEST):
        check_pieces(type, payload)
    elif type == FrameType.PAIRING_COMMITMENT:
        assert bytes.fromhex(body["commitment"]) == identity.commitment(bytes(range(0x20, 0x40)))
    else:
        check_link_payload(type, payload, body)


def check_pieces(type: FrameType, payload: bytes) -> None:
    layout = Layout(len(PATTERN))
    if type == FrameType.PIECE_QUERY:
        assert pieces.decode_query(payload, [layout]) == (0, [0, 2])
        assert pieces.encode_query(0, [range(0, 1), range(2, 3)])[8:] == payload
    elif type == FrameType.RANGE_REQUEST:
        asked = [range(4_096, 12_288), range(36_864, 40_000)]
        assert pieces.decode_ranges(payload, [layout]) == (0, asked)
        assert pieces.encode_ranges(0, asked)[8:] == payload
    else:
        resource, rest, data = pieces.decode_part(payload)
        listed = pieces.read_list(data, [2], layout)
        assert (resource, rest, listed.chunks) == (0, 0, [2])
        assert [PATTERN[run.place.start : run.place.stop] for run in listed.runs] == [PATTERN[32_768:36_864], PATTERN[36_864:]]
        assert listed.digests == [pieces.piece_digest(PATTERN[32_768:36_864]), pieces.piece_digest(PATTERN[36_864:])]
        made, end = pieces.make(layout, [2], lambda place: PATTERN[place.start : place.stop])
        assert pieces.read_list(made, [2], layout) == listed and end == 3


def check_link_payload(type: FrameType, payload: bytes, body: dict) -> None:
    """Compares the frames of Sessions.md with what the text before each example says."""
    if type == FrameType.OPEN:
        assert Open.decode(payload) == Open(2, link_frames.MESSAGES, True, "main", b"\0\xff")
        assert Open.decode(payload).encode() == payload
    elif type == FrameType.DROPPABLE:
        assert Droppable.decode(payload) == Droppable("main", "k", Message(b"\xca\xfe"))
        assert Droppable.decode(payload).encode() == payload
    elif type == FrameType.BYTES:
        stream, data = link_frames.decode_bytes(payload)
        message = Message.decode(data[4:], len(data))
        assert (stream, int.from_bytes(data[:4], "big")) == (2, len(data) - 4)
        assert message == Message(b'{"text":"hi"}', "chat.line", 1) and message.encode() == data[4:]
        assert link_frames.encode_bytes(stream, data) == payload
    elif type == FrameType.CREDIT:
        assert Credit.decode(payload) == Credit(9, {2: 131_072, 5: 1 << 32})
        assert Credit.decode(payload).encode() == payload
    elif type == FrameType.END:
        assert End.decode(payload) == End(7, link_frames.NOTHING_TAKES_IT, "no ok")
        assert End.decode(payload).encode() == payload
    elif type == FrameType.RESOURCE:
        check_keys("resource", body, link_frames.RESOURCE_FIELDS[body["verb"]])


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


def check_links(page: str) -> None:
    rows = re.findall(
        r"^\| (the Wi-Fi network of the bytes 0x01 to 0x0A, )?((?:`[^`|]+:\d+`(?:, )?)+) \| `(HIKESHARE://[^`]+)` \|$",
        page,
        re.MULTILINE,
    )
    assert len(rows) == 5, "the page has no test vectors of share links"
    networks = re.findall(r"0x0A are the network `([^`]+)` with the password `([^`]+)`", page)
    for has_network, listed, text in rows:
        hosts = re.findall(r"`\[?([^`]+?)\]?:(\d+)`", listed)
        network = bytes(range(1, 11)) if has_network else b""
        addresses = [(host, int(port)) for host, port in hosts]
        link = share_links.ShareLink(addresses, sha256(b"sender")[:16], bytes(range(10)), network)
        assert not network or networks == [(link.network_name, link.network_password)]
        assert str(link) == text and share_links.parse(text.lower()) == link, text


def check_layouts(page: str) -> None:
    rows = re.findall(r"^\| ([\d,]+)(?: \([^|]*\))? \| ([\d,]+) \| ([\d,]+)(?: \([^|]*\))? \|$", page, re.MULTILINE)
    assert rows, "the page has no examples of chunk lengths"
    for row in rows:
        size, length, count = (int(number.replace(",", "")) for number in row)
        assert (Layout(size).chunk_length, Layout(size).count) == (length, count), size


def read_transcript(page: str) -> list[tuple[str, FrameType, bytes]]:
    """The frames of a transcript with the side that sent each, `>` for the receiver and `<` for the sender."""
    sent = {">": b"", "<": b""}
    frames = []
    for side, digits in re.findall(r"^([<>]) ((?:[0-9a-f]{2} )+) *# .*$", page, re.MULTILINE):
        sent[side] += bytes.fromhex(digits)
        if sent[side] == HIKESHARE.preface:
            sent[side] = b""
        if len(sent[side]) < 8 or sent[side].startswith(HIKESHARE.preface[:1]):
            continue
        type, length = wire.decode_header(sent[side][:8], set(FrameType))
        if len(sent[side]) == 8 + length:
            frames.append((side, FrameType(type), sent[side][8:]))
            sent[side] = b""
    assert not any(sent.values()), "a frame is cut off"
    return frames


def check_transcript(page: str) -> None:
    """Follows the transfer of a transcript: everything that was listed is verified and confirmed."""
    frames = read_transcript(page)
    bodies = {type: wire.decode(type, payload).body for _, type, payload in frames}
    manifest = chunks.read_manifest(bodies[FrameType.MANIFEST])
    parts = [wire.decode_digests(payload) for _, type, payload in frames if type == FrameType.DIGESTS]
    assert all(first == 0 for _, first, _ in parts), "the examples have few chunks"
    lists = {index: digests for index, _, digests in parts}
    requests = dict(wire.decode_request(payload) for _, type, payload in frames if type == FrameType.REQUEST)
    assert set(lists) == set(requests) == {resource.index for resource in manifest.resources}
    for resource in manifest.resources:
        digests = lists[resource.index]
        assert chunks.resource_digest(resource.layout.size, digests) == resource.digest
        assert all(chunk < resource.layout.count for chunk in requests[resource.index])
    for _, type, payload in frames:
        if type == FrameType.DATA:
            index, offset, data = wire.decode_data(payload)
            assert offset == 0 and [sha256(data)] == lists[index], "the examples fit into one chunk"
    assert [type for _, type, _ in frames].count(FrameType.CONFIRMATION) == len(manifest.resources)
    assert frames[-1][:2] == (">", FrameType.ACKNOWLEDGEMENT)


def main() -> None:
    page = (PAGES / "WireFormat.md").read_text()
    missing = set(FrameType) - check_examples(page) - check_examples((PAGES / "Sessions.md").read_text())
    assert not missing, f"the pages have no example of {missing}"
    check_digits(page)
    check_links(page)
    check_layouts(page)
    for size, digests in ((0, []), (2, [sha256(b"[]")])):
        assert f"`{chunks.resource_digest(size, digests).hex()}`" in page, f"digest of {size} bytes"
    check_transcript((PAGES / "Transcript.md").read_text())


if __name__ == "__main__":
    sys.exit(main())
