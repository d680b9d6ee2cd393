"""A device: its certificate, what it says of itself, and its requests, in which everything can be wrong."""

import datetime
import hashlib
import json
import os
import socket
import ssl

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

API = "/api/localsend/v2/"
PATIENCE = 300


def make_certificate(path):
    """Makes a key and a certificate of its own signature in a file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "LocalSend User")])
    now = datetime.datetime.utcnow()
    certificate = (x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
                   .serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(days=1))
                   .not_valid_after(now + datetime.timedelta(days=3650)).sign(key, hashes.SHA256()))
    with open(path, "wb") as file:
        file.write(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
                                     serialization.NoEncryption()))
        file.write(certificate.public_bytes(serialization.Encoding.PEM))


class Answer:
    """The answer to a request; without a status if the other side closed the connection."""

    def __init__(self, data):
        head, _, self.body = data.partition(b"\r\n\r\n")
        words = head.split(b" ", 2)
        self.status = int(words[1]) if len(words) > 1 and words[1].isdigit() else None

    @property
    def json(self):
        try:
            return json.loads(self.body)
        except ValueError:
            return {}


class Device:
    """A device with a name and a key; `victim` is the address of whom it talks to."""

    def __init__(self, home, alias, port, victim, victim_port, fingerprint=None):
        os.makedirs(home, exist_ok=True)
        self.home, self.alias, self.port = home, alias, port
        self.victim, self.victim_port = victim, victim_port
        self.pem = os.path.join(home, "device.pem")
        if not os.path.exists(self.pem):
            make_certificate(self.pem)
        with open(self.pem) as file:
            text = file.read()
        certificate = text[text.index("-----BEGIN CERTIFICATE"):]
        self.own_fingerprint = hashlib.sha256(ssl.PEM_cert_to_DER_cert(certificate)).hexdigest().upper()
        self.fingerprint = fingerprint or self.own_fingerprint
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self.context.check_hostname, self.context.verify_mode = False, ssl.CERT_NONE
        self.context.load_cert_chain(self.pem)

    def info(self, **changes):
        """What it says of itself."""
        return {"alias": self.alias, "version": "2.2", "deviceModel": "Phone", "deviceType": "mobile",
                "fingerprint": self.fingerprint, "port": self.port, "protocol": "https", "download": False, **changes}

    def another(self, name):
        """Another device with another key, on the same host."""
        return Device(os.path.join(self.home, name), name, self.port + 1, self.victim, self.victim_port)

    def connect(self, timeout=PATIENCE):
        """A connection in TLS, with its certificate."""
        plain = socket.create_connection((self.victim, self.victim_port), timeout=timeout)
        return self.context.wrap_socket(plain, server_hostname=self.victim)

    def ask(self, path, body=b"", length=None, headers="", method="POST", hangs_up=False):
        """Sends a request, of which `body` may be any bytes or pieces of bytes, and returns the answer."""
        pieces = [body] if isinstance(body, bytes) else body
        if length is None:
            length = len(body)
        head = (f"{method} {API}{path} HTTP/1.1\r\nHost: {self.victim}:{self.victim_port}\r\nConnection: close\r\n"
                f"Content-Length: {length}\r\n{headers}\r\n")
        answer = b""
        try:
            with self.connect() as connection:
                try:
                    connection.sendall(head.encode("utf-8", "surrogateescape"))
                    for piece in pieces:
                        connection.sendall(piece)
                except OSError:
                    pass
                while not hangs_up and (piece := connection.recv(65536)):
                    answer += piece
        except OSError:
            pass
        return Answer(answer)

    def prepare(self, files, **changes):
        """Asks to send files, and returns the answer."""
        body = {"info": self.info(**changes), "files": files}
        return self.ask("prepare-upload", json.dumps(body).encode(), headers="Content-Type: application/json\r\n")

    def upload(self, agreement, file, content, length=None, token=None, hangs_up=False):
        """Sends a file, and returns the answer."""
        token = token or agreement.get("files", {}).get(file, "none")
        return self.ask(f"upload?sessionId={agreement.get('sessionId')}&fileId={file}&token={token}", content, length,
                        hangs_up=hangs_up)


def entry(number, name, content, **changes):
    """What is said of a file."""
    return {"id": str(number), "fileName": name, "size": len(content), "fileType": "application/octet-stream",
            "sha256": hashlib.sha256(content).hexdigest(), **changes}


def gpx(name="From a phone"):
    """A file that hikeshare reads."""
    return (f"<gpx version='1.1' creator='t' xmlns='http://www.topografix.com/GPX/1/1'><wpt lat='42.58' lon='1.46'>"
            f"<name>{name}</name></wpt></gpx>").encode()
