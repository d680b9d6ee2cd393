"""The reference peer: a second implementation of WireFormat.md, which the tests run against the first.

    python3 Tests/ReferencePeer receive LINK-OR-ADDRESS --home FOLDER --folder FOLDER [--stop-after BYTES]
    python3 Tests/ReferencePeer send --home FOLDER --folder FOLDER [--stop-after BYTES] [--tamper]

It writes what happens to standard output, one JSON object a line. After `digits` and, at the receiver, `offer` it reads
`yes` or anything else from standard input. `home` holds the key and the trusted peers; `folder` the files of a region:
`region.json`, the application's description, and one file for each kind of resource.
"""

from __future__ import annotations

import argparse
import json
import secrets
import select
import socket
import sys
from pathlib import Path

import links
import session
import wire
from connection import Connection
from identity import Identity, parse_address
from receiver import Receiver
from sender import Sender
from wire import FrameType


def report(event: str, **details: object) -> None:
    print(json.dumps({"type": event} | details), flush=True)


def receive(options: argparse.Namespace) -> bool:
    link = links.parse(options.sender) if options.sender.upper().startswith(links.SCHEME) else None
    hosts = link.hosts if link else [parse_address(options.sender)]
    connection = Connection(_connect(hosts), Identity.load(options.home), is_listener=False)
    receiver = Receiver(
        connection, options.folder, report, token=links.encode(link.token) if link else None, stop_after=options.stop_after
    )
    return session.run(connection, link.id if link else None, report, receiver.run)


def _connect(hosts: list[tuple[str, int]]) -> socket.socket:
    for host in hosts:
        try:
            return socket.create_connection(host, timeout=3)
        except OSError:
            continue
    raise SystemExit("no address answers")


def send(options: argparse.Namespace) -> bool:
    identity = Identity.load(options.home)
    token = secrets.token_bytes(links.TOKEN_BYTES)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        report("listening", port=port, link=str(links.Link([("127.0.0.1", port)], identity.id, token)))
        tcp, _ = listener.accept()
    if not _begins_with_tls(tcp):
        return False
    connection = Connection(tcp, identity, is_listener=True)
    sender = Sender(
        connection, options.folder, report, links.encode(token), stop_after=options.stop_after, tampers=options.tamper
    )
    return session.run(connection, None, report, sender.run)


def _begins_with_tls(tcp: socket.socket) -> bool:
    """Tells TLS from plain text by the first byte; refuses plain text in plain text."""
    select.select([tcp], [], [], 5)
    first = tcp.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    if first == b"\x16":
        return True
    if first == wire.PREFACE[:1]:
        message = "This sender speaks encrypted only."
        tcp.sendall(wire.PREFACE + wire.encode_json(FrameType.FAILURE, code="encryptionMismatch", message=message))
    tcp.close()
    report("refused", code="encryptionMismatch", message="not TLS")
    return False


def main() -> None:
    parser = argparse.ArgumentParser(prog="reference-peer")
    commands = parser.add_subparsers(required=True)
    for name, run in (("receive", receive), ("send", send)):
        command = commands.add_parser(name)
        command.set_defaults(run=run)
        if run is receive:
            command.add_argument("sender", metavar="LINK-OR-ADDRESS")
        else:
            command.add_argument("--tamper", action="store_true")
        command.add_argument("--home", type=Path, required=True)
        command.add_argument("--folder", type=Path, required=True)
        command.add_argument("--stop-after", type=int)
    options = parser.parse_args()
    sys.exit(0 if options.run(options) else 1)


main()
