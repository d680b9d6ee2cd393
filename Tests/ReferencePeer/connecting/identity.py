"""Who a peer is: its key and certificate, the peers it trusts, and the digits of a pairing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from formats.chunks import sha256


@dataclass(frozen=True)
class Identity:
    """A key and its self-signed certificate, kept in a folder together with the ids of trusted peers."""

    folder: Path
    key: ec.EllipticCurvePrivateKey
    certificate: x509.Certificate

    @property
    def id(self) -> bytes:
        return peer_id(self.certificate)

    @property
    def trusted(self) -> set[bytes]:
        file = self.folder / "trusted"
        return {bytes.fromhex(line) for line in file.read_text().split()} if file.exists() else set()

    def trust(self, id: bytes) -> None:
        (self.folder / "trusted").write_text("".join(f"{known.hex()}\n" for known in self.trusted | {id}))

    @staticmethod
    def load(folder: Path) -> Identity:
        """Reads the key in a folder; makes one first if there is none."""
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / "key.pem"
        if not file.exists():
            key = ec.generate_private_key(ec.SECP256R1())
            file.touch(mode=0o600)
            file.write_bytes(
                key.private_bytes(
                    serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
                )
            )
        key = serialization.load_pem_private_key(file.read_bytes(), password=None)
        return Identity(folder, key, _certificate(key))


def _certificate(key: ec.EllipticCurvePrivateKey) -> x509.Certificate:
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "reference peer")])
    now = datetime.utcnow()
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=3650))
        .sign(key, hashes.SHA256())
    )


def peer_id(certificate: x509.Certificate) -> bytes:
    """The digest of the public key, which has to be one of P-256."""
    key = certificate.public_key()
    if not isinstance(key, ec.EllipticCurvePublicKey) or not isinstance(key.curve, ec.SECP256R1):
        raise ValueError("the certificate's key is not one of P-256")
    return sha256(
        key.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    )


# Pairing


def commitment(sender_nonce: bytes) -> bytes:
    return sha256(b"hikeshare pairing commitment\0", sender_nonce)


def digits(version: int, receiver: bytes, sender: bytes, receiver_nonce: bytes, sender_nonce: bytes) -> str:
    digest = sha256(
        b"hikeshare pairing digits\0", version.to_bytes(2, "big"), receiver, sender, receiver_nonce, sender_nonce
    )
    return f"{int.from_bytes(digest[:8], 'big') % 1_000_000:06}"


def parse_address(text: str) -> tuple[str, int]:
    match = re.fullmatch(r"(?:\[([0-9A-Fa-f:.%a-zA-Z_~-]+)\]|([A-Za-z0-9.-]+)):([1-9][0-9]{0,4})", text, re.ASCII)
    if not match or int(match[3]) > 65_535:
        raise ValueError(f"{text} is not an address")
    return match[1] or match[2], int(match[3])
