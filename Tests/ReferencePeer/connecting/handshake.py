"""What sender and receiver have in common: the handshake, and how a connection ends."""

from __future__ import annotations

from typing import Any, Callable

from connecting.connection import Connection, Ended, Lost, NotSecured
from formats import wire
from formats.wire import FrameType

HANDSHAKE_SECONDS = 15
PAIRING_SECONDS = 5
OFFER_SECONDS = 600
BYTES_SECONDS = 60
DISK_SECONDS = 600

Report = Callable[..., None]
"""Tells the user what happens; takes a word for it and its details."""


class Declined(Exception):
    """This side says no."""

    def __init__(self, code: str, reason: str, **keys: Any) -> None:
        super().__init__(reason)
        self.code = code
        self.keys = keys


class Stopped(Exception):
    """This side breaks the connection on purpose, as a test wants."""


def shake_hands(connection: Connection, role: str, run: str | None = None, behind: bytes = b"") -> int:
    """Exchanges `hello`; returns the version of the connection.

    With `run`, the incarnation of this program, the feature `sessions` is named; both sides have to name it then.
    `behind` follows the own `hello` at once, with nothing between them, not even a `pong`.
    """
    optional = {"incarnation": run} if run else {}
    application = connection.application.name
    connection.send(
        wire.encode_json(
            FrameType.HELLO,
            application=application,
            versions=[wire.VERSION],
            role=role,
            peerID=connection.identity.id.hex(),
            displayName="Reference peer",
            platform="Python",
            software="reference-peer 1",
            encryption="required",
            maximumResourceSize=wire.MAXIMUM_SIZE,
            features=["sessions"] if run else ["pieces"],
            **optional,
        )
        + behind
    )
    hello = connection.next(FrameType.HELLO, within=HANDSHAKE_SECONDS).body
    if hello["application"] != application:
        raise wire.ProtocolError("otherApplication", f"the other side runs {hello['application']!r}")
    if wire.VERSION not in hello["versions"]:
        raise wire.ProtocolError("unsupportedVersion", "the two sides have no version in common")
    if bytes.fromhex(hello["peerID"]) != connection.peer or connection.peer == connection.identity.id:
        raise wire.ProtocolError("identityMismatch", "the peer id is not the certificate's, or one's own")
    if hello["role"] == role:
        raise wire.unexpected("both sides have the same role")
    if "sessions" in hello["features"] and "incarnation" not in hello:
        raise wire.invalid("sessions without an incarnation")
    if run and "sessions" not in hello["features"]:
        raise wire.ProtocolError("failed", "the other side has no sessions")
    connection.peer_run = hello.get("incarnation")
    connection.has_pieces = not run and "pieces" in hello["features"]
    connection.is_connected = True
    return wire.VERSION


def run(connection: Connection, expected: bytes | None, report: Report, work: Callable[[], Any]) -> bool:
    """Secures a connection and works on it; returns whether the transfer was completed."""

    def secure_and_work() -> None:
        connection.secure(expected)
        work()

    return end(connection, report, secure_and_work)


def end(connection: Connection, report: Report, work: Callable[[], Any]) -> bool:
    """Works on a connection and ends it as it must; returns whether the work was completed."""
    try:
        work()
        return True
    except Declined as error:
        connection.say_last(wire.encode_json(FrameType.DECLINE, code=error.code, reason=str(error), **error.keys))
        report("refused", code=error.code, message=str(error))
    except wire.ProtocolError as error:
        connection.say_last(wire.encode_json(FrameType.FAILURE, code=error.code, message=str(error)))
        report("refused", code=error.code, message=str(error))
    except NotSecured as error:
        report("refused", code=error.code, message=str(error))
    except Ended as error:
        report("ended", word=error.word, code=error.code, message=str(error))
    except Lost as error:
        report("lost", message=str(error))
    except Stopped:
        connection.break_off()
        report("stopped")
    finally:
        connection.close()
    return False
