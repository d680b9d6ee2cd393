"""The receiver: takes an offer, requests what it lacks, verifies, commits."""

from __future__ import annotations

import json
import os
import sqlite3
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Collection

from connecting import handshake
from connecting.connection import Connection
from connecting.invitation import Invitation
from formats import chunks, items, pieces, wire
from formats.chunks import Manifest, Resource
from formats.wire import FrameType


class Arrival:
    """One resource on its way: a partial file, of which only verified chunks are kept."""

    def __init__(self, resource: Resource, digests: list[bytes], partial: Path) -> None:
        layout = resource.layout
        if len(digests) != layout.count or chunks.resource_digest(layout.size, digests) != resource.digest:
            raise wire.ProtocolError("digestMismatch", f"the digests of {resource.kind} do not match the manifest")
        self.resource, self.digests, self.partial = resource, digests, partial
        partial.touch()
        self.file = partial.open("r+b")
        here = chunks.chunk_digests(self.file, layout)
        self.missing = chunks.runs(index for index, digest in enumerate(digests) if here[index] != digest)
        self.pending = deque(chunk for run in self.missing for chunk in run)
        self.buffer = bytearray()

    @property
    def is_whole(self) -> bool:
        return not self.pending

    def write(self, offset: int, data: bytes) -> None:
        """Takes the bytes of a data frame, which have to continue where the last ones ended."""
        layout = self.resource.layout
        run = next(run for run in self.missing if self.pending[0] in run)
        if offset != layout.bytes(run).start + self._taken(run) or offset + len(data) > layout.bytes(run).stop:
            raise wire.unexpected(f"bytes of {self.resource.kind} at {offset}, which are not the next ones")
        self.buffer += data
        while self.pending and self.pending[0] in run:
            chunk = layout.bytes(range(self.pending[0], self.pending[0] + 1))
            if len(self.buffer) < len(chunk):
                return
            self._keep(chunk, bytes(self.buffer[: len(chunk)]))
            del self.buffer[: len(chunk)]

    def _taken(self, run: range) -> int:
        return (self.pending[0] - run.start) * self.resource.layout.chunk_length + len(self.buffer)

    def _keep(self, chunk: range, data: bytes) -> None:
        if chunks.sha256(data) != self.digests[self.pending[0]]:
            raise wire.ProtocolError("digestMismatch", f"a chunk of {self.resource.kind} does not match its digest")
        self.file.seek(chunk.start)
        self.file.write(data)
        self.pending.popleft()

    def take(self, chunk: int, data: bytes) -> bool:
        """Keeps a chunk that was put together from pieces, if it is the right one."""
        if chunks.sha256(data) != self.digests[chunk]:
            return False
        self.file.seek(self.resource.layout.bytes(range(chunk, chunk + 1)).start)
        self.file.write(data)
        self.pending.remove(chunk)
        self.missing = chunks.runs(self.pending)
        return True

    def store(self) -> None:
        """Makes a whole resource survive a power cut."""
        self.file.truncate(self.resource.layout.size)
        self.file.flush()
        os.fsync(self.file.fileno())
        self.file.close()


@dataclass
class Receiver:
    """One reception over a connection that is secured already."""

    connection: Connection
    folder: Path
    report: handshake.Report
    token: str | None = None
    stop_after: int | None = None
    """After how many bytes the connection is broken; for tests of resuming."""
    count: Callable[[str, Path], int] = items.count
    """Counts the items of a resource; raises `ValueError` if it does not hold what its kind says."""
    kinds: Collection[str] = items.KINDS
    older: Path | None = None
    """An older version of the map, from which pieces are taken."""

    def run(self) -> None:
        version = handshake.shake_hands(self.connection, "dialer")
        invitation = Invitation(self.connection, self.report, self.token)
        invitation.send(version)
        manifest = self.read_manifest()
        self.report("offer", name=manifest.body.get("name"), size=manifest.size)
        invitation.confirm()
        self.take(manifest)

    def read_manifest(self) -> Manifest:
        self.connection.place = 0
        return chunks.read_manifest(self.connection.next(FrameType.MANIFEST, within=15).body)

    def take(self, manifest: Manifest) -> None:
        """Receives everything of an offer that this side knows."""
        wanted = self._select(manifest)
        received = self._receive(manifest, wanted)
        self._commit(manifest, wanted, received)

    # The offer

    def _select(self, manifest: Manifest) -> list[Resource]:
        wanted = [resource for resource in manifest.resources if resource.kind in self.kinds]
        unknown = [resource.kind for resource in manifest.resources if resource.kind not in self.kinds]
        kinds = [resource.kind for resource in wanted]
        self.connection.send(wire.encode_json(FrameType.SELECTION, kinds=kinds, unknown=unknown))
        return wanted

    # The resources

    def _receive(self, manifest: Manifest, wanted: list[Resource]) -> int:
        """Receives what is missing; returns how many bytes came."""
        self.folder.mkdir(parents=True, exist_ok=True)
        lists, digests, confirmed = deque(wanted), [], 0
        requested: deque[Arrival] = deque()
        received = 0
        if self.older and self.connection.has_pieces:
            # Every list first: a round of pieces awaits nothing else.
            arrivals = [self._list(resource, lists) for resource in wanted]
            for arrival in arrivals:
                if arrival.resource.kind == "mbtiles":
                    received += self._look_for_pieces(arrival)
            for arrival in arrivals:
                self.connection.send(wire.encode_request(arrival.resource.index, arrival.pending))
            requested.extend(arrivals)
            while requested and requested[0].is_whole:
                self._confirm(requested.popleft())
                confirmed += 1
        while True:
            seconds = handshake.BYTES_SECONDS if requested or digests else handshake.DISK_SECONDS
            frame = self.connection.next(FrameType.DIGESTS, FrameType.DATA, FrameType.DONE, within=seconds)
            if frame.type == FrameType.DONE:
                if confirmed < len(wanted):
                    raise wire.unexpected("done before everything arrived")
                self._check_done(manifest, frame)
                return received
            if frame.type == FrameType.DIGESTS:
                self._collect(lists, digests, frame)
                if len(digests) == lists[0].layout.count:
                    requested.append(self._request(lists.popleft(), digests))
                    digests = []
            else:
                index, offset, data = wire.decode_data(frame.payload)
                if not requested or index != requested[0].resource.index or requested[0].is_whole:
                    raise wire.unexpected("data that were not requested")
                requested[0].write(offset, data)
                received += len(data)
                self._stop_if_wanted(received, requested[0])
            while requested and requested[0].is_whole:
                self._confirm(requested.popleft())
                confirmed += 1

    def _collect(self, lists: deque[Resource], digests: list[bytes], frame: wire.Frame) -> None:
        """Adds the next part of the list of the next resource."""
        index, first, part = wire.decode_digests(frame.payload)
        if not lists or (index, first) != (lists[0].index, len(digests)):
            raise wire.unexpected("digests that are not the next ones")
        if len(part) != min(wire.DIGESTS_IN_A_FRAME, lists[0].layout.count - first):
            raise wire.unexpected("a part with too many or too few digests")
        digests += part

    def _list(self, resource: Resource, lists: deque[Resource]) -> Arrival:
        digests: list[bytes] = []
        while True:
            self._collect(lists, digests, self.connection.next(FrameType.DIGESTS, within=handshake.DISK_SECONDS))
            if len(digests) == resource.layout.count:
                lists.popleft()
                return Arrival(resource, digests, self.folder / f"{resource.kind}.partial")

    def _look_for_pieces(self, arrival: Arrival) -> int:
        """Puts chunks together from an older map, round by round; returns how many bytes came."""
        older = self.older.read_bytes()
        with sqlite3.connect(self.older) as database:
            known = {pieces.piece_digest(tile): tile for (tile,) in database.execute("SELECT tile_data FROM tiles")}
        layout, resource = arrival.resource.layout, arrival.resource
        received, end = 0, 0
        while asked := [chunk for chunk in arrival.pending if chunk >= end]:
            self.connection.send(pieces.encode_query(resource.index, chunks.runs(asked)[:1024]))
            asked = [chunk for run in chunks.runs(asked)[:1024] for chunk in run]
            listed = pieces.read_list(self._read_parts(resource), asked, layout)
            end = listed.chunks[-1] + 1
            here = {digest: known[digest] for digest in listed.digests if digest in known}
            for run in listed.runs:
                page = older[run.place.start : run.place.stop]
                if run.start == 0 and pieces.piece_digest(page) == listed.digests[run.piece]:
                    here[listed.digests[run.piece]] = page
            lacking = pieces.missing(listed, lambda run: listed.digests[run.piece] in here)
            content = {}
            for start in range(0, len(lacking), 2048):
                self.connection.send(pieces.encode_ranges(resource.index, lacking[start : start + 2048]))
            for place in lacking:
                content[place.start] = self._read_range(resource, place)
                received += len(place)
            self._assemble(arrival, listed, here, lacking, content)
        return received

    def _read_parts(self, resource: Resource) -> bytes:
        data = b""
        while True:
            seconds = handshake.BYTES_SECONDS if data else handshake.DISK_SECONDS
            frame = self.connection.next(FrameType.PIECE_LIST, within=seconds)
            index, rest, part = pieces.decode_part(frame.payload)
            data += part
            if index != resource.index or len(data) + rest > pieces.MAXIMUM_LIST:
                raise wire.unexpected("a list that was not queried, or is too long")
            if not rest:
                return data

    def _read_range(self, resource: Resource, place: range) -> bytes:
        data = b""
        while len(data) < len(place):
            frame = self.connection.next(FrameType.DATA, within=handshake.BYTES_SECONDS)
            index, offset, part = wire.decode_data(frame.payload)
            if (index, offset) != (resource.index, place.start + len(data)) or len(data) + len(part) > len(place):
                raise wire.unexpected("data that were not requested")
            data += part
        return data

    @staticmethod
    def _assemble(
        arrival: Arrival,
        listed: pieces.PieceList,
        here: dict[bytes, bytes],
        lacking: list[range],
        content: dict[int, bytes],
    ) -> None:
        layout = arrival.resource.layout
        whole: dict[int, bytearray] = {}
        position, runs = 0, deque(listed.runs)
        for chunk in listed.chunks:
            place = layout.bytes(range(chunk, chunk + 1))
            data = bytearray()
            while place.start + len(data) < place.stop:
                offset = place.start + len(data)
                while runs and runs[0].place.stop <= offset:
                    runs.popleft()
                run = runs[0] if runs else None
                if run and offset in run.place:
                    count = min(run.place.stop, place.stop) - offset
                    start = run.start + offset - run.place.start
                    data += here.get(listed.digests[run.piece], b"")[start : start + count].ljust(count, b"\0")
                else:
                    count = min(run.place.start if run else place.stop, place.stop) - offset
                    data += listed.skeleton[position : position + count]
                    position += count
            whole[chunk] = data
        for run in lacking:
            for chunk in range(run.start // layout.chunk_length, (run.stop - 1) // layout.chunk_length + 1):
                place = layout.bytes(range(chunk, chunk + 1))
                part = range(max(run.start, place.start), min(run.stop, place.stop))
                bytes_of_part = content[run.start][part.start - run.start : part.stop - run.start]
                whole[chunk][part.start - place.start : part.stop - place.start] = bytes_of_part
        for chunk, data in whole.items():
            arrival.take(chunk, bytes(data))

    def _request(self, resource: Resource, digests: list[bytes]) -> Arrival:
        arrival = Arrival(resource, digests, self.folder / f"{resource.kind}.partial")
        self.connection.send(wire.encode_request(resource.index, arrival.pending))
        return arrival

    def _confirm(self, arrival: Arrival) -> None:
        arrival.store()
        resource = arrival.resource
        self.connection.send(
            wire.encode_json(FrameType.CONFIRMATION, resource=resource.index, digest=resource.digest.hex())
        )

    def _check_done(self, manifest: Manifest, frame: wire.Frame) -> None:
        if frame.body["id"].upper() != manifest.id.upper():
            raise wire.unexpected("done of another transfer")

    def _stop_if_wanted(self, received: int, arrival: Arrival) -> None:
        if self.stop_after is not None and received >= self.stop_after:
            arrival.file.close()
            raise handshake.Stopped

    # The end

    def _commit(self, manifest: Manifest, wanted: list[Resource], received: int) -> None:
        """Checks what arrived, gives the files their names and tells the sender."""
        imported = {}
        for resource in wanted:
            partial = self.folder / f"{resource.kind}.partial"
            try:
                imported[resource.kind] = self.count(resource.kind, partial)
            except ValueError as error:
                raise wire.ProtocolError("failed", f"{resource.kind}: {error}") from error
        for resource in wanted:
            (self.folder / f"{resource.kind}.partial").rename(self.folder / resource.kind)
        body = {key: value for key, value in manifest.body.items() if key != "resources"}
        (self.folder / "region.json").write_text(json.dumps(body))
        self.connection.say_last(
            wire.encode_json(
                FrameType.ACKNOWLEDGEMENT, id=manifest.id, time=wire.now(), imported=imported, keptLocal={}
            )
        )
        self.report("received", bytes=received, imported=imported)
