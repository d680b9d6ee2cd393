"""Runs cases against an implementation, and counts."""

from __future__ import annotations

import contextlib
import secrets
import socket
import subprocess
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Callable

from application import Application
from connecting.connection import Connection, Ended
from connecting.identity import Identity
from conformance import both_roles, piece_cases, receiver_cases, sender_cases, session_cases
from conformance.case import PATIENCE, Case, Lacking, Wrong
from formats import share_links, wire
from formats.share_links import ShareLink
from link.meeting import random_text

Report = Callable[..., None]


def test_sender(link: str, home: Path, report: Report, only: str = "") -> bool:
    """Tests a sender that listens at a share link and asks nobody, because the link admits everyone who has it."""
    named = share_links.parse(link)
    identity = Identity.load(home)

    def work(case: Case) -> None:
        connection = Connection(_dial(named), identity, is_listener=False)
        with contextlib.closing(connection):
            connection.secure(named.id)
            case.run(connection)

    token = share_links.encode(named.token)
    cases = both_roles.cases("dialer") + sender_cases.cases(token) + piece_cases.cases(token)
    return _run(cases, only, report, work)


def test_session(link: str, application: str, report: Report, only: str = "") -> bool:
    """Tests a program with sessions, which listens at a share link that admits everyone who has it.

    Each case has a key of its own, because a link that a case has ended could not be invited to again at once.
    """
    named = share_links.parse(link, Application(application))
    identities: list[Identity] = []

    def dial() -> Connection:
        connection = Connection(_dial(named), identities[-1], is_listener=False, application=named.application)
        connection.run = random_text()
        connection.secure(named.id)
        return connection

    def work(case: Case) -> None:
        with TemporaryDirectory() as home:
            identities.append(Identity.load(Path(home)))
            with contextlib.closing(dial()) as connection:
                case.run(connection)

    return _run(both_roles.cases("dialer") + session_cases.cases(named, dial), only, report, work)


def test_receiver(command: list[str], home: Path, folder: Path, report: Report, only: str = "") -> bool:
    """Tests a receiver, which is started anew for each case.

    `{link}` in its command stands for the share link, which it also gets on its standard input.
    """
    identity, token = Identity.load(home), secrets.token_bytes(share_links.TOKEN_BYTES)

    def work(case: Case) -> None:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            link = str(ShareLink([("127.0.0.1", listener.getsockname()[1])], identity.id, token))
            words = [word.replace("{link}", link) for word in command]
            child = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                with contextlib.suppress(BrokenPipeError):
                    child.stdin.write(link.encode() + b"\n")
                    child.stdin.close()
                connection = Connection(_accept(listener, child), identity, is_listener=True)
                with contextlib.closing(connection):
                    connection.secure(None)
                    case.run(connection)
            finally:
                # It would connect again after some of the cases.
                child.terminate()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    child.wait(PATIENCE)
                child.kill()
                child.wait()

    cases = both_roles.cases("listener") + receiver_cases.cases(share_links.encode(token), folder)
    return _run(cases, only, report, work)


def _run(cases: list[Case], only: str, report: Report, work: Callable[[Case], None]) -> bool:
    failed, skipped, chosen = 0, 0, [case for case in cases if only in case.name]
    for case in chosen:
        try:
            work(case)
            report("passed", case=case.name, section=case.section)
        except Lacking as lacking:
            skipped += 1
            report("skipped", case=case.name, section=case.section, message=str(lacking))
        except Exception as error:  # Whatever an implementation does, the other cases go on.
            failed += 1
            report("failed", case=case.name, section=case.section, message=_words(error))
    report("result", cases=len(chosen), failed=failed, skipped=skipped)
    return bool(chosen) and not failed


def _words(error: Exception) -> str:
    if isinstance(error, Ended):
        return f"it ends the connection with {error.word} {error.code}: {error}"
    if isinstance(error, wire.ProtocolError):
        return f"it breaks the protocol ({error.code}): {error}"
    return str(error) or type(error).__name__


def _accept(listener: socket.socket, child: subprocess.Popen) -> socket.socket:
    listener.settimeout(0.2)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with contextlib.suppress(TimeoutError):
            return listener.accept()[0]
        if child.poll() is not None:
            raise Wrong(f"it ends with {child.returncode} before it connects")
    raise Wrong("it does not connect within 60 s")


def _dial(named: ShareLink) -> socket.socket:
    for host in named.hosts:
        with contextlib.suppress(OSError):
            return socket.create_connection(host, timeout=3)
    raise Wrong("no address of the share link answers")
