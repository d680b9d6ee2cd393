"""How a link comes about and is resumed: dialing, the test, the invitation, and the frame `link`, at both sides."""

from __future__ import annotations

import base64
import hmac
import secrets
import socket
from dataclasses import dataclass, field
from typing import Any, TextIO

from application import Application
from connecting import handshake
from connecting.connection import Connection, Lost
from connecting.identity import Identity
from connecting.invitation import TIMEOUT, Admission, Invitation
from formats import wire
from formats.wire import Frame, FrameType

WINDOW = 65_536
LONGEST_MESSAGE = 1 << 20
LINK_SECONDS = 30
TEST_SECONDS = 15


def random_text() -> str:
    """16 random bytes as an incarnation or a secret."""
    return base64.urlsafe_b64encode(secrets.token_bytes(16)).decode().rstrip("=")


@dataclass
class Meeting:
    """What this side knows of the one peer that it is linked with, or is going to be."""

    application: Application
    identity: Identity
    report: handshake.Report
    person: TextIO
    hosts: list[tuple[str, int]] = field(default_factory=list)
    expected: bytes = b""
    """How the id of the peer begins; the whole id once it is known."""
    token: str | None = None
    """What the link of the peer says."""
    own_token: str | None = None
    """What lets a peer in without digits, if this side listens."""
    takes_anyone: bool = False
    addresses: list[str] = field(default_factory=list)
    """Where this side listens."""
    types: list[str] = field(default_factory=list)
    """The messages and requests that this side reads, in version 1: others are not sent to it."""
    run: str = field(default_factory=random_text)
    peer_run: str | None = None
    epoch: int = 0
    connection_count: int = 0
    is_admitted: bool = False
    """Whether this side has accepted an invitation for which there is no link yet."""

    # This side dials

    def dial(self) -> Connection:
        """Opens a connection, which is not secured yet."""
        for host in list(self.hosts):
            try:
                tcp = socket.create_connection(host, timeout=3)
            except OSError:
                continue
            # The address that answers is the first one to try the next time.
            self.hosts.remove(host)
            self.hosts.insert(0, host)
            return Connection(tcp, self.identity, is_listener=False, application=self.application)
        raise Lost("no address answers")

    def invite(self, connection: Connection) -> None:
        """Asks for a first link, and has the two people compare digits if a side needs them."""
        self.expected, self.peer_run = connection.peer, connection.peer_run
        invitation = Invitation(connection, self.report, self.token, self.takes_anyone, self.person)
        asked = {
            "members": 1,
            "connectionCount": self.connection_count,
            "wish": 1,
            "takesAnyone": self.takes_anyone,
        }
        invitation.send(wire.VERSION, session=asked)
        # No manifest follows: the invitation was one to a link.
        connection.awaited.clear()
        invitation.confirm()
        self.epoch += 1

    def request(self, connection: Connection, received: int) -> dict[str, Any]:
        """Asks to carry the link over a connection; returns the terms of the other side."""
        if connection.peer_run != self.peer_run:
            raise wire.ProtocolError("failed", "the other program has been restarted")
        # The other side may send the bytes of streams right behind its answer.
        connection.awaited.add(FrameType.BYTES)
        connection.send(wire.encode_json(FrameType.LINK, **self._terms(self.connection_count, received)))
        answer = connection.next(FrameType.LINK, within=LINK_SECONDS).body
        if answer["epoch"] != self.epoch or answer["connectionCount"] <= self.connection_count:
            raise wire.unexpected("an answer for another link, or with a count that does not rise")
        self.connection_count = answer["connectionCount"]
        return answer

    # This side listens

    def admit(self, connection: Connection, invitation: dict[str, Any]) -> Frame:
        """Answers an invitation to a first link; returns the request for the link."""
        asked = invitation.get("session")
        if asked is None:
            raise handshake.Declined("other", "This peer offers no transfer.")
        self._check_count(asked)
        if self.epoch or self.expected:
            raise handshake.Declined("busy", "This peer is linked already.")
        admission = Admission(connection, self.report, self.person)
        if "token" in invitation:
            if self.own_token is None or not hmac.compare_digest(invitation["token"], self.own_token):
                raise handshake.Declined("link", "This share link is not valid.")
        elif not (self.takes_anyone and asked["takesAnyone"]) and not admission.is_mutual(invitation):
            admission.pair(wire.VERSION, min(invitation["timeout"], TIMEOUT))
        connection.awaited.add(FrameType.BYTES)
        connection.send(wire.encode_json(FrameType.ACCEPT))
        self.expected, self.peer_run, self.is_admitted = connection.peer, connection.peer_run, True
        return admission.next(FrameType.LINK)

    def check(self, connection: Connection, request: dict[str, Any]) -> None:
        """Declines a request for a link that there is no reason for."""
        if (connection.peer, connection.peer_run) != (self.expected, self.peer_run):
            raise handshake.Declined("notTrusted", "This peer has no link with another one.")
        self._check_count(request)
        if request["epoch"] < self.epoch:
            raise self._no("over", "That link has ended.")
        if request["epoch"] > self.epoch and not self.is_admitted:
            raise handshake.Declined("notTrusted", "There is no invitation for this link.")

    def _check_count(self, request: dict[str, Any]) -> None:
        if request["connectionCount"] < self.connection_count:
            raise self._no("crossed", "Another connection has carried the link since.")

    def _no(self, code: str, reason: str) -> handshake.Declined:
        return handshake.Declined(code, reason, connectionCount=self.connection_count, epoch=self.epoch)

    def answer(self, connection: Connection, request: dict[str, Any], received: int) -> None:
        """Lets a connection carry the link."""
        self.epoch, self.is_admitted = request["epoch"], False
        self.connection_count = max(self.connection_count, request["connectionCount"]) + 1
        connection.awaited.add(FrameType.BYTES)
        connection.send(wire.encode_json(FrameType.LINK, **self._terms(self.connection_count, received)))

    # Both

    def _terms(self, connection_count: int, received: int) -> dict[str, Any]:
        return {
            "epoch": self.epoch,
            "connectionCount": connection_count,
            "received": received,
            "window": WINDOW,
            "maximumMessageLength": LONGEST_MESSAGE,
            "messageTypes": [{"name": name, "version": 1} for name in self.types],
            "addresses": self.addresses,
        }

    def member(self, status: str, counter: int) -> dict[str, Any]:
        """What this side says of itself to the group."""
        return {
            "id": self.identity.id.hex(),
            "incarnation": self.run,
            "counter": counter,
            "status": status,
            "displayName": "Reference peer",
            "addresses": self.addresses,
            "links": [self.expected.hex()[:16]],
        }
