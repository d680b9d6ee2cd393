"""Cases for a sender: lists of digests and of pieces, and lanes."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Callable

from connecting import handshake
from connecting.connection import Connection
from connecting.invitation import Invitation
from conformance.case import PATIENCE, Case, Wrong, expect_failure, expect_features, frame, greet
from formats import chunks, pieces, wire
from formats.chunks import Manifest
from formats.wire import FrameType
from receiver import Arrival, Receiver

JOIN = 0x39


def cases(token: str) -> list[Case]:
    def offered(connection: Connection, *features: str) -> Manifest:
        """Goes as far as the offer."""
        body = greet(connection, "dialer", features=list(features))
        expect_features(body, *features)
        Invitation(connection, lambda *_, **__: None, token).send(wire.VERSION)
        # It may say when it serves this side.
        connection.place = 0
        return chunks.read_manifest(connection.next(FrameType.MANIFEST, within=PATIENCE).body)

    def listed(connection: Connection, *features: str) -> Manifest:
        """Selects the first resource, and reads its digests."""
        manifest = offered(connection, *features)
        connection.send(wire.encode_json(FrameType.SELECTION, kinds=[manifest.resources[0].kind], unknown=[]))
        read_digests(connection, manifest, 0)
        return manifest

    def read_digests(connection: Connection, manifest: Manifest, index: int) -> None:
        resource, digests = manifest.resources[index], []
        while True:
            place, _, part = wire.decode_digests(
                connection.next(FrameType.DIGESTS, within=handshake.DISK_SECONDS).payload
            )
            if place != index:
                raise Wrong("its digests are not in the order of the manifest")
            digests += part
            if len(digests) >= resource.layout.count:
                break
        if chunks.resource_digest(resource.layout.size, digests) != resource.digest:
            raise Wrong("its digests do not match its manifest")

    def fails(name: str, section: str, begin: Callable, data: Callable[[Manifest], bytes], *codes: str,
              features: tuple[str, ...] = ("pieces",)) -> Case:
        def run(connection: Connection) -> None:
            manifest = begin(connection, *features)
            connection.send(data(manifest))
            expect_failure(connection, *codes)
        return Case(name, section, run)

    def surveys(connection: Connection) -> None:
        manifest = offered(connection)
        connection.send(wire.encode_json(FrameType.DIGEST_QUERY, kinds=[each.kind for each in manifest.resources]))
        for index in range(len(manifest.resources)):
            read_digests(connection, manifest, index)

    def takes_pieces(connection: Connection) -> None:
        with TemporaryDirectory() as folder:
            # A map without tiles, so every piece has to come.
            with closing(sqlite3.connect(f"{folder}/empty")) as map:
                map.execute("CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data)")
                map.commit()
            older = Path(folder) / "empty"
            receiver = _OfPieces(connection, Path(folder), lambda *_, **__: None, token, count=lambda *_: 1, older=older)
            receiver.run()
            if not receiver.has_looked:
                raise Wrong("its offer has no map: start it with one")

    def digest_query(*kinds: str) -> bytes:
        return wire.encode_json(FrameType.DIGEST_QUERY, kinds=list(kinds))

    def query(*runs: tuple[int, int]) -> Callable[[Manifest], bytes]:
        return lambda manifest: pieces.encode_query(0, [range(first, first + count) for first, count in runs])

    def behind(manifest: Manifest) -> bytes:
        count = manifest.resources[0].layout.count
        return pieces.encode_query(0, [range(count, count + 1)])

    def ranges(*runs: tuple[int, int]) -> Callable[[Manifest], bytes]:
        return lambda manifest: pieces.encode_ranges(0, [range(first, first + count) for first, count in runs])

    def beyond(manifest: Manifest) -> bytes:
        size = manifest.resources[0].layout.size
        return pieces.encode_ranges(0, [range(size - 1, size + 1)])

    def joins(name: str, payload: bytes, *codes: str) -> Case:
        def run(connection: Connection) -> None:
            # A sender says who it is on a lane, too, and does not wait for the other side.
            expect_features(connection.next(FrameType.HELLO, within=PATIENCE).body, "lanes")
            connection.send(frame(JOIN, payload))
            expect_failure(connection, *codes)
        return Case(name, "Lanes: join", run)

    unexpected = "unexpectedFrame"
    return [
        Case("digests before the selection, in the order of the manifest", "digestQuery", surveys),
        fails("a query for digests of what was not offered", "digestQuery", offered, lambda _: digest_query("nothing"),
              unexpected, features=()),
        fails("a query for digests twice", "digestQuery", offered,
              lambda manifest: digest_query(manifest.resources[0].kind) * 2, unexpected, features=()),
        fails("a query for the same digests twice", "digestQuery", offered,
              lambda manifest: digest_query(*[manifest.resources[0].kind] * 2), unexpected, features=()),
        fails("a query for digests after the selection", "digestQuery", listed,
              lambda manifest: digest_query(manifest.resources[0].kind), unexpected, features=()),
        Case("a whole transfer of pieces, every chunk put together", "Pieces", takes_pieces),
        fails("a query without the feature", "Features", listed, query((0, 1)), unexpected, features=()),
        fails("a query before the digests", "Survey", offered, query((0, 1)), unexpected),
        fails("a query for nothing", "pieceQuery", listed, query(), unexpected, "invalidFrame"),
        fails("a query for a run of no chunks", "pieceQuery", listed, query((0, 0)), unexpected),
        fails("a query for chunks that are not there", "pieceQuery", listed, behind, unexpected),
        fails("a query whose runs overlap", "pieceQuery", listed, query((0, 1), (0, 1)), unexpected),
        fails("a query that is cut off", "pieceQuery", listed, lambda _: frame(FrameType.PIECE_QUERY, bytes(9)),
              "invalidFrame"),
        fails("a query that is too long", "Frames", listed, lambda _: frame(FrameType.PIECE_QUERY, length=8_197),
              "limitExceeded"),
        fails("the same query twice", "pieceQuery", listed, lambda manifest: query((0, 1))(manifest) * 2, unexpected),
        fails("a query after the request", "pieceQuery", listed,
              lambda manifest: wire.encode_request(0, [0]) + query((0, 1))(manifest), unexpected),
        fails("a request for bytes before the selection", "rangeRequest", offered, ranges((0, 1)), unexpected),
        fails("a request for no bytes", "rangeRequest", listed, ranges((0, 0)), unexpected),
        fails("a request for bytes beyond the end", "rangeRequest", listed, beyond, unexpected),
        fails("a request whose runs are too near to each other", "rangeRequest", listed, ranges((0, 1), (32, 1)),
              unexpected),
        fails("the same bytes twice", "rangeRequest", listed, lambda manifest: ranges((0, 1))(manifest) * 2, unexpected),
        fails("a request for bytes after the one for chunks", "rangeRequest", listed,
              lambda manifest: wire.encode_request(0, [0]) + ranges((0, 1))(manifest), unexpected),
        joins("a lane of no transfer", b'{"secret":"AAECAwQFBgcICQoLDA0ODw"}', unexpected),
        joins("a lane without a secret", b"{}", "invalidFrame"),
    ]


class _OfPieces(Receiver):
    """A receiver that wants to put every chunk of a map together from pieces."""

    has_looked = False

    def _look_for_pieces(self, arrival: Arrival) -> int:
        self.has_looked = True
        received = super()._look_for_pieces(arrival)
        if arrival.pending:
            raise Wrong(f"{len(arrival.pending)} chunks do not match when they are put together from its pieces")
        return received
