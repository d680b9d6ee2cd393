"""The sender: lets a receiver in, offers files, answers requests, waits for the acknowledgement."""

from __future__ import annotations

import hmac
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Container

from connecting import handshake
from connecting.connection import Connection
from connecting.invitation import Admission
from formats import chunks, pieces, wire
from formats.chunks import Layout, Manifest, Resource
from formats.wire import Frame, FrameType

DATA_LENGTH = 65_536


@dataclass
class Sender:
    """One transfer over a connection that is secured already."""

    connection: Connection
    description: dict[str, Any]
    """What the application says of the offer; its `id` is that of the manifest."""
    paths: dict[str, Path]
    """The files to send, by their kinds."""
    report: handshake.Report
    token: str = ""
    stop_after: int | None = None
    """After how many bytes the connection is broken; for tests of resuming."""
    tampers: bool = False
    """Whether the first data frame is altered; for tests of verifying."""
    sent: int = 0
    files: dict[int, BinaryIO] = field(default_factory=dict)
    digests: dict[int, list[bytes]] = field(default_factory=dict)
    listed: set[int] = field(default_factory=set)
    """The resources whose lists the receiver asked for before its selection."""
    next_chunk: dict[int, int] = field(default_factory=dict)
    """The first chunk of each resource whose pieces were not listed yet."""
    next_byte: dict[int, int] = field(default_factory=dict)
    """The first byte of each resource that was not requested as a part of a piece."""

    def __post_init__(self) -> None:
        self.admission = Admission(self.connection, self.report)

    def run(self) -> None:
        version = handshake.shake_hands(self.connection, "listener")
        self._let_in(version)
        self.give()

    def give(self) -> None:
        """Offers everything and serves the receiver, which has been let in."""
        manifest = self._offer()
        wanted = self._await_selection(manifest)
        for resource in wanted:
            if resource.index not in self.listed:
                self._list(resource)
        self._serve(manifest, wanted)

    # The invitation

    def _let_in(self, version: int) -> None:
        connection = self.connection
        invitation = connection.next(FrameType.INVITE, within=15).body
        if "session" in invitation:
            raise handshake.Declined("other", "This sender offers a transfer only.")
        if "token" in invitation:
            if not hmac.compare_digest(invitation["token"], self.token):
                raise handshake.Declined("link", "This share link is not valid.")
        elif not self.admission.is_mutual(invitation):
            self.admission.pair(version, min(invitation["timeout"], 60))
        connection.send(wire.encode_json(FrameType.ACCEPT))

    # The offer

    def _offer(self) -> Manifest:
        listed = []
        for kind, path in self.paths.items():
            layout = Layout(path.stat().st_size)
            file = path.open("rb")
            digests = chunks.chunk_digests(file, layout)
            self.files[len(listed)], self.digests[len(listed)] = file, digests
            listed.append((kind, layout.size, chunks.resource_digest(layout.size, digests)))
        body = chunks.make_manifest(self.description, listed)
        self.connection.send(wire.encode_json(FrameType.MANIFEST, **body))
        return chunks.read_manifest(body)

    def _await_selection(self, manifest: Manifest) -> list[Resource]:
        # The receiver asks for lists before its person answers, so before a confirmation.
        frame = self.admission.next(FrameType.DIGEST_QUERY, FrameType.SELECTION)
        if frame.type == FrameType.DIGEST_QUERY:
            asked = self._selected(manifest, frame)
            if not asked:
                raise wire.unexpected("a query for no lists")
            for resource in asked:
                self._list(resource)
            self.listed = {resource.index for resource in asked}
            while (frame := self.admission.next(FrameType.PIECE_QUERY, FrameType.SELECTION)).type != FrameType.SELECTION:
                self._list_pieces(manifest, self.listed, frame)
            self.next_chunk = {}
        return self._selected(manifest, frame)

    def _selected(self, manifest: Manifest, frame: Frame) -> list[Resource]:
        kinds = frame.body["kinds"]
        wanted = [resource for resource in manifest.resources if resource.kind in kinds]
        if len(wanted) != len(kinds):
            raise wire.unexpected("kinds that were not offered")
        return wanted

    # The resources

    def _serve(self, manifest: Manifest, wanted: list[Resource]) -> None:
        """Answers the requests in the order in which they come, and counts the confirmations."""
        unrequested = {resource.index: resource for resource in wanted}
        unconfirmed = dict(unrequested)
        is_done = False
        while True:
            if not unrequested and not is_done:
                self.connection.send(wire.encode_json(FrameType.DONE, id=manifest.id))
                is_done = True
            frame = self.connection.next(
                FrameType.REQUEST,
                FrameType.PIECE_QUERY,
                FrameType.RANGE_REQUEST,
                FrameType.CONFIRMATION,
                FrameType.ACKNOWLEDGEMENT,
                within=handshake.DISK_SECONDS,
            )
            if frame.type == FrameType.PIECE_QUERY:
                self._list_pieces(manifest, unrequested, frame)
            elif frame.type == FrameType.RANGE_REQUEST:
                self._answer_ranges(manifest, unrequested, frame)
            elif frame.type == FrameType.REQUEST:
                index, missing = wire.decode_request(frame.payload)
                if index not in unrequested:
                    raise wire.unexpected("a request for what is not wanted, or a second one")
                self._answer(unrequested.pop(index), missing)
            elif frame.type == FrameType.CONFIRMATION:
                index = frame.body["resource"]
                resource = unconfirmed.pop(index, None)
                if resource is None or index in unrequested or bytes.fromhex(frame.body["digest"]) != resource.digest:
                    raise wire.unexpected("a confirmation that may not come now, or of another digest")
            else:
                if not is_done or unconfirmed or frame.body["id"].upper() != manifest.id.upper():
                    raise wire.unexpected("an acknowledgement that may not come now")
                self.report("sent", bytes=self.sent, imported=frame.body["imported"])
                return

    def _list(self, resource: Resource) -> None:
        """Sends the list of a resource's digests in parts, the empty one too."""
        digests = self.digests[resource.index]
        for first in range(0, max(1, len(digests)), wire.DIGESTS_IN_A_FRAME):
            part = digests[first : first + wire.DIGESTS_IN_A_FRAME]
            self.connection.send(wire.encode_digests(resource.index, first, part))

    def _list_pieces(self, manifest: Manifest, allowed: Container[int], frame: Frame) -> None:
        """Sends the list of the first of the chunks of a query."""
        index, asked = pieces.decode_query(frame.payload, [resource.layout for resource in manifest.resources])
        if not self.connection.has_pieces or index not in allowed or asked[0] < self.next_chunk.get(index, 0):
            raise wire.unexpected("a query for pieces that may not come now")
        data, self.next_chunk[index] = pieces.make(manifest.resources[index].layout, asked, lambda place: self._read(index, place))
        for part in pieces.encode_parts(index, data):
            self.connection.send(part)

    def _read(self, index: int, place: range) -> bytes:
        self.files[index].seek(place.start)
        return self.files[index].read(len(place))

    def _answer_ranges(self, manifest: Manifest, allowed: Container[int], frame: Frame) -> None:
        index, asked = pieces.decode_ranges(frame.payload, [resource.layout for resource in manifest.resources])
        if not self.connection.has_pieces or index not in allowed or asked[0].start < self.next_byte.get(index, 0):
            raise wire.unexpected("a request for bytes that may not come now")
        self.next_byte[index] = asked[-1].stop
        for place in asked:
            for offset in range(place.start, place.stop, DATA_LENGTH):
                data = self._read(index, range(offset, min(offset + DATA_LENGTH, place.stop)))
                self._send_data(manifest.resources[index], offset, data)

    def _answer(self, resource: Resource, missing: list[int]) -> None:
        if missing and missing[-1] >= resource.layout.count:
            raise wire.unexpected("a request for chunks that do not exist")
        file = self.files[resource.index]
        for run in chunks.runs(missing):
            place = resource.layout.bytes(run)
            for offset in range(place.start, place.stop, DATA_LENGTH):
                file.seek(offset)
                self._send_data(resource, offset, file.read(min(DATA_LENGTH, place.stop - offset)))

    def _send_data(self, resource: Resource, offset: int, data: bytes) -> None:
        if self.tampers:
            data, self.tampers = bytes([data[0] ^ 1]) + data[1:], False
        self.connection.send(wire.encode_data(resource.index, offset, data))
        self.sent += len(data)
        if self.stop_after is not None and self.sent >= self.stop_after:
            raise handshake.Stopped
        self.connection.poll()
