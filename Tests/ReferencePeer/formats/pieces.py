"""Pieces: what chunks consist of, and the frames that look for them."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from typing import Callable, Iterable

from formats import chunks, wire
from formats.chunks import Layout
from formats.wire import FrameType

PAGE = 4_096
PART = 32_768
MAXIMUM_LIST = 5 << 20
MAXIMUM_PIECES = 16_384
MAXIMUM_RUNS = 65_536
MAXIMUM_KEYS = 65_536
MAXIMUM_SKELETON = 4 << 20
MAXIMUM_STRUCTURE = 2 << 20
MAXIMUM_PIECE = 8 << 20
GAP = 32
REQUESTS_AT_A_TIME = 64


def piece_digest(data: bytes) -> bytes:
    return chunks.sha256(data)[:8]


@dataclass
class Run:
    """Bytes of a piece that lie one after the other."""

    place: range
    piece: int
    start: int
    """Where they begin in the piece."""


@dataclass
class PieceList:
    """What some chunks consist of."""

    chunks: list[int]
    digests: list[bytes]
    runs: list[Run]
    skeleton: bytes
    keys: list[list[int]]


# The frames


def encode_query(resource: int, asked: Iterable[range]) -> bytes:
    runs = b"".join(struct.pack(">II", run.start, len(run)) for run in asked)
    return wire.encode(FrameType.PIECE_QUERY, struct.pack(">I", resource) + runs)


def decode_query(payload: bytes, layouts: list[Layout]) -> tuple[int, list[int]]:
    """Returns the resource and the chunks, in ascending order."""
    if len(payload) < 4 or len(payload) % 8 != 4:
        raise wire.invalid("a query of a wrong length")
    resource, *numbers = struct.unpack(f">{len(payload) // 4}I", payload)
    asked: list[int] = []
    for first, count in zip(numbers[::2], numbers[1::2]):
        if resource >= len(layouts) or not count or first + count > layouts[resource].count:
            raise wire.unexpected("a query for chunks that do not exist")
        if asked and first <= asked[-1]:
            raise wire.unexpected("a query whose runs do not ascend")
        asked += range(first, first + count)
    if not asked:
        raise wire.unexpected("a query for nothing")
    return resource, asked


def encode_parts(resource: int, data: bytes) -> Iterable[bytes]:
    for start in range(0, len(data), PART):
        part = data[start : start + PART]
        head = struct.pack(">II", resource, len(data) - start - len(part))
        yield wire.encode(FrameType.PIECE_LIST, head + part)


def decode_part(payload: bytes) -> tuple[int, int, bytes]:
    """Returns the resource, how many bytes follow, and the bytes of a part."""
    if len(payload) < 8:
        raise wire.invalid("a part of a list that is too short")
    resource, rest = struct.unpack(">II", payload[:8])
    if not payload[8:] or rest and len(payload) != 8 + PART:
        raise wire.unexpected("a part of a list of a wrong length")
    return resource, rest, payload[8:]


def encode_ranges(resource: int, asked: Iterable[range]) -> bytes:
    runs = b"".join(struct.pack(">QI", run.start, len(run)) for run in asked)
    return wire.encode(FrameType.RANGE_REQUEST, struct.pack(">I", resource) + runs)


def decode_ranges(payload: bytes, layouts: list[Layout]) -> tuple[int, list[range]]:
    if len(payload) < 4 or len(payload) % 12 != 4:
        raise wire.invalid("a request for bytes of a wrong length")
    resource = int.from_bytes(payload[:4], "big")
    asked: list[range] = []
    for offset, count in struct.iter_unpack(">QI", payload[4:]):
        run = range(offset, offset + count)
        if resource >= len(layouts) or not run or run.stop > layouts[resource].size:
            raise wire.unexpected("a request for bytes that do not exist")
        if asked and run.start < asked[-1].stop + GAP:
            raise wire.unexpected("a request whose runs are too near to each other")
        asked.append(run)
    if not asked:
        raise wire.unexpected("a request for no bytes")
    return resource, asked


# The list


def _number(value: int) -> bytes:
    data = bytearray()
    while value >= 0x80:
        data.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(data + bytes([value]))


class _Numbers:
    def __init__(self, data: bytes) -> None:
        self.data, self.position = data, 0

    def next(self, maximum: int = 2**63 - 1) -> int:
        value = 0
        for shift in range(0, 63, 7):
            if self.position >= len(self.data):
                raise wire.invalid("a list whose structure ends too early")
            byte = self.data[self.position]
            self.position += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                if value > maximum:
                    raise wire.invalid(f"the number {value} in a list")
                return value
        raise wire.invalid("a number with too many bytes in a list")


def make(layout: Layout, asked: list[int], read: Callable[[range], bytes], most: int = 1_000) -> tuple[bytes, int]:
    """Lists the first of some chunks; pages that are all zeros belong to the skeleton. Returns the list and its end."""
    digests: dict[bytes, int] = {}
    spans, skeleton, position = [], b"", 0
    end = asked[0]
    for chunk in asked:
        place = layout.bytes(range(chunk, chunk + 1))
        if len(digests) + len(place) // PAGE + 1 > most and digests or len(skeleton) + len(place) > MAXIMUM_SKELETON:
            break
        for start in range(place.start, place.stop, PAGE):
            page = read(range(start, min(start + PAGE, place.stop)))
            if not any(page):
                skeleton += page
                continue
            number = digests.setdefault(piece_digest(page), len(digests))
            spans.append((start, len(page), number))
        end = chunk + 1
    structure = _number(0) + _number(0) + _number(len(spans))
    seen: set[int] = set()
    for start, length, number in spans:
        back = len(seen) - number if number in seen else 0
        # A piece that comes again begins anew.
        structure += _number(start - position) + _number(length) + _number(back) + _number(1 if number in seen else 0)
        seen.add(number)
        position = start + length
    structure += bytes(len(digests))
    stored = zlib.compress(structure)
    head = struct.pack(">5I", end, len(digests), len(structure), len(stored), len(skeleton))
    return head + b"".join(digests) + stored + zlib.compress(skeleton), end


def _inflate(data: bytes, length: int) -> bytes:
    stream = zlib.decompressobj()
    try:
        content = stream.decompress(data, length + 1)
    except zlib.error as error:
        raise wire.invalid("a list that cannot be decompressed") from error
    if len(content) != length or not stream.eof or stream.unused_data:
        raise wire.invalid("a list with another length than it says")
    return content


def read_list(data: bytes, asked: list[int], layout: Layout) -> PieceList:
    if len(data) < 20:
        raise wire.invalid("a list that is too short")
    end, count, structure_length, stored, skeleton_length = struct.unpack(">5I", data[:20])
    covered = [chunk for chunk in asked if chunk < end]
    if not covered or covered[-1] != end - 1:
        raise wire.invalid("a list that covers other chunks than were queried")
    if count > MAXIMUM_PIECES or structure_length > MAXIMUM_STRUCTURE or skeleton_length > MAXIMUM_SKELETON:
        raise wire.invalid("a list that is too large")
    start = 20 + 8 * count
    digests = [data[index : index + 8] for index in range(20, start, 8)]
    numbers = _Numbers(_inflate(data[start : start + stored], structure_length))
    skeleton = _inflate(data[start + stored :], skeleton_length)
    areas = [layout.bytes(run) for run in chunks.runs(covered)]
    runs, page = _read_runs(numbers, areas, count)
    keys = _read_keys(numbers, count)
    if numbers.position != structure_length:
        raise wire.invalid("a list with something behind its keys")
    if sum(len(run.place) for run in runs) + skeleton_length != sum(map(len, areas)):
        raise wire.invalid("a list that does not add up")
    return PieceList(covered, digests, runs, _restore_pointers(skeleton, runs, areas, page), keys)


def _restore_pointers(skeleton: bytes, runs: list[Run], areas: list[range], page: int) -> bytes:
    """Computes the numbers of pages in the four bytes before each run at the start of a page."""
    restored = bytearray(skeleton)
    in_pieces = 0
    for run in runs:
        area = next(area for area in areas if run.place.start in area)
        before = sum(len(other) for other in areas if other.stop <= area.start) + run.place.start - area.start
        if page and run.place.start % page == 4 and run.place.start - area.start >= 4:
            index = before - in_pieces - 4
            stored, following = int.from_bytes(restored[index : index + 4], "big"), run.place.start // page + 2
            number = 0 if stored == 1 else following + 1 if stored + following == 2**32 else stored + following
            restored[index : index + 4] = (number % 2**32).to_bytes(4, "big")
        in_pieces += len(run.place)
    return bytes(restored)


def _read_runs(numbers: _Numbers, areas: list[range], count: int) -> tuple[list[Run], int]:
    page, usable = numbers.next(65_536), numbers.next(65_536)
    if (page, usable) != (0, 0) and (page < 512 or page & (page - 1) or not 480 <= usable <= page):
        raise wire.invalid("a list with impossible pages")
    runs: list[Run] = []
    ends: list[int] = []
    position = 0
    for _ in range(numbers.next(MAXIMUM_RUNS)):
        position += numbers.next()
        length, back, place = numbers.next(MAXIMUM_PIECE), numbers.next(len(ends)), numbers.next(MAXIMUM_PIECE)
        if not back:
            ends.append(0)
        piece = len(ends) - 1 if not back else len(ends) - back
        start = ends[piece] if not place else place - 1
        ends[piece] = start + length
        if not length or ends[piece] > MAXIMUM_PIECE or len(ends) > count:
            raise wire.invalid("a list with an impossible span")
        area = next((area for area in areas if position in area), range(0))
        while start < ends[piece]:
            in_page = position % page if page else 0
            if page and in_page < 4:
                position += 4 - in_page
            elif page and in_page >= usable:
                position += page - in_page
            else:
                step = min(ends[piece] - start, usable - in_page if page else length)
                runs.append(Run(range(position, position + step), piece, start))
                position, start = position + step, start + step
                if position > area.stop or len(runs) > MAXIMUM_RUNS:
                    raise wire.invalid("a list with a span outside its chunks, or with too many")
    if len(ends) != count:
        raise wire.invalid("a list with pieces that lie nowhere")
    return runs, page


def _read_keys(numbers: _Numbers, count: int) -> list[list[int]]:
    keys: list[list[int]] = []
    last = 0
    for _ in range(count):
        keys.append([])
        for _ in range(numbers.next(MAXIMUM_KEYS)):
            step = numbers.next()
            last += step >> 1 if step % 2 == 0 else -(step >> 1) - 1
            if not 0 <= last < 2**62:
                raise wire.invalid("a list with an impossible key")
            keys[-1].append(last)
    if sum(map(len, keys)) > MAXIMUM_KEYS:
        raise wire.invalid("a list with too many keys")
    return keys


def missing(pieces: PieceList, is_here: Callable[[Run], bool]) -> list[range]:
    """The bytes that are not here; runs that are near to each other are one."""
    result: list[range] = []
    for run in pieces.runs:
        if is_here(run):
            continue
        if result and run.place.start < result[-1].stop + GAP:
            result[-1] = range(result[-1].start, run.place.stop)
        else:
            result.append(run.place)
    return result
