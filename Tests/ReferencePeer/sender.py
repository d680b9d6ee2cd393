"""The sender: lets a receiver in, offers the files of a folder, answers requests, waits for the acknowledgement."""

from __future__ import annotations

import hmac
import json
import secrets
import sys
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

import chunks
import identity
import items
import session
import wire
from chunks import Layout, Manifest, Resource
from connection import Connection
from wire import Frame, FrameType

DATA_LENGTH = 65_536


@dataclass
class Sender:
    """One transfer over a connection that is secured already."""

    connection: Connection
    folder: Path
    report: session.Report
    token: str
    stop_after: int | None = None
    """After how many bytes the connection is broken; for tests of resuming."""
    tampers: bool = False
    """Whether the first data frame is altered; for tests of verifying."""
    sent: int = 0
    files: dict[int, BinaryIO] = field(default_factory=dict)
    digests: dict[int, list[bytes]] = field(default_factory=dict)
    listed: set[int] = field(default_factory=set)
    """The resources whose lists the receiver asked for before its selection."""

    def run(self) -> None:
        version = session.shake_hands(self.connection, "sender")
        self._let_in(version)
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
        self.is_confirmed = False
        if "token" in invitation:
            if not hmac.compare_digest(invitation["token"], self.token):
                raise session.Declined("link", "This link is not valid.")
        elif not (invitation.get("pinned") and connection.peer in connection.identity.trusted):
            self._pair(version, min(invitation["timeout"], 60))
        connection.send(wire.encode_json(FrameType.ACCEPT))

    def _pair(self, version: int, seconds: int) -> None:
        connection = self.connection
        nonce = secrets.token_bytes(32)
        commitment = identity.commitment(nonce).hex()
        connection.send(wire.encode_json(FrameType.PAIRING_COMMITMENT, commitment=commitment))
        frame = connection.next(FrameType.PAIRING_NONCE, within=session.PAIRING_SECONDS)
        theirs = bytes.fromhex(frame.body["nonce"])
        connection.send(wire.encode_json(FrameType.PAIRING_REVEAL, nonce=nonce.hex()))
        digits = identity.digits(version, connection.peer, connection.identity.id, theirs, nonce)
        self.report("digits", digits=digits)
        if not connection.ask(sys.stdin, within=seconds):
            raise session.Declined("declined", "The sender said no.")
        connection.send(wire.encode_json(FrameType.PAIRING_CONFIRMATION))
        self.is_confirmed = True

    # The offer

    def _offer(self) -> Manifest:
        listed = []
        for kind in items.KINDS:
            path = self.folder / kind
            if path.exists():
                layout = Layout(path.stat().st_size)
                file = path.open("rb")
                digests = chunks.chunk_digests(file, layout)
                self.files[len(listed)], self.digests[len(listed)] = file, digests
                listed.append((kind, layout.size, chunks.resource_digest(layout.size, digests)))
        body = chunks.make_manifest(json.loads((self.folder / "region.json").read_text()), listed)
        self.connection.send(wire.encode_json(FrameType.MANIFEST, **body))
        return chunks.read_manifest(body)

    def _await_selection(self, manifest: Manifest) -> list[Resource]:
        frame = self.connection.next(
            FrameType.DIGEST_QUERY, FrameType.PAIRING_CONFIRMATION, FrameType.SELECTION, within=session.OFFER_SECONDS
        )
        asked = []
        if frame.type == FrameType.DIGEST_QUERY:
            asked = self._selected(manifest, frame)
            if not asked:
                raise wire.unexpected("a query for no lists")
            for resource in asked:
                self._list(resource)
            frame = self.connection.next(
                FrameType.PAIRING_CONFIRMATION, FrameType.SELECTION, within=session.OFFER_SECONDS
            )
        self.listed = {resource.index for resource in asked}
        if frame.type == FrameType.PAIRING_CONFIRMATION:
            if not self.is_confirmed:
                raise wire.unexpected("a confirmation without a pairing")
            self.connection.identity.trust(self.connection.peer)
            frame = self.connection.next(FrameType.SELECTION, within=session.OFFER_SECONDS)
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
                FrameType.REQUEST, FrameType.CONFIRMATION, FrameType.ACKNOWLEDGEMENT, within=session.DISK_SECONDS
            )
            if frame.type == FrameType.REQUEST:
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
            raise session.Stopped
        self.connection.poll()
