"""Connections that a peer opens to this side: each is secured and greeted on a thread of its own."""

from __future__ import annotations

import socket
import threading
from typing import Callable

from OpenSSL import SSL

from connecting import handshake
from connecting.connection import Connection, Ended, Lost, NotSecured
from formats import wire
from formats.wire import Frame, FrameType
from link.meeting import Meeting

FIRST_FRAME_SECONDS = 15
MOST_CONNECTIONS = 8


class Listener:
    """Listens on a free port of this machine's loopback interface; hands over connections with their first frame."""

    def __init__(self, meeting: Meeting, arrived: Callable[[Connection, Frame], None]) -> None:
        self.meeting, self.arrived = meeting, arrived
        self.server = socket.create_server(("127.0.0.1", 0))
        self.places = threading.Semaphore(MOST_CONNECTIONS)
        self.port: int = self.server.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            self.places.acquire()
            tcp, _ = self.server.accept()
            threading.Thread(target=self._greet, args=(tcp,), daemon=True).start()

    def _greet(self, tcp: socket.socket) -> None:
        connection = Connection(
            tcp, self.meeting.identity, is_listener=True, application=self.meeting.application
        )
        try:
            connection.secure(None)
            handshake.shake_hands(connection, "listener", self.meeting.run)
            types = (FrameType.INVITE, FrameType.LINK, FrameType.RESOURCE)
            self.arrived(connection, connection.next(*types, within=FIRST_FRAME_SECONDS))
        except wire.ProtocolError as error:
            connection.say_last(wire.encode_json(FrameType.FAILURE, code=error.code, message=str(error)))
        except (NotSecured, Ended, Lost, OSError, SSL.Error):
            # The connection was for nothing; the link goes on.
            connection.close()
        finally:
            self.places.release()
