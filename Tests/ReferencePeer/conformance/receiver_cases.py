"""Cases for a receiver: the kit listens, and the receiver is started with a share link of the kit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Callable

from connecting.connection import Connection, Ended
from conformance.case import PATIENCE, Case, Wrong, expect_close, expect_failure, frame, greet
from formats import chunks, items, wire
from formats.chunks import Layout, Manifest
from formats.wire import FrameType
from sender import Sender

Change = Callable[[dict], None]


def cases(token: str, folder: Path) -> list[Case]:
    description = json.loads((folder / "region.json").read_text())
    paths = {kind: folder / kind for kind in items.KINDS if (folder / kind).exists()}

    def sender(connection: Connection) -> Sender:
        return Sender(connection, description, paths, lambda *_, **__: None, token)

    def let_in(connection: Connection) -> None:
        greet(connection, "listener")
        invitation = connection.next(FrameType.INVITE, within=PATIENCE).body
        if invitation.get("token") != token:
            raise Wrong("its invitation does not have the token of the share link")

    def accepted(connection: Connection) -> Manifest:
        let_in(connection)
        connection.send(wire.encode_json(FrameType.ACCEPT))
        return sender(connection)._offer()

    def selected(connection: Connection) -> Manifest:
        manifest = accepted(connection)
        if connection.next(FrameType.DIGEST_QUERY, FrameType.SELECTION, within=PATIENCE).type == FrameType.DIGEST_QUERY:
            raise Wrong("it has some of the region already, so it asks for digests first: start it without any")
        return manifest

    def offers(change: Change, *codes: str) -> Callable[[Connection], None]:
        """An offer that is wrong."""
        def run(connection: Connection) -> None:
            let_in(connection)
            listed = []
            for kind, path in paths.items():
                layout = Layout(path.stat().st_size)
                with path.open("rb") as file:
                    digests = chunks.chunk_digests(file, layout)
                listed.append((kind, layout.size, chunks.resource_digest(layout.size, digests)))
            body = chunks.make_manifest(description, listed)
            change(body)
            connection.send(wire.encode_json(FrameType.ACCEPT) + wire.encode_json(FrameType.MANIFEST, **body))
            expect_failure(connection, *codes)
        return run

    def fails(name: str, section: str, data: Callable[[Manifest], bytes], *codes: str) -> Case:
        def run(connection: Connection) -> None:
            manifest = selected(connection)
            connection.send(data(manifest))
            expect_failure(connection, *codes)
        return Case(name, section, run)

    def gives_all(connection: Connection) -> None:
        let_in(connection)
        connection.send(wire.encode_json(FrameType.ACCEPT))
        sender(connection).give()

    def tampers(connection: Connection) -> None:
        let_in(connection)
        connection.send(wire.encode_json(FrameType.ACCEPT))
        tampering = sender(connection)
        tampering.tampers = True
        tampering.give()
        raise Wrong("it takes bytes that do not match their digest")

    def wrong_digests(manifest: Manifest) -> bytes:
        count, most = manifest.resources[0].layout.count, wire.DIGESTS_IN_A_FRAME
        return b"".join(
            wire.encode_digests(0, first, [b"\xab" * 32] * min(most, count - first)) for first in range(0, count, most)
        )

    def cancels(connection: Connection) -> None:
        selected(connection)
        connection.send(wire.encode_json(FrameType.CANCEL, reason="The conformance kit has seen enough."))
        expect_close(connection, after_last_word=True)

    def change(**keys: object) -> Change:
        return lambda body: body.update(keys)

    def change_first(**keys: object) -> Change:
        return lambda body: body["resources"][0].update(keys)

    def too_many(body: dict) -> None:
        body["resources"] = [dict(body["resources"][0], name=f"kind{number}:{body['id']}") for number in range(33)]

    def flat(body: dict) -> None:
        body["boundingBox"] = dict(body["boundingBox"], south=body["boundingBox"]["north"])

    def sealed(body: dict) -> None:
        body["resources"] = [dict(body["resources"][0], name=f"sealed:{body['id']}")]
        body["sealed"] = {"format": "other", "fileName": "map.bin", "hasArea": True}
        body |= {"tileCount": 5, "fileSizeBytes": body["resources"][0]["size"], "hasRoutingData": False}

    return [
        Case("a whole transfer", "Sequence", gives_all),
        Case("an offer without resources", "manifest", offers(change(resources=None), "invalidManifest")),
        Case("an offer with a wrong id", "manifest", offers(change(id="map"), "invalidManifest")),
        Case("too many resources", "manifest", offers(too_many, "limitExceeded", "invalidManifest")),
        Case("a size with a fraction", "manifest", offers(change_first(size=1.5), "invalidManifest")),
        Case("a size that is too large", "Limits", offers(change_first(size=1 << 39), "limitExceeded", "invalidManifest")),
        Case("a wrong digest in the offer", "manifest", offers(change_first(digest="xyz"), "invalidManifest")),
        fails("digests that do not match the offer", "digests", wrong_digests, "digestMismatch"),
        fails("digests that are not the next ones", "digests", lambda _: wire.encode_digests(0, 1, [b"\0" * 32]),
              "unexpectedFrame"),
        fails("data that were not requested", "data", lambda _: wire.encode_data(0, 0, b"x"), "unexpectedFrame"),
        fails("done before everything has arrived", "done", lambda m: wire.encode_json(FrameType.DONE, id=m.id),
              "unexpectedFrame"),
        fails("a frame of the other role", "Frame types",
              lambda _: wire.encode_json(FrameType.SELECTION, kinds=[], unknown=[]), "unexpectedFrame"),
        fails("a turn with null", "turn", lambda _: frame(FrameType.TURN, b'{"count":2,"place":1,"seconds":null}'),
              "invalidFrame"),
        Case("an area without a height", "ItemFormats: Description of the region", offers(flat, "cannotTake")),
        Case("a map of another program with tiles", "ItemFormats: Foreign maps", offers(sealed, "cannotTake")),
        Case("bytes that do not match their digest", "Data", lambda c: _must_fail(tampers, c, "digestMismatch")),
        Case("cancel", "Closing", cancels),
    ]


def _must_fail(run: Callable[[Connection], None], connection: Connection, code: str) -> None:
    """The implementation ends the connection with a failure while the kit works on it."""
    try:
        run(connection)
    except Ended as ended:
        if (ended.word, ended.code) != ("failure", code):
            raise Wrong(f"it ends the connection with {ended.word} {ended.code}") from ended
