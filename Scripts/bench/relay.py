"""A relay on loopback that counts what passes between two programs."""
import socket, threading


class Relay:
    """Forwards every connection to a port; ends with the scope."""

    def __init__(self, target):
        self.target = target
        # Bytes to the target and back, and the first bytes that the target answered.
        self.sent, self.returned, self.answer = 0, 0, b""
        self.lock = threading.Lock()

    def __enter__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.listener.close()

    def serve(self):
        while True:
            try:
                near, _ = self.listener.accept()
                far = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                return
            for source, destination, count in ((near, far, self.count_sent), (far, near, self.count_returned)):
                threading.Thread(target=self.forward, args=(source, destination, count), daemon=True).start()

    def forward(self, source, destination, count):
        try:
            while data := source.recv(1 << 18):
                with self.lock:
                    count(data)
                destination.sendall(data)
            destination.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def count_sent(self, data):
        self.sent += len(data)

    def count_returned(self, data):
        self.answer = self.answer or data
        self.returned += len(data)
