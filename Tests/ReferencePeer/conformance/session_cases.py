"""Cases for a program with sessions: the kit dials it with its share link, and becomes a peer with a link."""

from __future__ import annotations

import io
import json
import struct
import time
from typing import Any, Callable

from connecting import handshake
from connecting.connection import Connection, Ended
from conformance.case import Case, Wrong, expect_close, expect_end, expect_failure, expect_pong, frame, hello
from conformance.linked import Linked, message
from formats import wire
from formats.link_frames import BYTES, CANCELLED, LONG_REQUESTS, MESSAGES, REQUESTS, Credit, Droppable, End, Message
from formats.request_entries import ANSWER, LONGEST_SHORT, REFUSAL, REQUEST, WITHDRAWAL, Entry
from formats.share_links import ShareLink, encode
from formats.wire import FrameType
from link.meeting import TEST_SECONDS, Meeting

SETTLE_SECONDS = 0.5
"""How long a peer waits before it resumes a link that it has broken."""


def cases(named: ShareLink, dial: Callable[[], Connection]) -> list[Case]:
    """The cases; `dial` opens another connection with the key of the last one."""

    def meet(connection: Connection, meeting: Meeting | None = None) -> Meeting:
        """Exchanges `hello` and tests the connection."""
        if meeting is None:
            meeting = Meeting(named.application, connection.identity, lambda *_, **__: None, io.StringIO())
            meeting.token = encode(named.token)
        handshake.shake_hands(connection, "dialer", meeting.run)
        connection.test(TEST_SECONDS)
        return meeting

    def linked(connection: Connection) -> Linked:
        meeting = meet(connection)
        meeting.invite(connection)
        return Linked(connection, meeting, meeting.request(connection, 0))

    def resumed(link: Linked, received: int | None = None) -> Linked:
        """Breaks the connection of a link, and lets another one carry it."""
        link.connection.reset()
        time.sleep(SETTLE_SECONDS)
        connection = dial()
        meet(connection, link.meeting)
        terms = link.meeting.request(connection, link.received if received is None else received)
        return Linked(connection, link.meeting, terms, link.received)

    def fails(name: str, section: str, data: Callable[[Linked], bytes], *codes: str) -> Case:
        """Something that ends a link."""
        def run(connection: Connection) -> None:
            link = linked(connection)
            connection.send(data(link))
            expect_failure(connection, *codes)
        return Case(name, section, run)

    def before(name: str, section: str, data: bytes | Callable[[Meeting], bytes], last: str) -> Case:
        """Something before there is a link."""
        def run(connection: Connection) -> None:
            meeting = meet(connection)
            connection.send(data(meeting) if callable(data) else data)
            ended = expect_end(connection)
            if f"{ended.word} {ended.code}" not in last.split(" or "):
                raise Wrong(f"it ends the connection with {ended.word} {ended.code}, not with {last}")
        return Case(name, section, run)

    def goes_on(name: str, section: str, run: Callable[[Linked], None]) -> Case:
        def work(connection: Connection) -> None:
            link = linked(connection)
            run(link)
            expect_pong(link.connection)
            link.connection.send(wire.encode_json(FrameType.CANCEL, reason=""))
            expect_close(link.connection, after_last_word=True)
        return Case(name, section, work)

    def request_link(meeting: Meeting, epoch: int = 1, **changes: Any) -> bytes:
        meeting.epoch = epoch
        return wire.encode_json(FrameType.LINK, **(meeting._terms(0, 0) | changes))

    def invitation(**changes: Any) -> Callable[[Meeting], bytes]:
        session = {"members": 1, "connectionCount": 0, "wish": 1, "takesAnyone": False} | changes
        session = {key: value for key, value in session.items() if value is not None}
        return lambda meeting: wire.encode_json(FrameType.INVITE, timeout=30, token=meeting.token, session=session)

    def no_run(connection: Connection) -> None:
        connection.send(hello(connection, "dialer", incarnation=None))
        expect_failure(connection, "invalidFrame")

    def second_invitation(connection: Connection) -> None:
        meeting = meet(connection)
        meeting.invite(connection)
        connection.send(invitation()(meeting))
        expect_failure(connection, "unexpectedFrame")

    def wrong_terms(connection: Connection) -> None:
        meeting = meet(connection)
        meeting.invite(connection)
        connection.send(request_link(meeting, window=1_000))
        expect_failure(connection, "limitExceeded", "invalidFrame")

    def acknowledges(link: Linked) -> None:
        link.connection.send(link.open() + link.bytes(b"x") + link.end(CANCELLED))
        link.expect_credit(3)

    def skips(link: Linked) -> None:
        link.connection.send(frame(0x80, b"later") + link.open() + frame(0xFE) + link.end(CANCELLED))
        link.expect_credit(2)

    def open_requests(link: Linked) -> bytes:
        return link.open(REQUESTS, "") + link.open(LONG_REQUESTS, "", at=1)

    def entry(type: int, number: int, **parts: Any) -> bytes:
        return Entry(type, number, **parts).encode()

    def nothing(number: int, length: int = 2) -> bytes:
        """A request that nothing answers."""
        return entry(REQUEST, number, name="org.example.nothing", version=1, payload=b"{}".ljust(length))

    def entries(*data: bytes, at: int = 0) -> Callable[[Linked], bytes]:
        return lambda link: open_requests(link) + b"".join(link.bytes(part, at) for part in data)

    def nothing_takes_it(link: Linked) -> None:
        # In pieces of some bytes, and all in one.
        data = nothing(2) + nothing(4)
        link.connection.send(open_requests(link) + b"".join(link.bytes(part) for part in _parts(data, 5)) + link.bytes(nothing(6)))
        link.expect_refusals(2, 4, 6)

    def long_request(link: Linked) -> None:
        longest = link.terms["maximumMessageLength"]
        data = nothing(1, longest)
        link.connection.send(open_requests(link) + b"".join(link.bytes(part, at=1) for part in _parts(data, 65_536)))
        link.expect_refusals(1)

    def withdrawals(link: Linked) -> None:
        # What is over may be withdrawn, and a long request before all of it has come.
        link.connection.send(open_requests(link) + link.bytes(nothing(2)))
        link.expect_refusals(2)
        link.connection.send(link.bytes(entry(WITHDRAWAL, 2)) + link.bytes(nothing(1, 5_000)[:300], at=1)
                             + link.bytes(entry(WITHDRAWAL, 1)) + link.bytes(nothing(1, 5_000)[300:] + nothing(3, 5_000), at=1))
        link.expect_refusals(3)

    def many_requests(link: Linked) -> None:
        numbers = range(2, 402, 2)
        link.connection.send(open_requests(link) + link.bytes(b"".join(map(nothing, numbers))))
        link.expect_refusals(*numbers)

    def second_channel(link: Linked) -> None:
        link.connection.send(link.open(MESSAGES, "main") + link.open(MESSAGES, "main", at=1))
        link.expect_refusal(2, at=1)

    def next_channel(link: Linked) -> None:
        for place in range(3):
            link.connection.send(link.open(MESSAGES, "main", place) + link.bytes(message(), place) + link.end(at=place))
        link.expect_credit(9)

    def unknown_messages(link: Linked) -> None:
        longest = link.terms["maximumMessageLength"]
        data = message(b'{"a":1}', 1, "org.example.unknown", 7) + message(b"") + message(b"{", 1, "x", 1)
        data += message(b"x" * longest)
        link.connection.send(link.open(MESSAGES, "main") + b"".join(link.bytes(part) for part in _parts(data, 65_536)))
        # What nothing reads is counted as read, so that there is room for another longest message.
        room = len(data) + longest + 1_024
        link.next(lambda found: found.type == FrameType.CREDIT
                  and Credit.decode(found.payload).limits.get(link.first, 0) >= room)

    def droppables(link: Linked) -> None:
        for number in range(20):
            body = Droppable("main", f"{number % 3}", Message(b"x" * 16_384))
            link.connection.send(wire.encode(FrameType.DROPPABLE, body.encode()))

    def old_credit(link: Linked) -> None:
        link.connection.send(link.open(MESSAGES, "main") + link.open(at=1) + link.end(CANCELLED, at=1))
        link.expect_credit(3)
        for limits in ({link.first: 5}, {link.first: 3}, {link.first + 2: 5}):
            link.connection.send(wire.encode(FrameType.CREDIT, Credit(0, limits).encode()) * 2)

    def unknown_end(link: Linked) -> None:
        link.connection.send(link.open() + link.end(200))
        link.expect_credit(2)

    def resumes(link: Linked) -> None:
        link.connection.send(link.open() + link.end(CANCELLED))
        link.expect_credit(2)
        other = resumed(link)
        if other.terms["received"] != 2:
            raise Wrong(f"it says that {other.terms['received']} records have arrived, not 2")
        link.connection, link.received = other.connection, other.received
        link.connection.send(link.open(at=1) + link.end(CANCELLED, at=1))
        link.expect_credit(4)

    def repeats(link: Linked) -> None:
        """Nothing is acknowledged, so everything must come again."""
        link.connection.send(entries(nothing(2))(link))
        link.expect_refusals(2)
        other = resumed(link, received=0)
        link.connection, link.received, link.refusals = other.connection, 0, bytearray()
        link.expect_refusals(2)

    def too_many_received(connection: Connection) -> None:
        link = linked(connection)
        try:
            link = resumed(link, received=1_000_000)
        except Ended as ended:
            # It need not answer first.
            if (ended.word, ended.code) != ("failure", "unexpectedFrame"):
                raise
        else:
            expect_failure(link.connection, "unexpectedFrame")

    def over(connection: Connection) -> None:
        link = linked(connection)
        connection.send(wire.encode_json(FrameType.CANCEL, reason=""))
        expect_close(connection, after_last_word=True)
        again = dial()
        meet(again, link.meeting)
        again.send(wire.encode_json(FrameType.LINK, **link.meeting._terms(link.meeting.connection_count, 0)))
        ended = expect_end(again)
        if f"{ended.word} {ended.code}" not in ("decline over", "decline notTrusted"):
            raise Wrong(f"it answers with {ended.word} {ended.code}, not with decline over")

    def bad_member(**changes: Any) -> Callable[[Linked], bytes]:
        return lambda link: frame(FrameType.MEMBERS, wire_json(members=[link.meeting.member("present", 0) | changes]))

    def notice(**keys: Any) -> Callable[[Linked], bytes]:
        return lambda _: frame(FrameType.RESOURCE, wire_json(transfer="0F8FAD5B-D9CB-469F-A165-70867728950E", **keys))

    def raw_open(number: Callable[[Linked], int], kind: int = BYTES, flags: int = 0, name: bytes = b"kit",
                 metadata: int = 0) -> Callable[[Linked], bytes]:
        def data(link: Linked) -> bytes:
            head = struct.pack(">IBBH", number(link), kind, flags, len(name)) + name
            return frame(FrameType.OPEN, head + struct.pack(">H", metadata) + bytes(metadata))
        return data

    def own(link: Linked) -> int:
        return link.first

    window = "LinksOfSessions: Streams"
    requests = "LinksOfSessions: Requests"
    return [
        Case("sessions without an incarnation", "Sessions: The feature", no_run),
        before("a record before the link", "Sessions: Order of frames", wire.encode(FrameType.END, End(1).encode()),
               "failure unexpectedFrame"),
        before("an invitation without a required key", "Sessions: invite", invitation(takesAnyone=None), "failure invalidFrame"),
        before("an invitation with a count beyond its bounds", "Sessions: invite", invitation(members=65_536),
               "failure limitExceeded or failure invalidFrame"),
        before("an invitation with a wrong token", "Sessions: Order of frames", lambda meeting: wire.encode_json(
            FrameType.INVITE, timeout=30, token=encode(bytes(len(named.token))),
            session={"members": 1, "connectionCount": 0, "wish": 1, "takesAnyone": False}), "decline link"),
        before("a link that nobody has invited to", "Sessions: Timers", request_link, "decline notTrusted"),
        Case("a second invitation", "Sessions: Order of frames", second_invitation),
        Case("a window below its bounds", "Sessions: link", wrong_terms),
        # The frame was checked against the table of keys when it was read.
        goes_on("the answer to a link has all keys", "Sessions: link", lambda _: None),
        fails("a second link", "Sessions: Order of frames", lambda link: request_link(link.meeting), "unexpectedFrame"),
        fails("a frame of a transfer on a link", "Sessions: Order of frames", lambda _: wire.encode_json(FrameType.ACCEPT),
              "unexpectedFrame"),
        goes_on("types from 0x80 on are skipped", "Sessions: Order of frames", skips),
        goes_on("records are acknowledged", "LinksOfSessions: Records", acknowledges),
        fails("an acknowledgement of records that were not sent", "LinksOfSessions: Records",
              lambda _: wire.encode(FrameType.CREDIT, Credit(1_000_000).encode()), "unexpectedFrame"),
        goes_on("a link is resumed with what has arrived", "LinksOfSessions: Records", resumes),
        goes_on("records that did not arrive come again", "LinksOfSessions: Records", repeats),
        Case("more records received than were sent", "Sessions: link", too_many_received),
        Case("a link that has ended", "Sessions: decline", over),
        fails("the stream 0", window, raw_open(lambda _: 0), "unexpectedFrame"),
        fails("a stream with a number of the other side", window, raw_open(lambda link: 3 - link.first), "unexpectedFrame"),
        fails("a number that does not rise", window, lambda link: link.open() + link.end(CANCELLED) + link.open(),
              "unexpectedFrame"),
        fails("a stream of an unknown kind", "Sessions: open", raw_open(own, kind=5), "invalidFrame"),
        fails("a stream of messages in both directions", "Sessions: open", raw_open(own, kind=MESSAGES), "invalidFrame"),
        fails("requests in one direction", "Sessions: open", raw_open(own, kind=REQUESTS, flags=1, name=b""), "invalidFrame"),
        fails("a stream of requests with a name", "Sessions: open", raw_open(own, kind=REQUESTS), "invalidFrame"),
        fails("a stream of requests with metadata", "Sessions: open", raw_open(own, kind=REQUESTS, name=b"", metadata=1),
              "invalidFrame"),
        fails("a second stream of requests", "Sessions: bytes", lambda link: open_requests(link) + link.open(REQUESTS, "", at=2),
              "unexpectedFrame"),
        fails("long requests before short ones", "Sessions: bytes", lambda link: link.open(LONG_REQUESTS, ""), "unexpectedFrame"),
        fails("an end of a stream of requests", "Sessions: end", lambda link: open_requests(link) + link.end(), "unexpectedFrame"),
        fails("a cancelled stream of requests", "Sessions: end", lambda link: open_requests(link) + link.end(CANCELLED),
              "unexpectedFrame"),
        fails("an unknown flag", "Sessions: open", raw_open(own, flags=2), "invalidFrame"),
        fails("a channel whose name is no name", "Sessions: open", raw_open(own, MESSAGES, 1, b"1 of them"), "invalidFrame"),
        fails("a name that is no UTF-8", "Sessions: open", raw_open(own, name=b"\xff"), "invalidFrame"),
        fails("an empty name", "Sessions: open", raw_open(own, name=b""), "invalidFrame"),
        fails("metadata that are too long", "Sessions: open", raw_open(own, metadata=4_097), "limitExceeded"),
        fails("an opening that is cut off", "Sessions: open", lambda link: frame(FrameType.OPEN, b"\0\0\0"), "invalidFrame"),
        fails("bytes of a stream that was never open", window, lambda link: link.bytes(b"x", at=5), "unexpectedFrame"),
        fails("a frame of bytes without bytes", "Sessions: bytes", lambda link: link.open() + link.bytes(b""), "invalidFrame"),
        fails("bytes after the end", window, lambda link: link.open(MESSAGES, "main") + link.end() + link.bytes(b"x"),
              "unexpectedFrame"),
        fails("an end of a stream that was never open", window, lambda link: link.end(at=9), "unexpectedFrame"),
        fails("an end with bytes left over", "Sessions: end", lambda link: link.open() + frame(
            FrameType.END, End(link.first).encode() + b"!"), "invalidFrame"),
        goes_on("an end with an unknown code", "Sessions: end", unknown_end),
        fails("a stream that ends within a message", window, lambda link: link.open(MESSAGES, "main")
              + link.bytes(message(b"abc")[:6]) + link.end(), "invalidFrame"),
        fails("a message that is too long, before it comes", "LinksOfSessions: Guarantees", lambda link: link.open(MESSAGES, "main")
              + link.bytes(message(length=link.terms["maximumMessageLength"] + 69)[:5]), "limitExceeded"),
        goes_on("a request that nothing answers", requests, nothing_takes_it),
        goes_on("a longest request that nothing answers", requests, long_request),
        goes_on("withdrawals of requests that are over, or not complete", requests, withdrawals),
        goes_on("many requests in one frame", requests, many_requests),
        fails("the request 0", requests, entries(nothing(0)), "unexpectedFrame"),
        fails("a short request with an odd number", requests, entries(nothing(1)), "unexpectedFrame"),
        fails("a long request with an even number", requests, entries(nothing(2), at=1), "unexpectedFrame"),
        fails("a number of a request that does not rise", requests, entries(nothing(4) + nothing(2)), "unexpectedFrame"),
        fails("an entry of an unknown type", "Sessions: bytes", entries(entry(9, 2)), "invalidFrame"),
        fails("an entry that is too short", "Sessions: bytes", entries(b"\0\0\0\5\0abcd"), "invalidFrame"),
        fails("an entry that is too long for its stream", "Sessions: bytes", entries((LONGEST_SHORT - 3).to_bytes(4, "big")),
              "limitExceeded"),
        fails("a request that is too long, before it comes", "Sessions: bytes", lambda link: entries(
            (link.terms["maximumMessageLength"] + 77).to_bytes(4, "big"), at=1)(link), "limitExceeded"),
        fails("a withdrawal with bytes left over", "Sessions: bytes", entries(entry(WITHDRAWAL, 2, payload=b"x")), "invalidFrame"),
        fails("a withdrawal of a request that was never sent", requests, entries(entry(WITHDRAWAL, 2)), "unexpectedFrame"),
        fails("a withdrawal on the stream of long requests", requests, entries(entry(WITHDRAWAL, 1), at=1), "unexpectedFrame"),
        fails("an answer in the direction of requests", "Sessions: bytes", entries(entry(ANSWER, 2)), "unexpectedFrame"),
        fails("a refusal in the direction of requests", "Sessions: bytes", entries(entry(REFUSAL, 2, cause=2)), "unexpectedFrame"),
        goes_on("a second stream for a channel", "Sessions: open", second_channel),
        goes_on("one stream of a channel after the other", "Sessions: open", next_channel),
        goes_on("messages that the program does not know", "Sessions: bytes", unknown_messages),
        fails("a limit of a stream that was never open", window,
              lambda link: wire.encode(FrameType.CREDIT, Credit(0, {link.first + 20: 5}).encode()), "unexpectedFrame"),
        goes_on("limits that are lower or old", "Sessions: credit", old_credit),
        fails("a credit of a wrong length", "Sessions: credit", lambda _: frame(FrameType.CREDIT, bytes(9)), "invalidFrame"),
        fails("a credit that is too long", "Sessions: Frames", lambda _: frame(FrameType.CREDIT, length=3_081), "limitExceeded"),
        goes_on("droppable messages need no credit", "Sessions: droppable", droppables),
        fails("a droppable message that is too long", "Sessions: droppable", lambda _: wire.encode(
            FrameType.DROPPABLE, b"\4main\0" + Message(b"x" * 16_385).encode()), "limitExceeded"),
        fails("a droppable message without a channel", "Sessions: droppable", lambda _: wire.encode(
            FrameType.DROPPABLE, b"\0\0" + Message(b"x").encode()), "invalidFrame"),
        fails("a member with an unknown status", "Sessions: members", bad_member(status="away"), "invalidFrame"),
        fails("a member without an id", "Sessions: members", bad_member(id="ab"), "invalidFrame"),
        fails("too many members in a frame", "Sessions: members", lambda link: frame(FrameType.MEMBERS, wire_json(
            members=[link.meeting.member("present", 0)] * 65)), "limitExceeded"),
        fails("a notice with an unknown verb", "Sessions: resource", notice(verb="wish"), "invalidFrame"),
        fails("an offer that is too large", "Sessions: resource", notice(verb="offer", name="x", size=(256 << 30) + 1, count=1),
              "limitExceeded", "invalidFrame"),
        fails("an offer of no files", "Sessions: resource", notice(verb="offer", name="x", size=1, count=0), "limitExceeded",
              "invalidFrame"),
    ]


def _parts(data: bytes, length: int) -> list[bytes]:
    return [data[start:start + length] for start in range(0, len(data), length)]


def wire_json(**body: Any) -> bytes:
    """A JSON payload that need not be right."""
    return json.dumps(body, separators=(",", ":")).encode()
