"""The invitation of a peer and the pairing that may follow, at both sides.

The dialer of a link has the receiver's part, and the listener the sender's.
"""

from __future__ import annotations

import secrets
import sys
from dataclasses import dataclass
from typing import Any, TextIO

from connecting import handshake, identity
from connecting.connection import Connection
from formats import wire
from formats.wire import FrameType

TIMEOUT = 60


@dataclass
class Invitation:
    """One invitation over a connection whose handshake is complete."""

    connection: Connection
    report: handshake.Report
    token: str | None = None
    takes_anyone: bool = False
    """Whether an answer without digits is enough; only for a link."""
    person: TextIO = sys.stdin
    has_paired: bool = False
    is_confirmed: bool = False
    """Whether the other side's person has compared the digits."""

    def send(self, version: int, **keys: Any) -> None:
        """Invites the other side and returns when it has accepted."""
        connection = self.connection
        knows_peer = connection.peer in connection.identity.trusted
        invitation = {"token": self.token} if self.token else {"pinned": knows_peer}
        connection.send(wire.encode_json(FrameType.INVITE, timeout=TIMEOUT, **invitation, **keys))
        # The manifest of a transfer follows `accept` at once, perhaps in the same bytes.
        connection.awaited.add(FrameType.MANIFEST)
        frame = connection.next(FrameType.PAIRING_COMMITMENT, FrameType.ACCEPT, within=TIMEOUT + 6)
        if frame.type == FrameType.PAIRING_COMMITMENT:
            if self.token:
                raise wire.unexpected("a pairing in spite of a token")
            self._pair(bytes.fromhex(frame.body["commitment"]), version)
            frame = connection.next(FrameType.PAIRING_CONFIRMATION, FrameType.ACCEPT, within=TIMEOUT + 6)
            if frame.type == FrameType.PAIRING_CONFIRMATION:
                self.is_confirmed = True
                connection.next(FrameType.ACCEPT, within=TIMEOUT + 6)
        elif not self.token and not knows_peer and not self.takes_anyone:
            raise wire.unexpected("an accept without digits")

    def _pair(self, commitment: bytes, version: int) -> None:
        connection = self.connection
        nonce = secrets.token_bytes(32)
        connection.send(wire.encode_json(FrameType.PAIRING_NONCE, nonce=nonce.hex()))
        reveal = connection.next(FrameType.PAIRING_REVEAL, within=handshake.PAIRING_SECONDS)
        theirs = bytes.fromhex(reveal.body["nonce"])
        if identity.commitment(theirs) != commitment:
            raise wire.ProtocolError("pairingMismatch", "the nonce is not the one of the commitment")
        self.has_paired = True
        digits = identity.digits(version, connection.identity.id, connection.peer, nonce, theirs)
        self.report("digits", digits=digits)

    def confirm(self) -> None:
        """Asks the person here whether the digits are the same, if there are any."""
        if not self.has_paired:
            return
        connection = self.connection
        if not connection.ask(self.person, within=handshake.OFFER_SECONDS):
            raise handshake.Declined("declined", "The receiver said no.")
        connection.send(wire.encode_json(FrameType.PAIRING_CONFIRMATION))
        if self.is_confirmed:
            connection.identity.trust(connection.peer)


@dataclass
class Admission:
    """The answer to an invitation, at the side that listens."""

    connection: Connection
    report: handshake.Report
    person: TextIO = sys.stdin
    is_confirmed: bool = False
    """Whether the person here has compared the digits, and the other one has not confirmed them yet."""

    def is_mutual(self, invitation: dict[str, Any]) -> bool:
        """Whether both sides have pinned each other."""
        return invitation.get("pinned", False) and self.connection.peer in self.connection.identity.trusted

    def pair(self, version: int, seconds: int) -> None:
        """Shows the digits and asks the person here whether they are the same."""
        connection = self.connection
        nonce = secrets.token_bytes(32)
        commitment = identity.commitment(nonce).hex()
        connection.send(wire.encode_json(FrameType.PAIRING_COMMITMENT, commitment=commitment))
        frame = connection.next(FrameType.PAIRING_NONCE, within=handshake.PAIRING_SECONDS)
        theirs = bytes.fromhex(frame.body["nonce"])
        connection.send(wire.encode_json(FrameType.PAIRING_REVEAL, nonce=nonce.hex()))
        digits = identity.digits(version, connection.peer, connection.identity.id, theirs, nonce)
        self.report("digits", digits=digits)
        if not connection.ask(self.person, within=seconds):
            raise handshake.Declined("declined", "The sender said no.")
        connection.send(wire.encode_json(FrameType.PAIRING_CONFIRMATION))
        self.is_confirmed = True

    def next(self, *types: FrameType) -> wire.Frame:
        """Waits for the other person's answer, before which that person may confirm the digits."""
        frame = self.connection.next(FrameType.PAIRING_CONFIRMATION, *types, within=handshake.OFFER_SECONDS)
        if frame.type != FrameType.PAIRING_CONFIRMATION:
            return frame
        if not self.is_confirmed:
            raise wire.unexpected("a confirmation without a pairing")
        self.is_confirmed = False
        self.connection.identity.trust(self.connection.peer)
        return self.connection.next(*types, within=handshake.OFFER_SECONDS)
