"""What a case of the conformance kit is, and how its outcome is read."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Callable, Iterable

from connecting.connection import Connection, Ended, Lost
from formats import wire
from formats.wire import FrameType


PATIENCE = 60
"""How many seconds an answer may take that needs none; a busy machine must not fail a case."""


class Wrong(Exception):
    """The implementation does something else than the page says."""


class Lacking(Exception):
    """The implementation does not name the features that a case needs, so the case says nothing about it."""

    def __init__(self, features: Iterable[str]) -> None:
        super().__init__(f"it does not name the feature {' or '.join(features)}")


@dataclass(frozen=True)
class Case:
    """One question to the implementation."""

    name: str
    section: str
    """The heading with the rule; of WireFormat.md, if no page is named before it."""
    run: Callable[[Connection], None]


def hello(connection: Connection, own_role: str, /, **changes: Any) -> bytes:
    """A hello; keys may be changed, and left out with None."""
    body: dict[str, Any] = {
        "application": connection.application.name,
        "versions": [wire.VERSION],
        "role": own_role,
        "peerID": connection.identity.id.hex(),
        "displayName": "Conformance",
        "platform": "Python",
        "software": "conformance 1",
        "encryption": "required",
        "maximumResourceSize": wire.MAXIMUM_SIZE,
        "features": ["sessions"] if connection.run else [],
        "incarnation": connection.run,
    } | changes
    return wire.encode_json(FrameType.HELLO, **{key: value for key, value in body.items() if value is not None})


def greet(connection: Connection, own_role: str, /, **changes: Any) -> dict[str, Any]:
    """Exchanges `hello`; returns what the other side says of itself."""
    connection.send(hello(connection, own_role, **changes))
    body = connection.next(FrameType.HELLO, within=PATIENCE).body
    if bytes.fromhex(body["peerID"]) != connection.peer:
        raise Wrong("its hello has another id than its certificate")
    connection.is_connected = True
    return body


def expect_features(body: dict[str, Any], *features: str) -> None:
    """Ends the case unless the hello of the implementation names all of the features."""
    if missing := [feature for feature in features if feature not in body["features"]]:
        raise Lacking(missing)


def expect_pong(connection: Connection, within: float = PATIENCE) -> None:
    """Sends a ping and waits for its pong, whatever comes before."""
    connection._ping()
    deadline = time.monotonic() + within
    while connection.pong < connection.ping:
        connection._advance(deadline)


def expect_failure(connection: Connection, *codes: str, within: float = PATIENCE) -> None:
    """Waits until the connection ends with `failure` and one of the codes."""
    ended = expect_end(connection, within)
    if ended.word != "failure" or ended.code not in codes:
        raise Wrong(f"it ends the connection with {ended.word} {ended.code}, not with failure {' or '.join(codes)}")


def expect_end(connection: Connection, within: float = PATIENCE) -> Ended:
    """Waits for the last word of the other side, whatever it says before."""
    deadline = time.monotonic() + within
    connection.is_connected = False
    try:
        while True:
            connection.next(*FrameType, within=deadline - time.monotonic())
    except Ended as ended:
        return ended
    except Lost as lost:
        raise Wrong("it closes the connection without a last word") from lost
    except wire.ProtocolError as error:
        if error.code == "timedOut":
            raise Wrong(f"it does not end the connection within {within} s") from error
        raise


def expect_close(connection: Connection, within: float = PATIENCE, after_last_word: bool = False) -> None:
    """Waits until the other side closes; after this side's last word, it must not complain."""
    try:
        ended = expect_end(connection, within)
    except Wrong as wrong:
        if "does not end" in str(wrong):
            raise
        return
    if after_last_word and ended.word == "failure":
        raise Wrong(f"it answers the last word with failure {ended.code}")


def frame(type: int, payload: bytes = b"", flags: int = 0, reserved: int = 0, length: int | None = None) -> bytes:
    """A frame of any type, right or wrong."""
    size = len(payload) if length is None else length
    return bytes([type, flags]) + reserved.to_bytes(2, "big") + size.to_bytes(4, "big") + payload
