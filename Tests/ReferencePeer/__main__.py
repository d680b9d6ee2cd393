"""The reference peer: a second implementation of WireFormat.md, which the tests run against the first.

    python3 Tests/ReferencePeer receive LINK-OR-ADDRESS --home FOLDER --folder FOLDER [--stop-after BYTES] [--older MAP]
    python3 Tests/ReferencePeer send --home FOLDER --folder FOLDER [--stop-after BYTES] [--tamper]
    python3 Tests/ReferencePeer test-sender LINK --home FOLDER [--only TEXT]
    python3 Tests/ReferencePeer test-session LINK --application NAME [--only TEXT]
    python3 Tests/ReferencePeer test-receiver --home FOLDER --folder FOLDER [--only TEXT] -- COMMAND {link}
    python3 Tests/ReferencePeer vectors
    python3 Tests/ReferencePeer link [LINK-OR-ADDRESS] --application NAME --home FOLDER --folder FOLDER
        [--takes-anyone] [--listen] [--reads MESSAGE]... [--answer REQUEST JSON]...

It writes what happens to standard output, one JSON object a line. After `digits` and, at the receiver, `offer` it reads
`yes` or anything else from standard input. `home` holds the key and the trusted peers; `folder` the files of a region:
`region.json`, the application's description, and one file for each kind of resource. Resources that come over a link
are put into `folder`, too.

`test-sender`, `test-receiver` and `test-session` are the conformance kit: they put cases to another implementation, see README.md. `vectors`
writes the examples of the pages, for tests of another implementation without a network.

With `link` it then reads commands, one JSON object a line: `do` has the name of the command, the other keys its
arguments. Each method of `LinkPeer` and `Conversation` whose name begins with `do_` is a command. At the end of the
input it leaves.
"""

from __future__ import annotations

import argparse
import json
import secrets
import select
import socket
import sys
import threading
from pathlib import Path

from application import HIKESHARE, Application
import check_page
from commands import Commands
from connecting import handshake
from connecting.connection import Connection
from connecting.identity import Identity, parse_address
from connecting.listening import Listener
from conformance import runner
from formats import items, share_links, wire
from formats.wire import FrameType
from link.link_peer import LinkPeer
from link.meeting import Meeting
from receiver import Receiver
from sender import Sender


lock = threading.Lock()


def report(event: str, **details: object) -> None:
    with lock:
        print(json.dumps({"type": event} | details), flush=True)


def receive(options: argparse.Namespace) -> bool:
    named = share_links.parse(options.sender) if options.sender.upper().startswith(HIKESHARE.link_scheme) else None
    hosts = named.hosts if named else [parse_address(options.sender)]
    connection = Connection(_connect(hosts), Identity.load(options.home), is_listener=False)
    receiver = Receiver(
        connection,
        options.folder,
        report,
        token=share_links.encode(named.token) if named else None,
        stop_after=options.stop_after,
        older=options.older,
    )
    return handshake.run(connection, named.id if named else None, report, receiver.run)


def _connect(hosts: list[tuple[str, int]]) -> socket.socket:
    for host in hosts:
        try:
            return socket.create_connection(host, timeout=3)
        except OSError:
            continue
    raise SystemExit("no address answers")


def link(options: argparse.Namespace) -> bool:
    application = Application(options.application)
    commands = Commands(sys.stdin.fileno())
    meeting = Meeting(application, Identity.load(options.home), report, commands, takes_anyone=options.takes_anyone)
    meeting.types = options.reads + [name for name, _ in options.answer]
    if options.peer and options.peer.upper().startswith(application.link_scheme):
        named = share_links.parse(options.peer, application)
        meeting.hosts, meeting.expected, meeting.token = named.hosts, named.id, share_links.encode(named.token)
    elif options.peer:
        meeting.hosts = [parse_address(options.peer)]
    peer = LinkPeer(meeting, commands, options.folder, report, dict(options.answer))
    if options.listen or not options.peer:
        listener = Listener(meeting, lambda *arrival: peer.hand_over(lambda: peer.arrived(*arrival)))
        meeting.addresses = [f"127.0.0.1:{listener.port}"]
        token = secrets.token_bytes(share_links.TOKEN_BYTES)
        meeting.own_token = share_links.encode(token)
        own = share_links.ShareLink([("127.0.0.1", listener.port)], meeting.identity.id, token, application=application)
        report("listening", port=listener.port, link=str(own))
    return peer.run()


def send(options: argparse.Namespace) -> bool:
    identity = Identity.load(options.home)
    token = secrets.token_bytes(share_links.TOKEN_BYTES)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        report("listening", port=port, link=str(share_links.ShareLink([("127.0.0.1", port)], identity.id, token)))
        tcp, _ = listener.accept()
    if not _begins_with_tls(tcp):
        return False
    connection = Connection(tcp, identity, is_listener=True)
    description = json.loads((options.folder / "region.json").read_text())
    paths = {kind: options.folder / kind for kind in items.KINDS if (options.folder / kind).exists()}
    sender = Sender(
        connection,
        description,
        paths,
        report,
        share_links.encode(token),
        stop_after=options.stop_after,
        tampers=options.tamper,
    )
    return handshake.run(connection, None, report, sender.run)


def _begins_with_tls(tcp: socket.socket) -> bool:
    """Tells TLS from plain text by the first byte; refuses plain text in plain text."""
    select.select([tcp], [], [], 5)
    first = tcp.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    if first == b"\x16":
        return True
    if first == HIKESHARE.preface[:1]:
        message = "This sender speaks encrypted only."
        tcp.sendall(HIKESHARE.preface + wire.encode_json(FrameType.FAILURE, code="encryptionMismatch", message=message))
    tcp.close()
    report("refused", code="encryptionMismatch", message="not TLS")
    return False


def test_sender(options: argparse.Namespace) -> bool:
    return runner.test_sender(options.link, options.home, report, options.only)


def test_receiver(options: argparse.Namespace) -> bool:
    return runner.test_receiver(options.command, options.home, options.folder, report, options.only)


def test_session(options: argparse.Namespace) -> bool:
    return runner.test_session(options.link, options.application, report, options.only)


def vectors(options: argparse.Namespace) -> bool:
    for vector in check_page.vectors():
        report("vector", **vector)
    return True


def add_kit(commands: argparse._SubParsersAction) -> None:
    """The commands of the conformance kit."""
    for run in (test_sender, test_receiver, test_session):
        command = commands.add_parser(run.__name__.replace("_", "-"))
        command.set_defaults(run=run)
        command.add_argument("--only", default="")
        if run is test_session:
            command.add_argument("--application", required=True)
        else:
            command.add_argument("--home", type=Path, required=True)
        if run is not test_receiver:
            command.add_argument("link")
        else:
            command.add_argument("--folder", type=Path, required=True)
            command.add_argument("command", nargs="+")
    commands.add_parser("vectors").set_defaults(run=vectors)


def main() -> None:
    parser = argparse.ArgumentParser(prog="reference-peer")
    commands = parser.add_subparsers(required=True)
    for run in (receive, send, link):
        command = commands.add_parser(run.__name__)
        command.set_defaults(run=run)
        command.add_argument("--home", type=Path, required=True)
        command.add_argument("--folder", type=Path, required=True)
        if run is link:
            command.add_argument("peer", metavar="LINK-OR-ADDRESS", nargs="?")
            command.add_argument("--listen", action="store_true")
            command.add_argument("--reads", action="append", default=[], metavar="MESSAGE")
            command.add_argument("--answer", nargs=2, action="append", default=[], metavar=("REQUEST", "JSON"))
            command.add_argument("--application", required=True)
            command.add_argument("--takes-anyone", action="store_true")
            continue
        command.add_argument("--stop-after", type=int)
        if run is receive:
            command.add_argument("sender", metavar="LINK-OR-ADDRESS")
            command.add_argument("--older", type=Path)
        else:
            command.add_argument("--tamper", action="store_true")
    add_kit(commands)
    options = parser.parse_args()
    sys.exit(0 if options.run(options) else 1)


main()
