"""Cases for a sender: the kit dials it, with its share link."""

from __future__ import annotations

import base64
from pathlib import Path
from tempfile import TemporaryDirectory

from connecting import handshake
from connecting.connection import Connection
from connecting.invitation import Invitation
from conformance.case import PATIENCE, Case, Wrong, expect_close, expect_end, expect_failure, frame, greet
from formats import chunks, wire
from formats.chunks import Manifest
from formats.wire import FrameType
from receiver import Receiver


def cases(token: str) -> list[Case]:
    def offered(connection: Connection) -> Manifest:
        """Goes as far as the offer."""
        greet(connection, "dialer")
        Invitation(connection, lambda *_, **__: None, token).send(wire.VERSION)
        # It may say when it serves this side.
        connection.place = 0
        return chunks.read_manifest(connection.next(FrameType.MANIFEST, within=PATIENCE).body)

    def selected(connection: Connection) -> Manifest:
        """Selects the first resource."""
        manifest = offered(connection)
        connection.send(wire.encode_json(FrameType.SELECTION, kinds=[manifest.resources[0].kind], unknown=[]))
        return manifest

    def listed(connection: Connection) -> Manifest:
        """Reads the digests of the first resource."""
        manifest = selected(connection)
        resource, digests = manifest.resources[0], []
        while len(digests) < resource.layout.count:
            part = connection.next(FrameType.DIGESTS, within=handshake.DISK_SECONDS)
            digests += wire.decode_digests(part.payload)[2]
        if chunks.resource_digest(resource.layout.size, digests) != resource.digest:
            raise Wrong("its digests do not match its manifest")
        return manifest

    def fails(name: str, section: str, begin, data, *codes: str) -> Case:
        def run(connection: Connection) -> None:
            manifest = begin(connection)
            connection.send(data(manifest) if callable(data) else data)
            expect_failure(connection, *codes)
        return Case(name, section, run)

    def invites(connection: Connection, *, last: str, **body: object) -> None:
        greet(connection, "dialer")
        connection.send(wire.encode_json(FrameType.INVITE, **({"timeout": 30} | body)))
        ended = expect_end(connection)
        if f"{ended.word} {ended.code}" != last:
            raise Wrong(f"it answers with {ended.word} {ended.code}, not with {last}")

    def asks(name: str, context: bytes) -> Case:
        """A request for a part that cannot be read."""
        body = {"token": token, "context": base64.b64encode(context).decode()}
        return Case(name, "ItemFormats: Request for a part", lambda c: invites(c, last="decline other", **body))

    def takes_all(connection: Connection) -> None:
        with TemporaryDirectory() as folder:
            receiver = Receiver(connection, Path(folder), lambda *_, **__: None, token, count=lambda *_: 1)
            receiver.kinds = _Everything()
            receiver.run()

    def cancels(connection: Connection) -> None:
        listed(connection)
        connection.send(wire.encode_json(FrameType.CANCEL, reason="The conformance kit has seen enough."))
        expect_close(connection, after_last_word=True)

    def declines(connection: Connection) -> None:
        offered(connection)
        connection.send(wire.encode_json(FrameType.DECLINE, code="declined", reason="No, thank you."))
        expect_close(connection, after_last_word=True)

    def request(manifest: Manifest, *wanted: int) -> bytes:
        return wire.encode_request(manifest.resources[0].index, wanted)

    wrong = ("0" if token[0] != "0" else "1") + token[1:]
    confirmation = wire.encode_json(FrameType.CONFIRMATION, resource=0, digest="ab" * 32)
    return [
        Case("a whole transfer, every chunk verified", "Sequence", takes_all),
        Case("a wrong token", "invite", lambda c: invites(c, last="decline link", token=wrong)),
        Case("a token in lower case", "invite", lambda c: invites(c, last="failure invalidFrame", token="abcdefghjkmnpqrs")),
        Case("a token that is too long", "invite", lambda c: invites(c, last="failure invalidFrame", token=token + "0")),
        Case("a time-out beyond its bounds", "invite", lambda c: _either(c, lambda: invites(c, last="", timeout=3_601))),
        asks("a part with null", b'{"part":{"maxZoom":12,"within":null}}'),
        asks("a part of an area without a height", b'{"part":{"area":{"north":42,"south":42,"east":2,"west":1}}}'),
        asks("a part of a zoom level with a half", b'{"part":{"maxZoom":12.5}}'),
        fails("a second invitation", "invite", offered, wire.encode_json(FrameType.INVITE, timeout=30, token=token),
              "unexpectedFrame"),
        fails("a frame of the other role", "Frame types", offered, wire.encode_json(FrameType.ACCEPT), "unexpectedFrame"),
        fails("a long manifest to the sender", "Frames", offered, frame(FrameType.MANIFEST, length=65_537), "limitExceeded"),
        fails("a kind that was not offered", "selection", offered,
              wire.encode_json(FrameType.SELECTION, kinds=["nothing"], unknown=[]), "unexpectedFrame"),
        fails("a kind twice", "selection", offered, lambda manifest: wire.encode_json(
            FrameType.SELECTION, kinds=[manifest.resources[0].kind] * 2, unknown=[]), "unexpectedFrame"),
        fails("a kind that is none", "selection", offered,
              wire.encode_json(FrameType.SELECTION, kinds=["Map!"], unknown=[]), "invalidFrame"),
        fails("a second selection", "selection", listed, wire.encode_json(FrameType.SELECTION, kinds=[], unknown=[]),
              "unexpectedFrame"),
        fails("a request before a selection", "request", offered, lambda m: request(m, 0), "unexpectedFrame"),
        fails("a request for a chunk that is not there", "request", listed,
              lambda m: request(m, m.resources[0].layout.count), "unexpectedFrame"),
        fails("a request for what was not selected", "request", listed, wire.encode_request(31, [0]), "unexpectedFrame"),
        fails("a request that ends with 0", "request", listed,
              frame(FrameType.REQUEST, b"\0\0\0\0\x80\0"), "invalidFrame"),
        fails("a second request", "request", listed, lambda m: request(m) + request(m), "unexpectedFrame"),
        fails("a confirmation before a request", "confirmation", listed, confirmation, "unexpectedFrame"),
        fails("a confirmation of another digest", "confirmation", listed, lambda m: request(m) + confirmation,
              "unexpectedFrame", "digestMismatch"),
        fails("an acknowledgement before done", "acknowledgement", listed, lambda m: wire.encode_json(
            FrameType.ACKNOWLEDGEMENT, id=m.id, time=wire.now(), imported={}, keptLocal={}), "unexpectedFrame"),
        Case("cancel", "Closing", cancels),
        Case("decline", "Closing", declines),
    ]


class _Everything:
    """The kit takes all kinds, whatever they hold."""

    def __contains__(self, _: object) -> bool:
        return True


def _either(connection: Connection, invites) -> None:
    """An integer outside its bounds ends the connection with one of two codes."""
    try:
        invites()
    except Wrong as wrong:
        if not any(code in str(wrong) for code in ("failure limitExceeded", "failure invalidFrame")):
            raise
