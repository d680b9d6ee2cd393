"""The resources of a link: who offers what, and the connection that is attached for each of them."""

from __future__ import annotations

import hmac
import threading
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable

from connecting import handshake
from connecting.connection import Connection, Ended, Lost, NotSecured
from formats import wire
from formats.link_frames import RESOURCE_FIELDS
from formats.values import check_keys
from formats.wire import FrameType
from link.meeting import Meeting, random_text
from link.records import Records
from receiver import Receiver
from sender import Sender

KIND = "file"
MOST_TRANSFERS = 64


@dataclass
class Transfer:
    """One resource that a side offers."""

    id: str
    name: str
    size: int
    path: Path
    """The file to send, or the folder where what comes is kept."""
    is_incoming: bool
    is_accepted: bool = False
    is_running: bool = False
    secret: str | None = None
    """The newest secret, until a connection presents it."""
    stop_after: int | None = None


class Transfers:
    """All resources of a link. Each attached connection has a thread, which hands over what it comes to."""

    def __init__(
        self,
        meeting: Meeting,
        folder: Path,
        report: handshake.Report,
        records: Records,
        hand_over: Callable[[Callable[[], None]], None],
    ) -> None:
        self.meeting, self.folder, self.report = meeting, folder, report
        self.records, self.hand_over = records, hand_over
        self.all: dict[str, Transfer] = {}
        self.is_listener = False
        """Whether this side listened when the link's connection was made: it says when to attach one."""
        self.stop_after: int | None = None
        """After how many bytes the next attached connection is broken; for tests of resuming."""

    def offer(self, path: Path) -> None:
        transfer = Transfer(str(uuid.uuid4()).upper(), path.name, path.stat().st_size, path, is_incoming=False)
        self.all[transfer.id] = transfer
        self._tell(transfer, "offer", name=path.name, size=transfer.size, count=1)

    def _tell(self, transfer: Transfer, verb: str, **keys: Any) -> None:
        self.records.send_json(FrameType.RESOURCE, transfer=transfer.id, verb=verb, **keys)

    def carried(self, is_listener: bool) -> None:
        """A connection carries the link: what was accepted and is not under way begins."""
        self.is_listener = is_listener
        for transfer in self.all.values():
            self._begin(transfer)

    def _begin(self, transfer: Transfer) -> None:
        """Tells the other side to attach a connection, if this side is the one that says so."""
        if self.is_listener and transfer.is_accepted and not transfer.is_running:
            transfer.secret = random_text()
            self._tell(transfer, "attach", secret=transfer.secret)

    def received(self, body: dict[str, Any]) -> None:
        """Takes a `resource` frame of the link."""
        id, verb = body["transfer"].upper(), body["verb"]
        check_keys(f"resource {verb}", body, RESOURCE_FIELDS.get(verb, {}))
        if verb == "offer":
            self._take_offer(id, body)
            return
        transfer = self.all.get(id)
        if transfer is None:
            return
        if verb == "accept" and not transfer.is_incoming:
            transfer.is_accepted = True
            self._begin(transfer)
        elif verb == "attach" and transfer.is_accepted and not self.is_listener:
            transfer.secret = body["secret"]
            self._attach(transfer)
        elif verb in ("decline", "cancel"):
            del self.all[id]
            self.report("transferEnded", name=transfer.name, verb=verb, message=body["reason"])
        elif verb == "received" and not transfer.is_incoming:
            del self.all[id]
            self.report("resourceGiven", name=transfer.name)

    def _take_offer(self, id: str, body: dict[str, Any]) -> None:
        if id in self.all:
            raise wire.unexpected("an offer that was made before")
        self.report("resourceOffered", name=body["name"], size=body["size"], count=body["count"])
        transfer = Transfer(id, body["name"], body["size"], self.folder / id, is_incoming=True)
        if body["count"] != 1 or len(self.all) >= MOST_TRANSFERS:
            self._tell(transfer, "decline", code="other", reason="Only single files are taken.")
            return
        self.all[id] = transfer
        self._tell(transfer, "accept")
        transfer.is_accepted = True
        self._begin(transfer)

    # The attached connection

    def _attach(self, transfer: Transfer) -> None:
        """Dials with the newest secret, unless the last connection has not ended yet."""
        if transfer.is_running or transfer.secret is None:
            return
        secret, transfer.secret = transfer.secret, None
        attach = wire.encode_json(FrameType.RESOURCE, transfer=transfer.id, verb="attach", secret=secret)
        self._start(transfer, lambda: self._dial(transfer, attach))

    def arrived(self, connection: Connection, body: dict[str, Any]) -> None:
        """Takes a connection that presents a secret, or closes it."""
        transfer = self.all.get(body["transfer"].upper())
        is_right = transfer and connection.peer == self.meeting.expected and body["verb"] == "attach"
        if not is_right or not transfer.secret or not hmac.compare_digest(str(body.get("secret")), transfer.secret):
            connection.close()
            return
        transfer.secret = None
        connection.awaited.add(FrameType.MANIFEST)
        connection.send(wire.encode_json(FrameType.ACCEPT))
        self._start(transfer, lambda: self._work(connection, transfer))

    def _start(self, transfer: Transfer, work: Callable[[], bool]) -> None:
        def run() -> None:
            is_whole = work()
            self.hand_over(lambda: self._finished(transfer, is_whole))

        transfer.is_running = True
        transfer.stop_after, self.stop_after = self.stop_after, None
        threading.Thread(target=run, daemon=True).start()

    def _finished(self, transfer: Transfer, is_whole: bool) -> None:
        """An attached connection has ended; called by the thread of the link."""
        transfer.is_running = False
        if not is_whole and transfer.id in self.all:
            self._attach(transfer) if not self.is_listener else self._begin(transfer)
        elif is_whole and transfer.is_incoming:
            del self.all[transfer.id]
            self._tell(transfer, "received")
            self.report("resourceTaken", name=transfer.name, file=str(transfer.path / KIND))

    def _dial(self, transfer: Transfer, attach: bytes) -> bool:
        try:
            connection = self.meeting.dial()
        except Lost as error:
            self.report("lost", resource=transfer.name, message=str(error))
            return False
        try:
            connection.secure(self.meeting.expected)
            connection.awaited.add(FrameType.MANIFEST)
            handshake.shake_hands(connection, "dialer", self.meeting.run, attach)
            connection.next(FrameType.ACCEPT, within=handshake.HANDSHAKE_SECONDS)
        except (Lost, Ended, NotSecured, wire.ProtocolError) as error:
            connection.close()
            self.report("lost", resource=transfer.name, message=str(error))
            return False
        return self._work(connection, transfer)

    def _work(self, connection: Connection, transfer: Transfer) -> bool:
        """Transfers the resource; returns whether all of it was."""
        return handshake.end(
            connection,
            lambda event, **details: self.report(event, resource=transfer.name, **details),
            lambda: (self._receive if transfer.is_incoming else self._send)(connection, transfer),
        )

    def _receive(self, connection: Connection, transfer: Transfer) -> None:
        receiver = Receiver(
            connection, transfer.path, self.report, stop_after=transfer.stop_after, count=lambda *_: 1, kinds=(KIND,)
        )
        manifest = receiver.read_manifest()
        if [(resource.kind, resource.layout.size) for resource in manifest.resources] != [(KIND, transfer.size)]:
            raise wire.ProtocolError("invalidManifest", "the manifest is not what was offered")
        self.report("manifest", body=manifest.body)
        receiver.take(manifest)

    def _send(self, connection: Connection, transfer: Transfer) -> None:
        description = {"id": transfer.id, "name": transfer.name}
        Sender(connection, description, {KIND: transfer.path}, self.report, stop_after=transfer.stop_after).give()
