"""A peer with a link: does what commands say, and reports what happens."""

from __future__ import annotations

import queue
import select
import socket
import time
from pathlib import Path
from typing import Any, Callable

from commands import Commands
from connecting import handshake
from connecting.connection import Connection, Ended, Lost, NotSecured
from formats import wire
from formats.frame_types import FrameType
from formats.link_frames import Droppable
from link.conversation import Conversation
from link.meeting import LONGEST_MESSAGE, TEST_SECONDS, WINDOW, Meeting
from link.records import Records
from link.streams import Streams
from link.transfers import Transfers

OUTAGE_SECONDS = 30
LEAVING_SECONDS = 60
PAUSE_SECONDS = 0.5


class LinkPeer:
    """One link with one peer, over as many connections as it takes."""

    def __init__(
        self, meeting: Meeting, commands: Commands, folder: Path, report: handshake.Report, answers: dict[str, str]
    ) -> None:
        self.meeting, self.commands, self.report, self.answers = meeting, commands, report, answers
        self.connection: Connection | None = None
        self.is_listener = False
        """Whether this side listened when the connection was made."""
        self.records = Records()
        self.streams: Streams | None = None
        self.conversation: Conversation | None = None
        self.told = 0
        """How many records of the other side this side has acknowledged."""
        self.is_deaf = self.withholds = False
        """For tests of resuming: whether all that is on the way is lost, and whether nothing is acknowledged."""
        self.lost_at = self.dials_at = time.monotonic()
        """When the link lost its connection, and when this side dials again if it wants to."""
        self.wants_connection = False
        self.has_left = False
        self.work: queue.Queue[Callable[[], None]] = queue.Queue()
        """What other threads leave to the thread of the link."""
        self.bell, self.ringer = socket.socketpair()
        self.transfers = Transfers(meeting, folder, report, self.records, self.hand_over)

    def run(self) -> bool:
        """Links, and works until a side leaves; returns whether the link ended well."""
        try:
            if self.meeting.hosts:
                self._dial(is_first=True)
            while not self.has_left:
                self._turn(time.monotonic() + PAUSE_SECONDS)
            return True
        except handshake.Declined as error:
            self._say_last(FrameType.DECLINE, code=error.code, reason=str(error), **error.keys)
            self.report("refused", code=error.code, message=str(error))
        except wire.ProtocolError as error:
            self._say_last(FrameType.FAILURE, code=error.code, message=str(error))
            self.report("refused", code=error.code, message=str(error))
        except NotSecured as error:
            self.report("refused", code=error.code, message=str(error))
        except Ended as error:
            self.report("ended", word=error.word, code=error.code, message=str(error))
            return error.word == "cancel"
        except Lost as error:
            self.report("lost", message=str(error))
        finally:
            if self.connection:
                self.connection.close()
        return False

    def _say_last(self, type: FrameType, **body: Any) -> None:
        if self.connection:
            self.connection.say_last(wire.encode_json(type, **body))

    # Connections

    def _dial(self, is_first: bool) -> None:
        """Makes a new connection carry the link; from here on the old one counts no more."""
        old = self._prepare()
        try:
            connection = self.connection = self.meeting.dial()
            connection.secure(self.meeting.expected)
            handshake.shake_hands(connection, "dialer", self.meeting.run)
            connection.test(TEST_SECONDS)
            if is_first:
                self.meeting.invite(connection)
            terms = self.meeting.request(connection, self.records.received)
        finally:
            if old:
                old.close()
        self._attach(connection, terms, is_listener=False)

    def arrived(self, connection: Connection, frame: wire.Frame) -> None:
        """Takes a connection that the other side has opened."""
        if self.is_deaf:
            connection.close()
            return
        try:
            if frame.type == FrameType.RESOURCE:
                self.transfers.arrived(connection, frame.body)
                return
            if frame.type == FrameType.INVITE:
                frame = self.meeting.admit(connection, frame.body)
            self.meeting.check(connection, frame.body)
        except handshake.Declined as error:
            connection.say_last(wire.encode_json(FrameType.DECLINE, code=error.code, reason=str(error), **error.keys))
            self.report("declined", code=error.code, message=str(error))
            return
        except wire.ProtocolError as error:
            connection.say_last(wire.encode_json(FrameType.FAILURE, code=error.code, message=str(error)))
            self.report("declined", code=error.code, message=str(error))
            return
        except Lost:
            connection.close()
            return
        old = self._prepare()
        self.connection = connection
        self.meeting.answer(connection, frame.body, self.records.received)
        if old:
            old.close()
        self._attach(connection, frame.body, is_listener=True)

    def _prepare(self) -> Connection | None:
        """From here on nothing counts that comes over the old connection, which is returned."""
        self._count_outage()
        old, self.connection = self.connection, None
        return old

    def _count_outage(self) -> None:
        """Sends nothing any more. The time without a connection begins, if it has not: attempts do not extend it."""
        if self.records.write:
            self.lost_at = time.monotonic()
        self.records.detach()

    def _attach(self, connection: Connection, terms: dict[str, Any], is_listener: bool) -> None:
        is_first = self.streams is None
        if is_first:
            is_even = connection.identity.id < connection.peer
            self.streams = Streams(self.records, is_even, WINDOW, LONGEST_MESSAGE)
            self.conversation = Conversation(self.streams, self.report, self.answers)
        self.streams.peer_window = terms["window"]
        self.streams.peer_longest_message = terms["maximumMessageLength"]
        self.is_deaf = self.withholds = False
        self.told, self.is_listener = 0, is_listener
        self.wants_connection = False
        repeated = self.records.attach(self._write, terms["received"])
        self.streams.repeat_credits()
        if is_first:
            self.records.send_json(FrameType.MEMBERS, members=[self.meeting.member("present", 1)])
        self.report(
            "linked", connectionCount=self.meeting.connection_count, repeated=repeated, received=self.records.received,
            peer=connection.peer.hex(), messageTypes=terms["messageTypes"], dialed=not is_listener,
        )
        self.streams.flow()
        self.transfers.carried(is_listener)

    def _write(self, frame: bytes) -> None:
        if self.is_deaf or not self.connection:
            return
        try:
            self.connection.send(frame)
        except Lost as error:
            self._lose(error)

    def _lose(self, error: Lost) -> None:
        """Notices that the connection has ended. If the other side cannot dial, this side does."""
        self._detach()
        self.wants_connection = not self.meeting.addresses
        self.dials_at = time.monotonic() + PAUSE_SECONDS
        self.report("lost", message=str(error))

    def _detach(self) -> None:
        self._count_outage()
        if self.connection:
            self.connection.close()
        self.connection = None
        self.is_deaf = False

    # One turn

    def _turn(self, until: float) -> None:
        """Waits for something to do, and does it."""
        while self.streams and not self.has_left and (command := self.commands.next()) is not None:
            name = "do_" + command.pop("do")
            getattr(self if hasattr(self, name) else self.conversation, name)(**command)
        if self.commands.has_ended and not self.has_left:
            self.do_leave()
        if self.has_left:
            return
        try:
            if self.wants_connection and time.monotonic() >= self.dials_at:
                self._dial(is_first=False)
            ready = self._wait([self.bell, self.commands], until)
        except Lost as error:
            self._lose(error)
            return
        if self.commands in ready:
            self.commands.fill()
        if self.bell in ready:
            self.bell.recv(64)
            while not self.work.empty():
                self.work.get()()

    def _wait(self, others: list[Any], until: float) -> list[Any]:
        if not self.connection or self.is_deaf:
            if not self.connection and self.streams and time.monotonic() > self.lost_at + OUTAGE_SECONDS:
                raise handshake.Declined("over", "There was no connection for too long.")
            return select.select(others, [], [], max(0, until - time.monotonic()))[0]
        self._take_frames()
        ready = self.connection.wait(others, until)
        self._take_frames()
        return ready

    def _take_frames(self) -> None:
        while self.connection and self.connection.frames:
            frame = self.connection.frames.popleft()
            self.records.took(frame.type)
            self._take(frame)
        if not self.withholds and (self.told < self.records.received or self.streams.raised):
            self.told = self.records.received
            for credit in self.streams.credits():
                self.records.send_aside(credit)

    def hand_over(self, work: Callable[[], None]) -> None:
        """Leaves work to the thread of the link; for the other threads."""
        self.work.put(work)
        self.ringer.send(b"!")

    # What comes

    def _take(self, frame: wire.Frame) -> None:
        match frame.type:
            case FrameType.OPEN:
                self.conversation.happened(self.streams.receive_open(frame.payload))
            case FrameType.BYTES:
                self.conversation.happened(self.streams.receive_bytes(frame.payload))
            case FrameType.END:
                self.conversation.happened(self.streams.receive_end(frame.payload))
            case FrameType.CREDIT:
                self.streams.receive_credit(frame.payload)
            case FrameType.DROPPABLE:
                droppable = Droppable.decode(frame.payload)
                self.conversation.report_message("droppable", droppable.message, key=droppable.key)
            case FrameType.MEMBERS:
                self.report("members", count=len(frame.body["members"]))
            case FrameType.RESOURCE:
                self.transfers.received(frame.body)
            case _:
                raise wire.unexpected(f"{frame.type.name} may not come over a link")

    # What commands say

    def do_offer(self, file: str) -> None:
        self.transfers.offer(Path(file))

    def do_stopAfter(self, bytes: int) -> None:
        """Lets the next attached connection break."""
        self.transfers.stop_after = bytes

    def do_withhold(self) -> None:
        """Acknowledges nothing until the next connection."""
        self.withholds = True
        self.report("withholding")

    def do_lose(self) -> None:
        """Loses everything that is on the way in both directions, until the next connection."""
        self.is_deaf = True
        self.report("losing")

    def do_cut(self) -> None:
        """Breaks the connection. What has come and was not read is lost."""
        if self.connection:
            self.connection.reset()
            self._detach()
        self.report("cut", received=self.records.received, kept=len(self.records.kept))

    def do_resume(self) -> None:
        """Carries the link on over a new connection, whether the old one still works or not."""
        self.wants_connection, self.dials_at = True, time.monotonic()

    def do_leave(self) -> None:
        """Says goodbye when the other side has everything."""
        self.has_left = True
        self.records.send_json(FrameType.MEMBERS, members=[self.meeting.member("left", 2)])
        end = time.monotonic() + LEAVING_SECONDS
        while self.connection and self.records.kept and time.monotonic() < end:
            self._wait([], end)
        self._say_last(FrameType.CANCEL, reason="")
        self.report("left", unacknowledged=len(self.records.kept))
