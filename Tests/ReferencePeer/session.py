"""What sender and receiver have in common: the handshake, and how a session ends."""

from __future__ import annotations

from typing import Any, Callable

import wire
from connection import Connection, Ended, Lost, NotSecured
from wire import FrameType

HANDSHAKE_SECONDS = 15
PAIRING_SECONDS = 5
OFFER_SECONDS = 600
BYTES_SECONDS = 60
DISK_SECONDS = 600

Report = Callable[..., None]
"""Tells the user what happens; takes a word for it and its details."""


class Declined(Exception):
    """This side says no."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code


class Stopped(Exception):
    """This side breaks the connection on purpose, as a test wants."""


def shake_hands(connection: Connection, role: str) -> int:
    """Exchanges `hello`; returns the version of the session."""
    connection.send(
        wire.encode_json(
            FrameType.HELLO,
            application=wire.APPLICATION,
            versions=[wire.VERSION],
            role=role,
            peerID=connection.identity.id.hex(),
            displayName="Reference peer",
            platform="Python",
            software="reference-peer 1",
            encryption="required",
            maximumResourceSize=wire.MAXIMUM_SIZE,
            features=[],
        )
    )
    hello = connection.next(FrameType.HELLO, within=HANDSHAKE_SECONDS).body
    if hello["application"] != wire.APPLICATION:
        raise wire.ProtocolError("otherApplication", f"the other side runs {hello['application']!r}")
    if wire.VERSION not in hello["versions"]:
        raise wire.ProtocolError("unsupportedVersion", "the two sides have no version in common")
    if bytes.fromhex(hello["peerID"]) != connection.peer or connection.peer == connection.identity.id:
        raise wire.ProtocolError("identityMismatch", "the peer id is not the certificate's, or one's own")
    if hello["role"] == role:
        raise wire.unexpected("both sides have the same role")
    connection.is_connected = True
    return wire.VERSION


def run(connection: Connection, expected: bytes | None, report: Report, work: Callable[[], Any]) -> bool:
    """Secures a connection and works on it; returns whether the transfer was completed."""
    try:
        connection.secure(expected)
        work()
        return True
    except Declined as error:
        connection.say_last(wire.encode_json(FrameType.DECLINE, code=error.code, reason=str(error)))
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
