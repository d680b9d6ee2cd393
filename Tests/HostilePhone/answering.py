"""A device that others send to: it shows a wrong certificate, sends them elsewhere, or answers without end."""

import http.server
import json
import socketserver
import ssl
import sys
import threading
import time

from announcing import GROUP, PORT, sender


def answer(device, options, report):
    """Announces itself and answers requests in the way of `--how` until the input ends; tells each request that it gets.

    redirect: to another host, `--to`. certificate: claims the fingerprint of another device. long: an answer that does not end.
    slow: one that does not begin. tokens: tokens for other files. json: no JSON. early: refuses a file in the middle.
    """
    how = options.how

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def reply(self, status, body=b"", **headers):
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name.replace("_", "-"), value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self):
            report(step="answer", request="GET " + self.path, at=options.own_port)
            self.reply(200, json.dumps(device.info()).encode())

        def do_POST(self):
            kind = self.path.split("/")[-1].split("?")[0]
            length = int(self.headers.get("Content-Length") or 0)
            report(step="answer", request="POST " + self.path, length=length, at=options.own_port)
            if kind == "upload" and how == "early":
                self.rfile.read(min(length, 100_000))
                self.reply(403, Connection="close")
                self.close_connection = True
                return
            body = self.rfile.read(length)
            if kind == "register":
                self.reply(200, json.dumps(device.info()).encode())
            elif kind == "prepare-upload":
                self.prepare(json.loads(body))
            else:
                report(step="answer", received=len(body))
                self.reply(200)

        def prepare(self, wanted):
            files = wanted.get("files", {})
            report(step="answer", files=list(files.values()), info=wanted.get("info"))
            if how == "redirect":
                self.reply(307, Location=f"https://{options.to}:{options.port}/api/localsend/v2/prepare-upload")
            elif how == "long":
                self.send_response(200)
                self.send_header("Transfer-Encoding", "chunked")
                self.end_headers()
                try:
                    while True:
                        self.wfile.write(b"10000\r\n" + b" " * 65536 + b"\r\n")
                except OSError:
                    report(step="answer", ended=True)
            elif how == "slow":
                try:
                    self.wfile.write(b"HTTP/1.1 200 OK\r\n")
                    while True:
                        self.wfile.write(b"X")
                        time.sleep(0.5)
                except OSError:
                    report(step="answer", ended=True)
            elif how == "json":
                self.reply(200, b"[" * 60_000)
            elif how == "tokens":
                self.reply(200, json.dumps({"sessionId": "../x?a=b&c#d\r\nX: y", "files": {"other": "token"}}).encode())
            else:
                self.reply(200, json.dumps({"sessionId": "s", "files": {file: "t&u=v w" for file in files}}).encode())

    class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
        daemon_threads = True
        allow_reuse_address = True

    server = Server(("", options.own_port), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(device.pem)
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    report(step="answer", ready=True)

    def announce():
        multicast = sender()
        while True:
            multicast.sendto(json.dumps(device.info(announce=True)).encode(), (GROUP, PORT))
            time.sleep(1)

    if how != "silent":
        threading.Thread(target=announce, daemon=True).start()
    sys.stdin.read()
