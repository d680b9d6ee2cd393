"""The streams of a link: what each carries, in both directions, and how far each may go."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Callable

from formats import link_frames, wire
from formats.frame_types import FrameType
from formats.link_frames import BYTES, LONG_REQUESTS, MESSAGES, REQUESTS, Credit, End, Message, Open
from link.records import Records

FRAGMENT = 16_384
MOST_STREAMS = 128
MOST_WAITING = 16 << 20
MESSAGE_MARGIN = 1_024
REQUEST_WINDOW = 266_240
FORGOTTEN_AFTER = 1_024


@dataclass
class Stream:
    """A stream as one side sees it."""

    opening: Open
    is_own: bool
    send_limit: int
    receive_limit: int
    window: int
    waiting: bytearray = field(default_factory=bytearray)
    sent: int = 0
    received: int = 0
    is_ending: bool = False
    has_ended: bool = False
    has_peer_ended: bool = False
    message: bytearray = field(default_factory=bytearray)
    """The beginning of a message or of an entry that has not come whole."""

    @property
    def may_receive(self) -> bool:
        return not self.has_peer_ended and not (self.opening.is_one_way and self.is_own)

    @property
    def is_over(self) -> bool:
        one_way = self.opening.is_one_way
        return (self.has_ended or one_way and not self.is_own) and (self.has_peer_ended or one_way and self.is_own)


@dataclass(frozen=True)
class Event:
    """Something that happened to a stream."""

    stream: Stream
    message: Message | None = None
    data: bytes = b""
    end: End | None = None
    is_opening: bool = False


class Streams:
    """All streams of a link."""

    def __init__(self, records: Records, is_even: bool, window: int, longest_message: int) -> None:
        self.records = records
        self.window, self.longest_message = window, longest_message
        self.peer_window = self.peer_longest_message = 0
        self.is_even = is_even
        self.last_own, self.last_theirs = (0, -1) if is_even else (-1, 0)
        self.open: dict[int, Stream] = {}
        self.cancelled: deque[int] = deque(maxlen=FORGOTTEN_AFTER)
        self.raised: set[int] = set()
        """The streams whose limits the other side has not been told."""
        self.takes: Callable[[Open], bool] = lambda _: True
        self.receive_entries: Callable[[Stream], None] = lambda _: None
        """Takes the entries of a stream of requests that have come whole."""

    # What this side sends

    def begin(self, kind: int, name: str, is_one_way: bool = False, metadata: bytes = b"") -> Stream:
        self.last_own += 2
        opening = Open(self.last_own, kind, is_one_way, name, metadata)
        self.records.send(FrameType.OPEN, opening.encode())
        return self._add(opening, is_own=True)

    def _add(self, opening: Open, is_own: bool) -> Stream:
        if opening.kind == REQUESTS:
            send = window = REQUEST_WINDOW
        elif opening.kind in (MESSAGES, LONG_REQUESTS):
            send, window = self.peer_longest_message + MESSAGE_MARGIN, self.longest_message + MESSAGE_MARGIN
        else:
            send, window = self.peer_window, self.window
        stream = self.open[opening.stream] = Stream(opening, is_own, send, window, window)
        return stream

    def send_message(self, stream: Stream, message: Message) -> None:
        if len(message.payload) > self.peer_longest_message:
            raise ValueError("the other side does not take so long a message")
        data = message.encode()
        self.send(stream, len(data).to_bytes(4, "big") + data)

    def send(self, stream: Stream, data: bytes) -> None:
        if len(stream.waiting) + len(data) > MOST_WAITING:
            raise ValueError("too much waits for the other side")
        stream.waiting += data
        self.flow()

    def finish(self, stream: Stream) -> None:
        stream.is_ending = True
        self.flow()

    def cancel(self, stream: int, code: int, reason: str) -> None:
        """Ends both directions of a stream."""
        self.open.pop(stream, None)
        self.raised.discard(stream)
        self.cancelled.append(stream)
        self.records.send(FrameType.END, End(stream, code, reason).encode())

    def flow(self) -> None:
        """Sends what the limits allow, a fragment of each stream in turn."""
        moves = True
        while moves and not self.records.is_full:
            moves = False
            for stream in list(self.open.values()):
                moves = self._send_fragment(stream) or moves

    def _send_fragment(self, stream: Stream) -> bool:
        number = stream.opening.stream
        part = bytes(stream.waiting[: min(FRAGMENT, stream.send_limit - stream.sent)])
        if part:
            del stream.waiting[: len(part)]
            stream.sent += len(part)
            self.records.send(FrameType.BYTES, link_frames.encode_bytes(number, part))
        elif stream.is_ending and not stream.has_ended and not stream.waiting:
            stream.has_ended = True
            self.records.send(FrameType.END, End(number).encode())
            self._forget_if_over(stream)
        return bool(part)

    def _forget_if_over(self, stream: Stream) -> None:
        if stream.is_over:
            self.open.pop(stream.opening.stream, None)
            self.raised.discard(stream.opening.stream)

    # What the other side sends

    def receive_open(self, payload: bytes) -> list[Event]:
        opening = Open.decode(payload)
        if opening.stream % 2 == (0 if self.is_even else 1) or opening.stream <= self.last_theirs:
            raise wire.unexpected(f"the stream {opening.stream} is not the next one of the other side")
        self.last_theirs = opening.stream
        is_for_requests = opening.kind in (REQUESTS, LONG_REQUESTS)
        if len(self.open) >= MOST_STREAMS and not is_for_requests:
            self.cancel(opening.stream, link_frames.TOO_MANY, "There are too many streams.")
        elif not self.takes(opening):
            self.cancel(opening.stream, link_frames.NOTHING_TAKES_IT, "Nothing takes this stream.")
        else:
            return [Event(self._add(opening, is_own=False), is_opening=True)]
        return []

    def receive_bytes(self, payload: bytes) -> list[Event]:
        number, data = link_frames.decode_bytes(payload)
        stream = self._find(number)
        if stream is None:
            return []
        if not stream.may_receive:
            raise wire.unexpected(f"bytes behind the end of the stream {number}")
        stream.received += len(data)
        if stream.received > stream.receive_limit:
            raise wire.beyond_limit(f"more bytes of the stream {number} than allowed")
        # This side reads at once: the limit is what was read, and the window.
        stream.receive_limit = stream.received + stream.window
        self.raised.add(number)
        if stream.opening.kind == BYTES:
            return [Event(stream, data=data)]
        stream.message += data
        if stream.opening.kind != MESSAGES:
            self.receive_entries(stream)
            return []
        return [Event(stream, message=message) for message in self._whole_messages(stream)]

    def _whole_messages(self, stream: Stream) -> list[Message]:
        messages = []
        while len(stream.message) >= 4:
            length = int.from_bytes(stream.message[:4], "big")
            # Form, name and version are 68 bytes at most.
            if length > self.longest_message + 68:
                raise wire.beyond_limit(f"a message of {length} bytes")
            if len(stream.message) < 4 + length:
                break
            messages.append(Message.decode(bytes(stream.message[4 : 4 + length]), self.longest_message))
            del stream.message[: 4 + length]
        return messages

    def receive_end(self, payload: bytes) -> list[Event]:
        end = End.decode(payload)
        stream = self._find(end.stream)
        if stream is None:
            return []
        if stream.opening.kind in (REQUESTS, LONG_REQUESTS):
            raise wire.unexpected(f"an end of the stream {end.stream}, which carries requests")
        if end.code == link_frames.FINISHED:
            if not stream.may_receive or stream.message:
                raise wire.unexpected(f"an end of the stream {end.stream} that may not come now")
            stream.has_peer_ended = True
            self._forget_if_over(stream)
        else:
            self.open.pop(end.stream)
            self.raised.discard(end.stream)
        return [Event(stream, end=end)]

    def receive_credit(self, payload: bytes) -> None:
        credit = Credit.decode(payload)
        self.records.acknowledge(credit.received)
        for number, limit in credit.limits.items():
            if number in self.open:
                self.open[number].send_limit = max(self.open[number].send_limit, limit)
            elif number < 0 or number > max(self.last_own, self.last_theirs):
                raise wire.unexpected(f"a credit for the stream {number}, which was never open")
        self.flow()

    def _find(self, number: int) -> Stream | None:
        """The stream that a frame is for; none if this side has cancelled it."""
        if number not in self.open and number not in self.cancelled:
            raise wire.unexpected(f"a frame for the stream {number}, which is not open")
        return self.open.get(number)

    # Credits

    def credits(self) -> list[bytes]:
        """The frames that acknowledge all records and tell all limits that were raised."""
        numbers = sorted(self.raised)
        self.raised.clear()
        starts = range(0, max(1, len(numbers)), link_frames.MOST_CREDITS)
        parts = [numbers[start : start + link_frames.MOST_CREDITS] for start in starts]
        received = self.records.received
        return [
            wire.encode(FrameType.CREDIT, Credit(received, {n: self.open[n].receive_limit for n in part}).encode())
            for part in parts
        ]

    def repeat_credits(self) -> None:
        """Tells all limits again, because credits may have been lost with the last connection."""
        self.raised = set(self.open)
