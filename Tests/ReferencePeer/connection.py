"""A connection: TCP, TLS on it, frames on that, and the keep-alive."""

from __future__ import annotations

import select
import socket
import time
from collections import deque
from typing import TextIO

from OpenSSL import SSL, crypto

import wire
from identity import Identity, peer_id
from wire import Frame, FrameType


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

    def __init__(self, tcp: socket.socket, identity: Identity, is_listener: bool) -> None:
        tcp.settimeout(wire.SILENCE_SECONDS)
        tcp.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.tcp = tcp
        self.identity = identity
        # TLS works on memory, so that one loop can wait for the socket, the clock and a person.
        self.tls = SSL.Connection(_context(identity), None)
        self.tls.set_accept_state() if is_listener else self.tls.set_connect_state()
        self.received = bytearray()
        self.frames: deque[Frame] = deque()
        self.has_preface = False
        self.allows_long = False
        self.is_connected = False
        self.has_hello = False
        self.heard = self.pinged = time.monotonic()
        self.ping = self.pong = 0
        """The numbers of the last ping that was sent and of the last pong that came."""
        self.peer = b""

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
        if self.tls.get_alpn_proto_negotiated() != wire.ALPN:
            raise NotSecured("notHikeshare", "no agreement on the application protocol")
        try:
            self.peer = peer_id(self.tls.get_peer_certificate().to_cryptography())
        except ValueError as error:
            raise NotSecured("identityMismatch", str(error)) from error
        if expected is not None and not self.peer.startswith(expected):
            raise NotSecured("notTrusted", "another peer than the one that is wanted answers here")
        self.send(wire.PREFACE)

    def _refuse_plain_text(self) -> None:
        """A listener that does not agree to TLS answers with the preface; no record of TLS begins like that."""
        try:
            beginning = self.tcp.recv(len(wire.PREFACE), socket.MSG_PEEK)
        except OSError as error:
            raise Lost(str(error)) from error
        if beginning == wire.PREFACE:
            raise NotSecured("encryptionMismatch", "the other side speaks plain text only")

    def say_last(self, frame: bytes) -> None:
        """Sends the last word of the session, waits for the other side to close, and closes."""
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

    def close(self) -> None:
        self.tcp.close()

    # Frames

    def send(self, data: bytes) -> None:
        self.tls.sendall(data)
        self._flush()

    def next(self, *types: FrameType, within: float) -> Frame:
        """Waits for a frame, which has to be one of some types."""
        deadline = time.monotonic() + within
        while not self.frames:
            self._advance(deadline)
        frame = self.frames.popleft()
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

    def _advance(self, deadline: float, person: TextIO | None = None) -> bool:
        """Waits for bytes, the next keep-alive or a person; returns whether the person has said something."""
        until = min(deadline, self.pinged + wire.KEEP_ALIVE_SECONDS) if self.is_connected else deadline
        others = [person] if person else []
        ready, _, _ = select.select([self.tcp, *others], [], [], max(0, until - time.monotonic()))
        if self.tcp in ready:
            self._read(deadline)
            self._collect()
        self._keep_alive()
        now = time.monotonic()
        if now > self.heard + wire.SILENCE_SECONDS and self.is_connected:
            raise Lost("the other side is silent")
        if now >= deadline:
            raise wire.ProtocolError("timedOut", "the other side took too long")
        return person is not None and person in ready

    def _keep_alive(self) -> None:
        if self.is_connected and time.monotonic() >= self.pinged + wire.KEEP_ALIVE_SECONDS:
            self.pinged = time.monotonic()
            self.ping += 1
            self.send(wire.encode_json(FrameType.PING, nonce=self.ping))

    def _collect(self) -> None:
        """Takes whole frames out of what was received; handles those that may come at any time."""
        self._decrypt()
        if not self.has_preface:
            length = min(len(self.received), len(wire.PREFACE))
            if self.received[:length] != wire.PREFACE[:length]:
                raise wire.ProtocolError("notHikeshare", "the other side does not speak this protocol")
            if length < len(wire.PREFACE):
                return
            del self.received[:length]
            self.has_preface = True
        while len(self.received) >= 8:
            type, length = wire.decode_header(bytes(self.received[:8]), self.allows_long)
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

    def _flush(self) -> None:
        try:
            while True:
                self.tcp.sendall(self.tls.bio_read(262_144))
        except SSL.WantReadError:
            pass
        except OSError as error:
            raise Lost(str(error)) from error


def _context(identity: Identity) -> SSL.Context:
    context = SSL.Context(SSL.TLS_METHOD)
    context.set_min_proto_version(SSL.TLS1_3_VERSION)
    context.set_options(SSL.OP_NO_TICKET)
    context.set_session_cache_mode(SSL.SESS_CACHE_OFF)
    context.set_alpn_protos([wire.ALPN])
    context.set_alpn_select_callback(
        lambda _, offered: wire.ALPN if wire.ALPN in offered else SSL.NO_OVERLAPPING_PROTOCOLS
    )
    context.use_privatekey(crypto.PKey.from_cryptography_key(identity.key))
    context.use_certificate(crypto.X509.from_cryptography(identity.certificate))
    # A certificate is required, but only its key counts: see `Connection.secure`.
    context.set_verify(SSL.VERIFY_PEER | SSL.VERIFY_FAIL_IF_NO_PEER_CERT, lambda *_: True)
    return context
