"""The requests of both sides: two streams of each side carry them, and what is said about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable

from formats import wire
from formats.link_frames import LONG_REQUESTS, REQUESTS
from formats.request_entries import ANSWER, LONGEST_HEAD, LONGEST_SHORT, REFUSAL, REQUEST, WITHDRAWAL, Entry
from link.streams import Stream, Streams

MOST_UNANSWERED = 64


@dataclass(frozen=True)
class RequestEvent:
    """Something that happened to a request: an entry of the other side, and the name of the request."""

    entry: Entry
    name: str


class Requests:
    """The requests of a link that are not over."""

    def __init__(self, streams: Streams) -> None:
        self.streams = streams
        streams.receive_entries = self.receive
        self.happened: Callable[[RequestEvent], None] = lambda _: None
        self.own: dict[int, Stream] = {}
        """The streams of this side, by their kind; both are opened before the first request."""
        self.theirs: dict[int, Stream] = {}
        self.next = {REQUESTS: 2, LONG_REQUESTS: 1}
        self.last = {REQUESTS: 0, LONG_REQUESTS: 0}
        self.asked: dict[int, str] = {}
        """The names of the requests of this side that are not over."""
        self.unanswered: set[int] = set()
        """The requests of the other side that are not over."""
        self.withdrawn_early: set[int] = set()

    # What this side says

    def ask(self, name: str, version: int, payload: bytes) -> int:
        if not self.own:
            for kind in (REQUESTS, LONG_REQUESTS):
                self.own[kind] = self.streams.begin(kind, "")
        kind = _kind(Entry(REQUEST, 0, payload, name, version))
        number, self.next[kind] = self.next[kind], self.next[kind] + 2
        self.asked[number] = name
        self._send(self.own[kind], Entry(REQUEST, number, payload, name, version))
        return number

    def withdraw(self, number: int) -> None:
        if self.asked.pop(number, None) is not None:
            self._send(self.own[REQUESTS], Entry(WITHDRAWAL, number))

    def answer(self, number: int, payload: bytes) -> None:
        if number in self.unanswered:
            entry = Entry(ANSWER, number, payload)
            self._end(entry, _kind(entry))

    def refuse(self, number: int, cause: int, code: str = "", reason: str = "") -> None:
        if number in self.unanswered:
            self._end(Entry(REFUSAL, number, cause=cause, code=code, reason=reason), REQUESTS)

    def _end(self, entry: Entry, kind: int) -> None:
        self.unanswered.discard(entry.number)
        self._send(self.theirs[kind], entry)

    def _send(self, stream: Stream, entry: Entry) -> None:
        if len(entry.payload) > self.streams.peer_longest_message:
            raise ValueError("the other side does not take so long a request or answer")
        self.streams.send(stream, entry.encode())

    # What the other side says

    def opened(self, stream: Stream) -> None:
        kind = stream.opening.kind
        if kind in self.theirs or (kind == LONG_REQUESTS and REQUESTS not in self.theirs):
            raise wire.unexpected("a stream of requests that may not be opened now")
        self.theirs[kind] = stream

    def receive(self, stream: Stream) -> None:
        """Takes the entries that have come whole; the stream keeps the beginning of the next one."""
        is_short = stream.opening.kind == REQUESTS
        longest = LONGEST_SHORT if is_short else LONGEST_HEAD + self.streams.longest_message
        data = stream.message
        while len(data) >= 4:
            length = 4 + int.from_bytes(data[:4], "big")
            if length < 13:
                raise wire.invalid(f"an entry of {length} bytes")
            if length > longest:
                raise wire.beyond_limit(f"an entry of {length} bytes")
            if len(data) < length:
                break
            entry = Entry.decode(bytes(data[4:length]), self.streams.longest_message)
            del data[:length]
            if (entry.type in (ANSWER, REFUSAL)) != stream.is_own:
                raise wire.unexpected(f"an entry of the type {entry.type} in the wrong direction")
            if stream.is_own:
                self._ended(entry)
            elif entry.type == REQUEST:
                self._asked(entry, stream.opening.kind)
            else:
                self._withdrawn(entry, is_short)

    def _ended(self, entry: Entry) -> None:
        if not 0 < entry.number < self.next[_kind_of(entry.number)]:
            raise wire.unexpected(f"an answer to the request {entry.number}, which was never sent")
        name = self.asked.pop(entry.number, None)
        if name is not None:
            self.happened(RequestEvent(entry, name))

    def _asked(self, entry: Entry, kind: int) -> None:
        if _kind_of(entry.number) != kind or entry.number <= self.last[kind]:
            raise wire.unexpected(f"the request {entry.number} is not the next one of its stream")
        self.last[kind] = entry.number
        if entry.number in self.withdrawn_early:
            self.withdrawn_early.discard(entry.number)
            return
        self.unanswered.add(entry.number)
        if len(self.unanswered) > MOST_UNANSWERED:
            self.refuse(entry.number, cause=4)
            return
        self.happened(RequestEvent(entry, entry.name))

    def _withdrawn(self, entry: Entry, is_short: bool) -> None:
        kind = _kind_of(entry.number)
        is_early = entry.number > self.last[kind]
        if not is_short or (is_early and kind == REQUESTS) or len(self.withdrawn_early) >= 1_024:
            raise wire.unexpected(f"a withdrawal of the request {entry.number} that may not come here")
        if is_early:
            self.withdrawn_early.add(entry.number)
        elif entry.number in self.unanswered:
            self.unanswered.discard(entry.number)
            self.happened(RequestEvent(entry, ""))


def _kind(entry: Entry) -> int:
    """The kind of the stream that carries an entry of this length."""
    return REQUESTS if len(entry.encode()) <= LONGEST_SHORT else LONG_REQUESTS


def _kind_of(number: int) -> int:
    """The kind of the stream that carries the request with a number."""
    return LONG_REQUESTS if number % 2 else REQUESTS
