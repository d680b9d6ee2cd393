"""Share links, as WireFormat.md describes them; the standard library is enough for this file and application.py."""

from __future__ import annotations

import hashlib
import ipaddress
import re
from dataclasses import dataclass

from application import HIKESHARE, Application

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
TOKEN_BYTES, ID_BYTES, CHECK_CHARACTERS = 10, 16, 4
LINK_LOCAL = bytes.fromhex("fe80000000000000")
IPV4, IPV6, IPV6_LINK_LOCAL, NAME, NETWORK = range(5)
NETWORK_BYTES = 10
PORT_FOLLOWS = 0x80


def encode(data: bytes) -> str:
    """Bytes as base32: five bits a character, the highest first, zeros at the end."""
    bits = "".join(f"{byte:08b}" for byte in data)
    bits += "0" * (-len(bits) % 5)
    return "".join(ALPHABET[int(bits[start:start + 5], 2)] for start in range(0, len(bits), 5))


def decode(text: str) -> bytes:
    if any(character not in ALPHABET for character in text):
        raise ValueError("a character that no share link has")
    bits = "".join(f"{ALPHABET.index(character):05b}" for character in text)
    length = len(bits) // 8
    if len(bits) % 8 >= 5 or "1" in bits[8 * length:]:
        raise ValueError("bits after the last byte")
    return bytes(int(bits[8 * index:8 * index + 8], 2) for index in range(length))


def check(payload: bytes, application: Application = HIKESHARE) -> str:
    """The characters that reveal a typing mistake."""
    return encode(hashlib.sha256(application.name.encode() + b" link\0" + payload).digest())[:CHECK_CHARACTERS]


@dataclass(frozen=True)
class ShareLink:
    """A token, the first 16 bytes of a peer id, and addresses; and 10 bytes if the sender has made a Wi-Fi network."""

    hosts: list[tuple[str, int]]
    id: bytes
    token: bytes
    network: bytes = b""
    application: Application = HIKESHARE

    def __str__(self) -> str:
        network = bytes([NETWORK]) + self.network if self.network else b""
        payload = self.token + self.id[:ID_BYTES] + network + b"".join(
            _address(*host, self.application.default_port) for host in self.hosts
        )
        return self.application.link_scheme + encode(payload) + check(payload, self.application)

    @property
    def network_name(self) -> str:
        return f"{self.application.name}-{encode(self.network)[:4]}"

    @property
    def network_password(self) -> str:
        characters = encode(self.network).lower()
        return "-".join([characters[4:8], characters[8:12], characters[12:16]])


def parse(text: str, application: Application = HIKESHARE) -> ShareLink:
    scheme = application.link_scheme
    if not text.upper().startswith(scheme) or len(text) > 1_024:
        raise ValueError("not a share link")
    typed = re.sub("[- ]", "", text[len(scheme):]).upper()
    characters = typed.replace("O", "0").replace("I", "1").replace("L", "1")
    payload = decode(characters[:-CHECK_CHARACTERS])
    if check(payload, application) != characters[-CHECK_CHARACTERS:]:
        raise ValueError("a share link with a typing mistake")
    start = TOKEN_BYTES + ID_BYTES
    network = b""
    if payload[start:start + 1] == bytes([NETWORK]):
        network = payload[start + 1:start + 1 + NETWORK_BYTES]
        if len(network) < NETWORK_BYTES:
            raise ValueError("a share link that is cut off")
        start += 1 + NETWORK_BYTES
    hosts = _hosts(payload[start:], application.default_port)
    if not 1 <= len(hosts) <= 16:
        raise ValueError("a share link without addresses, or with too many")
    link = ShareLink(hosts, payload[TOKEN_BYTES:TOKEN_BYTES + ID_BYTES], payload[:TOKEN_BYTES], network, application)
    if str(link) != scheme + characters:
        raise ValueError("a share link has one form")
    return link


def _address(host: str, port: int, default_port: int | None) -> bytes:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        kind, body = NAME, bytes([len(host)]) + host.encode("ascii")
    else:
        if address.version == 4:
            kind, body = IPV4, address.packed
        elif address.packed.startswith(LINK_LOCAL):
            kind, body = IPV6_LINK_LOCAL, address.packed[len(LINK_LOCAL):]
        else:
            kind, body = IPV6, address.packed
    if port == default_port:
        return bytes([kind]) + body
    return bytes([kind | PORT_FOLLOWS]) + body + port.to_bytes(2, "big")


def _hosts(data: bytes, default_port: int | None) -> list[tuple[str, int]]:
    hosts = []
    position = 0

    def take(count: int) -> bytes:
        nonlocal position
        if position + count > len(data):
            raise ValueError("a share link that is cut off")
        position += count
        return data[position - count:position]

    while position < len(data):
        first = take(1)[0]
        kind = first & ~PORT_FOLLOWS
        if kind == IPV4:
            host = str(ipaddress.IPv4Address(take(4)))
        elif kind == IPV6:
            host = str(ipaddress.IPv6Address(take(16)))
        elif kind == IPV6_LINK_LOCAL:
            host = str(ipaddress.IPv6Address(LINK_LOCAL + take(8)))
        elif kind == NAME:
            host = take(take(1)[0]).decode("latin-1")
            if not re.fullmatch(r"[A-Za-z0-9.-]{1,253}", host, re.ASCII):
                raise ValueError("a name that is none")
        else:
            raise ValueError("a kind of address that is not known")
        port = int.from_bytes(take(2), "big") if first & PORT_FOLLOWS else default_port
        if not port:
            raise ValueError("a port of 0, or none")
        hosts.append((host, port))
    return hosts
