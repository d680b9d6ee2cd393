"""Cases that are the same for both roles: connection, frames, JSON, hello, and keep-alive."""

from __future__ import annotations

from typing import Any

from connecting.connection import Connection
from conformance.case import Case, Wrong, expect_close, expect_failure, expect_pong, frame, greet, hello
from formats import wire
from formats.wire import FrameType

PING, HELLO = FrameType.PING, FrameType.HELLO


def cases(role: str) -> list[Case]:
    """The cases in which this side has a role, and the implementation the other one."""

    def fails(name: str, section: str, *codes: str, hello_changes: dict[str, Any] | None = None,
              data: bytes | None = None, greets: bool = True) -> Case:
        def run(connection: Connection) -> None:
            if hello_changes is not None:
                connection.send(hello(connection, role, **hello_changes))
            elif greets:
                greet(connection, role)
            if data is not None:
                connection.send(data)
            expect_failure(connection, *codes)
        return Case(name, section, run)

    def pings(name: str, section: str, code: str, greets: bool = True, **header: int) -> Case:
        """A ping that may not come."""
        def run(connection: Connection) -> None:
            if greets:
                greet(connection, role)
            connection.ping += 1
            connection.send(frame(PING, b'{"nonce":%d}' % connection.ping, **header))
            try:
                expect_failure(connection, code)
            except Wrong as wrong:
                raise Wrong("it answers the ping") if connection.pong == connection.ping else wrong
        return Case(name, section, run)

    def in_hello(name: str, text: bytes, *codes: str) -> Case:
        """A key of hello that is not known, and written in a wrong way."""
        def run(connection: Connection) -> None:
            payload = hello(connection, role)[8:]
            connection.send(frame(HELLO, payload[:-1] + b"," + text + b"}"))
            expect_failure(connection, *codes)
        return Case(name, "JSON payloads", run)

    return [
        Case("the hello of the implementation has all keys", "hello", lambda connection: _keys(connection, role)),
        Case("unknown keys and features are ignored", "JSON payloads", lambda connection: _unknown(connection, role)),
        Case("unknown types from 0x80 on are skipped", "Frame types", lambda connection: _skipped(connection, role)),
        Case("a ping is answered with its number", "ping, pong", lambda connection: _ping(connection, role)),
        fails("another application", "hello", "otherApplication", hello_changes={"application": "other"}),
        fails("no version in common", "hello", "unsupportedVersion", hello_changes={"versions": [60_000]}),
        fails("another id than the certificate's", "hello", "identityMismatch", hello_changes={"peerID": "ab" * 32}),
        fails("both sides have the same role", "hello", "unexpectedFrame",
              hello_changes={"role": "listener" if role == "dialer" else "dialer"}),
        fails("a hello without a required key", "JSON payloads", "invalidFrame", hello_changes={"software": None}),
        fails("a hello with a value of another type", "JSON payloads", "invalidFrame", hello_changes={"platform": 7}),
        fails("a name that is too long", "Limits", "limitExceeded", hello_changes={"displayName": "x" * 64}),
        fails("a feature with a wrong name", "Features", "invalidFrame", hello_changes={"features": ["Wrong name"]}),
        pings("a ping before hello", "ping, pong", "unexpectedFrame", greets=False),
        fails("a pong without a ping", "ping, pong", "invalidFrame",
              data=wire.encode_json(FrameType.PONG, nonce=4_000_000_000)),
        Case("a second hello", "hello", lambda connection: _second_hello(connection, role)),
        pings("flags that are not 0", "Frames", "invalidFrame", flags=1),
        pings("reserved bytes that are not 0", "Frames", "invalidFrame", reserved=1),
        fails("an unknown type below 0x80", "Frame types", "invalidFrame", data=frame(0x7F, b"{}")),
        fails("a reserved type", "Frame types", "invalidFrame", data=frame(0x04, b"{}")),
        fails("a frame that is too long, before its payload comes", "Frames", "limitExceeded",
              data=frame(PING, length=65_537)),
        fails("a skipped frame that is too long", "Frame types", "limitExceeded", data=frame(0x90, length=65_537)),
        in_hello("a key twice", b'"x":1,"x":2', "invalidFrame"),
        in_hello("a key twice, once with escapes", b'"x":1,"\\u0078":2', "invalidFrame"),
        in_hello("a trailing comma", b'"x":[1,]', "invalidFrame"),
        in_hello("a comment", b'"x":1/**/', "invalidFrame"),
        in_hello("NaN", b'"x":NaN', "invalidFrame"),
        in_hello("a number with a fraction", b'"x":1.5', "invalidFrame"),
        in_hello("half of a surrogate pair", b'"x":"\\ud800"', "invalidFrame"),
        in_hello("what is no UTF-8", b'"x":"\xff"', "invalidFrame"),
        in_hello("an object that is nested too deep", b'"x":' + b"[" * 600 + b"]" * 600, "limitExceeded"),
        in_hello("a key that is too long", b'"' + b"k" * 1_001 + b'":1', "limitExceeded"),
        in_hello("too many values", b'"x":[' + b",".join([b"1"] * 16_400) + b"]", "limitExceeded"),
        Case("a payload with a byte order mark", "JSON payloads", lambda connection: _mark(connection, role)),
        Case("silence", "Keep-alive", lambda connection: _silence(connection, role)),
    ]


def _keys(connection: Connection, role: str) -> None:
    # The frame was checked against the table of keys when it was read.
    body = greet(connection, role)
    if body["role"] == role:
        raise Wrong(f"its role is {role}, too")
    expect_pong(connection)


def _unknown(connection: Connection, role: str) -> None:
    own = ["sessions"] if connection.run else []
    greet(connection, role, features=["org.example.unknown", *own], unknown={"deep": [1, {"er": None}]})
    expect_pong(connection)


def _skipped(connection: Connection, role: str) -> None:
    connection.send(frame(0x80, b"first of all"))
    greet(connection, role)
    connection.send(frame(0xFF, b"x" * 65_536))
    expect_pong(connection)


def _ping(connection: Connection, role: str) -> None:
    greet(connection, role)
    for _ in range(3):
        expect_pong(connection)


def _second_hello(connection: Connection, role: str) -> None:
    greet(connection, role)
    connection.send(hello(connection, role))
    expect_failure(connection, "unexpectedFrame")


def _mark(connection: Connection, role: str) -> None:
    connection.send(frame(HELLO, b"\xef\xbb\xbf" + hello(connection, role)[8:]))
    expect_failure(connection, "invalidFrame")


def _silence(connection: Connection, role: str) -> None:
    greet(connection, role)
    # Without this, pings would be answered. After 6 seconds without a byte, the connection counts as lost.
    connection.has_hello = False
    expect_close(connection)
