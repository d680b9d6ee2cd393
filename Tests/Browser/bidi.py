"""WebDriver BiDi, as much of it as Firefox needs to evaluate expressions as the scripts of the page do: JSON over a WebSocket."""

import base64
import json
import os
import socket
import struct
import time
import urllib.parse

from devtools import Failure

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


class BiDi:
    """A connection to a browser."""

    def __init__(self, url, deadline):
        address = urllib.parse.urlsplit(url)
        self.connection = socket.create_connection((address.hostname, address.port), timeout=max(1, deadline - time.monotonic()))
        self.stream = self.connection.makefile("rb")
        self.count = 0
        self.events = []
        key = base64.b64encode(os.urandom(16)).decode()
        self.connection.sendall((
            f"GET {address.path} HTTP/1.1\r\nHost: {address.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        status = self.stream.readline()
        if b" 101 " not in status:
            raise Failure(f"the browser takes no WebSocket: {status!r}")
        while self.stream.readline().strip():
            pass

    def call(self, method, parameters, deadline):
        """Sends a command and waits for its result."""
        self.count += 1
        self.send(TEXT, json.dumps({"id": self.count, "method": method, "params": parameters}).encode())
        while True:
            answer = self.receive(deadline)
            if answer.get("id") != self.count:
                self.events.append(answer)
            elif answer["type"] == "error":
                raise Failure(f"{method}: {answer['error']}: {answer['message']}")
            else:
                return answer["result"]

    def send(self, kind, data):
        """Sends a frame, which a client masks."""
        length = len(data)
        if length < 126:
            head = struct.pack(">BB", 0x80 | kind, 0x80 | length)
        elif length < 1 << 16:
            head = struct.pack(">BBH", 0x80 | kind, 0x80 | 126, length)
        else:
            head = struct.pack(">BBQ", 0x80 | kind, 0x80 | 127, length)
        mask = os.urandom(4)
        masks = int.from_bytes((mask * (length // 4 + 1))[:length], "big")
        self.connection.sendall(head + mask + (int.from_bytes(data, "big") ^ masks).to_bytes(length, "big"))

    def receive(self, deadline):
        """Waits for a message."""
        message = b""
        while True:
            self.connection.settimeout(max(1, deadline - time.monotonic()))
            try:
                first, second = self.read(2)
                length = second & 0x7F
                if length > 125:
                    length, = struct.unpack(*((">H", self.read(2)) if length == 126 else (">Q", self.read(8))))
                data = self.read(length)
            except TimeoutError as error:
                raise Failure("the browser did not answer in time") from error
            kind = first & 0x0F
            if kind == PING:
                self.send(PONG, data)
            elif kind == CLOSE:
                raise Failure("the browser closed the connection")
            elif kind != PONG:
                message += data
                if first & 0x80:
                    return json.loads(message)

    def read(self, length):
        """Reads this many bytes."""
        data = self.stream.read(length)
        if len(data) < length:
            raise Failure("the browser ended")
        return data

    def close(self):
        """Ends the connection."""
        self.connection.close()
