"""A connection: TCP, TLS on it, frames on that, and the keep-alive."""

from __future__ import annotations

import contextlib
import select
import socket
import struct
import time
from collections import deque
from typing import Any, TextIO

from OpenSSL import SSL, crypto

from application import HIKESHARE, Application
from connecting.identity import Identity, peer_id
from formats import wire
from formats.wire import Frame, FrameType


class Lost(Exception):
    """The connection ended without a last word."""


class Ended(Exception):
    """The other side said its last word: `cancel`, `failure` or `decline`."""

    def __init__(self, frame: Frame) -> None:
        self.word = frame.type.name.lower()
        self.code = frame.body.get("code", "cancelled")
        super().__init__(frame.body.get("message") or frame.body.get("reason", ""))


class NotSecured(Exception):
    """TLS did not come about as it must, or with another peer: nothing is said to the other side."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


LAST_WORDS = (FrameType.CANCEL, FrameType.FAILURE, FrameType.DECLINE)


class Connection:
    """Frames in both directions. While it waits for anything, it keeps the connection alive."""

    def __init__(
        self, tcp: socket.socket, identity: Identity, is_listener: bool, application: Application = HIKESHARE
    ) -> None:
        tcp.settimeout(wire.SILENCE_SECONDS)
        tcp.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.tcp, self.identity, self.application = tcp, identity, application
        # TLS works on memory, so that one loop can wait for the socket, the clock and a person.
        self.tls = SSL.Connection(_context(identity, application.alpn), None)
        self.tls.set_accept_state() if is_listener else self.tls.set_connect_state()
        self.received = bytearray()
        self.frames: deque[Frame] = deque()
        self.has_preface = False
        self.awaited: set[FrameType] = set()
        """The types whose long frames are legal now."""
        self.is_connected = self.is_broken = False
        """Whether both `hello`s are through, and whether nothing can be sent any more."""
        self.has_hello = False
        self.heard = self.pinged = time.monotonic()
        self.ping = self.pong = 0
        """The numbers of the last ping that was sent and of the last pong that came."""
        self.run: str | None = None
        """The incarnation of this side's program, if it has sessions."""
        self.peer = b""
        self.peer_run: str | None = None
        """The incarnation of the other side's program, if it has sessions."""
        self.place: int | None = None
        """The place of this receiver among those that the sender serves, once it may be told; 0 before it is."""
        self.has_pieces = False
        """Whether both sides look for pieces and list them."""

    # Opening and closing

    def secure(self, expected: bytes | None) -> None:
        """Completes the TLS handshake; checks how the peer's id begins if one is expected."""
        deadline = time.monotonic() + 5
        while True:
            try:
                self.tls.do_handshake()
                break
            except SSL.WantReadError:
                self._flush()
                self._refuse_plain_text()
                self._read(deadline)
            except SSL.Error as error:
                self._flush()
                raise NotSecured("notHikeshare", f"TLS failed: {error}") from error
        self._flush()
        if self.tls.get_alpn_proto_negotiated() != self.application.alpn:
            raise NotSecured("notHikeshare", "no agreement on the application protocol")
        try:
            self.peer = peer_id(self.tls.get_peer_certificate().to_cryptography())
        except ValueError as error:
            raise NotSecured("identityMismatch", str(error)) from error
        if expected is not None and not self.peer.startswith(expected):
            raise NotSecured("notTrusted", "another peer than the one that is wanted answers here")
        self.send(self.application.preface)

    def _refuse_plain_text(self) -> None:
        """A listener that does not agree to TLS answers with the preface; no record of TLS begins like that."""
        try:
            beginning = self.tcp.recv(len(self.application.preface), socket.MSG_PEEK)
        except OSError as error:
            raise Lost(str(error)) from error
        if beginning == self.application.preface:
            raise NotSecured("encryptionMismatch", "the other side speaks plain text only")

    def say_last(self, frame: bytes) -> None:
        """Sends the last word of the connection, waits for the other side to close, and closes."""
        self.is_connected = False
        deadline = time.monotonic() + wire.CLOSING_SECONDS
        try:
            self.send(frame)
            while True:
                self._read(deadline)
                self._decrypt()
        except (Lost, OSError, SSL.Error, wire.ProtocolError):
            self.close()

    def break_off(self) -> None:
        """Ends the connection without a last word, when the other side has everything that was sent."""
        deadline = time.monotonic() + wire.CLOSING_SECONDS
        try:
            self.tcp.shutdown(socket.SHUT_WR)
            while True:
                self._read(deadline)
        except (Lost, OSError):
            self.close()

    def reset(self) -> None:
        """Breaks the connection so that both sides lose what is on the way."""
        self.tcp.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.tcp.close()

    def close(self) -> None:
        self.tcp.close()

    # Frames

    def send(self, data: bytes) -> None:
        self.tls.sendall(data)
        self._flush()

    def next(self, *types: FrameType, within: float) -> Frame:
        """Waits for a frame, which has to be one of some types."""
        deadline = time.monotonic() + within
        while True:
            while not self.frames:
                self._advance(deadline)
            frame = self.frames.popleft()
            if frame.type != FrameType.TURN or self.place is None:
                break
            if frame.body["place"] > frame.body["count"]:
                raise wire.beyond_limit("a place behind the last one")
            self.place = frame.body["place"]
        if frame.type not in types:
            raise wire.unexpected(f"{frame.type.name} may not come now")
        return frame

    def ask(self, person: TextIO, within: float) -> bool:
        """Waits until a person has said `yes` or something else; the other side has nothing to say meanwhile."""
        deadline = time.monotonic() + within
        while not self._advance(deadline, person):
            if self.frames:
                raise wire.unexpected(f"{self.frames[0].type.name} may not come now")
        return person.readline().strip() == "yes"

    def poll(self) -> None:
        """Reads what has come, without waiting."""
        if select.select([self.tcp], [], [], 0)[0]:
            self._read(time.monotonic() + 1)
            self._collect()
        self._keep_alive()

    def test(self, within: float) -> None:
        """Sends a ping of its own and waits for the pong."""
        deadline = time.monotonic() + within
        self._ping()
        while self.pong < self.ping:
            self._advance(deadline)
            if self.frames:
                raise wire.unexpected(f"{self.frames[0].type.name} may not come before the pong")

    def wait(self, others: list[Any], until: float) -> list[Any]:
        """Waits for bytes, the next keep-alive, a time, or until others can be read; returns which of them can."""
        until = min(until, self.pinged + wire.KEEP_ALIVE_SECONDS) if self.is_connected else until
        ready, _, _ = select.select([self.tcp, *others], [], [], max(0, until - time.monotonic()))
        if self.tcp in ready:
            self._read(time.monotonic() + 1)
            self._collect()
        self._keep_alive()
        if time.monotonic() > self.heard + wire.SILENCE_SECONDS and self.is_connected:
            raise Lost("the other side is silent")
        return [other for other in others if other in ready]

    def _advance(self, deadline: float, person: TextIO | None = None) -> bool:
        """Waits for bytes, the next keep-alive or a person; returns whether the person has said something."""
        ready = self.wait([person] if person else [], deadline)
        if time.monotonic() >= deadline:
            raise wire.ProtocolError("timedOut", "the other side took too long")
        return bool(ready)

    def _keep_alive(self) -> None:
        if self.is_connected and time.monotonic() >= self.pinged + wire.KEEP_ALIVE_SECONDS:
            self._ping()

    def _ping(self) -> None:
        self.pinged = time.monotonic()
        self.ping += 1
        self.send(wire.encode_json(FrameType.PING, nonce=self.ping))

    def _collect(self) -> None:
        """Takes whole frames out of what was received; handles those that may come at any time."""
        self._decrypt()
        if not self.has_preface:
            preface = self.application.preface
            length = min(len(self.received), len(preface))
            if self.received[:length] != preface[:length]:
                raise wire.ProtocolError("notHikeshare", "the other side does not speak this protocol")
            if length < len(preface):
                return
            del self.received[:length]
            self.has_preface = True
        while len(self.received) >= 8:
            type, length = wire.decode_header(bytes(self.received[:8]), self.awaited)
            if len(self.received) < 8 + length:
                return
            payload = bytes(self.received[8 : 8 + length])
            del self.received[: 8 + length]
            if type < wire.FIRST_SKIPPED_TYPE:
                self._take(wire.decode(FrameType(type), payload))

    def _take(self, frame: Frame) -> None:
        if frame.type in LAST_WORDS:
            raise Ended(frame)
        self.has_hello = self.has_hello or frame.type == FrameType.HELLO
        if frame.type == FrameType.PING and self.has_hello:
            self.send(wire.encode_json(FrameType.PONG, nonce=frame.body["nonce"]))
        elif frame.type == FrameType.PONG and self.has_hello:
            if not self.pong < frame.body["nonce"] <= self.ping:
                raise wire.invalid("a pong without a ping")
            self.pong = frame.body["nonce"]
        else:
            self.frames.append(frame)

    # Bytes

    def _read(self, deadline: float) -> None:
        if not select.select([self.tcp], [], [], max(0, deadline - time.monotonic()))[0]:
            raise Lost("the other side took too long")
        try:
            data = self.tcp.recv(262_144)
        except OSError as error:
            raise Lost(str(error)) from error
        if not data:
            raise Lost("the connection ended")
        self.heard = time.monotonic()
        self.tls.bio_write(data)

    def _decrypt(self) -> None:
        while True:
            try:
                self.received += self.tls.recv(262_144)
            except SSL.WantReadError:
                return
            except SSL.ZeroReturnError as error:
                raise Lost("the connection ended") from error
            except SSL.Error as error:
                raise Lost(f"TLS failed: {error}") from error

    def _flush(self) -> None:
        try:
            while True:
                self.tcp.sendall(self.tls.bio_read(262_144))
        except SSL.WantReadError:
            return
        except OSError as error:
            self._read_rest()
            raise Lost(str(error)) from error

    def _read_rest(self) -> None:
        """Looks for a last word, which the other side may have said before it closed."""
        if self.is_broken:
            return
        self.is_broken = True
        with contextlib.suppress(OSError):
            self.tcp.setblocking(False)
            while data := self.tcp.recv(262_144):
                self.tls.bio_write(data)
        self._collect()


def _context(identity: Identity, alpn: bytes) -> SSL.Context:
    context = SSL.Context(SSL.TLS_METHOD)
    context.set_min_proto_version(SSL.TLS1_3_VERSION)
    context.set_options(SSL.OP_NO_TICKET)
    context.set_session_cache_mode(SSL.SESS_CACHE_OFF)
    context.set_alpn_protos([alpn])
    context.set_alpn_select_callback(lambda _, offered: alpn if alpn in offered else SSL.NO_OVERLAPPING_PROTOCOLS)
    context.use_privatekey(crypto.PKey.from_cryptography_key(identity.key))
    context.use_certificate(crypto.X509.from_cryptography(identity.certificate))
    # A certificate is required, but only its key counts: see `Connection.secure`.
    context.set_verify(SSL.VERIFY_PEER | SSL.VERIFY_FAIL_IF_NO_PEER_CERT, lambda *_: True)
    return context
