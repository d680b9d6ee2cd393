"""What two applications say to each other over a link: messages, requests and their answers, and streams of bytes."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from connecting import handshake
from formats import link_frames, wire
from formats.frame_types import FrameType
from formats.link_frames import BYTES, LONG_REQUESTS, MESSAGES, NOTHING_TAKES_IT, REQUESTS, Droppable, Message, Open
from formats.request_entries import ANSWER, REQUEST, WITHDRAWAL
from link.requests import RequestEvent, Requests
from link.streams import Event, Stream, Streams

CHANNEL = "main"
LONGEST_PATTERN = 8 << 20


class Conversation:
    """The application at this side: answers as it was told, sends streams back, reports everything."""

    def __init__(self, streams: Streams, report: handshake.Report, answers: dict[str, str]) -> None:
        """`answers` has the JSON that requests of each name are answered with."""
        self.streams, self.report, self.answers = streams, report, answers
        streams.takes = self._takes
        self.requests = Requests(streams)
        self.requests.happened = self._happened_to_request
        self.channel: Stream | None = None
        self.digests: dict[int, Any] = {}

    # What comes

    def _takes(self, opening: Open) -> bool:
        if opening.kind == MESSAGES:
            return opening.name == CHANNEL
        return True

    def happened(self, events: list[Event]) -> None:
        for event in events:
            kind = event.stream.opening.kind
            if kind in (REQUESTS, LONG_REQUESTS):
                self.requests.opened(event.stream)
            elif kind == BYTES:
                self._happened_to_bytes(event)
            elif event.message:
                self.report_message("message", event.message)
            elif event.end and event.end.code:
                name = event.stream.opening.name
                self.report("streamRefused", name=name, code=event.end.code, reason=event.end.reason)

    def _happened_to_request(self, event: RequestEvent) -> None:
        entry = event.entry
        if entry.type == REQUEST:
            self.report_message("request", Message(entry.payload, entry.name, entry.version))
            if entry.name in self.answers:
                self.requests.answer(entry.number, self.answers[entry.name].encode())
            else:
                self.requests.refuse(entry.number, NOTHING_TAKES_IT)
        elif entry.type == ANSWER:
            self.report("answer", request=event.name, body=json.loads(entry.payload))
        elif entry.type != WITHDRAWAL:
            self.report("requestRefused", name=event.name, cause=entry.cause, code=entry.code, reason=entry.reason)

    def _happened_to_bytes(self, event: Event) -> None:
        """Counts and digests what comes; sends it back if the other side has opened the stream."""
        opening = event.stream.opening
        if event.is_opening:
            self.report("streamOpened", name=opening.name, metadata=opening.metadata.hex())
        digest = self.digests.setdefault(opening.stream, hashlib.sha256())
        digest.update(event.data)
        echoes = not event.stream.is_own and not opening.is_one_way
        if event.data and echoes:
            self.streams.send(event.stream, event.data)
        if event.end:
            del self.digests[opening.stream]
            self.report(
                "streamEnded", name=opening.name, code=event.end.code, length=event.stream.received,
                digest=digest.hexdigest(), isOwn=event.stream.is_own,
            )
            if echoes and not event.end.code:
                self.streams.finish(event.stream)

    def report_message(self, event: str, message: Message, **details: Any) -> None:
        body = json.loads(message.payload) if message.name else message.payload.hex()
        self.report(event, name=message.name, version=message.version, body=body, **details)

    # What commands say

    def do_say(self, name: str, body: Any, version: int = 1) -> None:
        """Sends a message on the only channel."""
        if self.channel is None:
            self.channel = self.streams.begin(MESSAGES, CHANNEL, is_one_way=True)
        self.streams.send_message(self.channel, _json_message(name, version, body))

    def do_drop(self, name: str, body: Any, key: str = "") -> None:
        """Sends a message that may be lost."""
        droppable = Droppable(CHANNEL, key, _json_message(name, 1, body))
        self.streams.records.send_aside(wire.encode(FrameType.DROPPABLE, droppable.encode()))

    def do_ask(self, name: str, body: Any, version: int = 1) -> None:
        """Sends a request."""
        self.requests.ask(link_frames.link_name(name), version, _json_message(name, version, body).payload)

    def do_stream(self, name: str, length: int) -> None:
        """Opens a stream, sends a pattern of a length and ends this direction."""
        if length > LONGEST_PATTERN:
            raise ValueError("so many bytes are not kept")
        stream = self.streams.begin(BYTES, name)
        pattern = bytes(range(251)) * (length // 251 + 1)
        self.streams.send(stream, pattern[:length])
        self.streams.finish(stream)
        self.report("streamSent", name=name, digest=hashlib.sha256(pattern[:length]).hexdigest())


def _json_message(name: str, version: int, body: Any) -> Message:
    payload = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
    return Message(payload, link_frames.link_name(name), version)
