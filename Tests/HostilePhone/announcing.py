"""Announcements: more than anybody reads, those of other devices, and what is none."""

import json
import os
import socket
import time

GROUP, PORT = "224.0.0.167", 53317


def sender():
    multicast = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    multicast.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 1)
    return multicast


def flood(datagrams, rate, seconds):
    """Sends datagrams in turn at a rate; returns how many and in which time."""
    multicast, sent, began = sender(), 0, time.monotonic()
    while (now := time.monotonic() - began) < seconds:
        while sent < now * rate:
            try:
                multicast.sendto(datagrams[sent % len(datagrams)], (GROUP, PORT))
            except OSError:
                pass
            sent += 1
        time.sleep(0.001)
    return sent, time.monotonic() - began


def announce(device, options, report):
    """Announces `count` devices at a rate: one of its own certificate, or as many as never were."""
    if options.count == 1:
        fingerprints = [device.fingerprint]
    else:
        fingerprints = [os.urandom(32).hex().upper() for _ in range(options.count)]
    datagrams = []
    for number, fingerprint in enumerate(fingerprints):
        info = device.info(alias=f"{options.alias} {number or ''}".strip(), fingerprint=fingerprint, announce=True)
        datagrams.append(json.dumps({**info, "port": device.port + number % 100}).encode())
    report(step="announce", begins=True)
    sent, seconds = flood(datagrams, options.rate, options.seconds)
    report(step="announce", sent=sent, seconds=seconds)


def copy(device, options, report):
    """Announces the name and the fingerprint of another device, at its own address, until the input ends."""
    multicast = sender()
    datagram = json.dumps(device.info(announce=True)).encode()
    for _ in range(20):
        multicast.sendto(datagram, (GROUP, PORT))
        time.sleep(0.05)
    report(step="copy", announced=True)


def junk(device, options, report):
    """Sends what is no announcement, or one with values that nobody expects."""
    info = device.info(announce=True)
    values = [b"", b"{", b"null", b"[]", b"\xff" * 200, b"[" * 4000, b"{\"alias\":" * 400, b" " * 60_000,
              json.dumps({**info, "alias": "A" * 60_000}).encode(), json.dumps({**info, "alias": None}).encode(),
              json.dumps({**info, "alias": "\x1b[31mred\x07\r\n\u202egpj"}).encode(),
              json.dumps({**info, "alias": "<script>alert(1)</script>"}).encode()]

    def varied(**changes):
        return json.dumps({**info, "fingerprint": os.urandom(32).hex(), **changes}).encode()

    ports = (-1, 0, 65_536, 10**400, 1.5, "53317", None, [], {}, True)
    values += [varied(alias=f"port {port}"[:40], port=port) for port in ports]
    fingerprints = ("", "x" * 5000, None, 5, "\x00", "../../etc", {"a": 1})
    values += [varied(alias="no fingerprint", fingerprint=fingerprint) for fingerprint in fingerprints]
    protocols = ("ftp", "HTTPS", "", None, "file:///etc/passwd")
    values += [varied(alias="no protocol", protocol=protocol) for protocol in protocols]
    multicast = sender()
    for value in values:
        try:
            multicast.sendto(value, (GROUP, PORT))
        except OSError:
            pass
    report(step="junk", sent=len(values))
