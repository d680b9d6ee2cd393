"""Programs from Debian, as cases."""
import os, shutil

from bench.case import Case, exchange
from bench.processes import free_port
from common.processes import Failure, run


class Iperf3(Case):
    """The upper bound. It does not copy: it stops before the last MB arrive, and may write data out of order."""
    name = "iperf3 -F"
    # The share that may be missing, or as many bytes as can be on their way. The rate counts only what arrived.
    most_missing = 0.05
    most_bytes = 8 << 20

    def run(self):
        port = free_port()
        result = exchange(["iperf3", "-s", "-1", "-p", port, "-F", self.target],
                          ["iperf3", "-c", "127.0.0.1", "-p", port, "-F", self.source, "-t", "600"], port)
        sent, arrived = os.path.getsize(self.source), os.path.getsize(self.target)
        if arrived == 0 or arrived < sent - max(self.most_bytes, sent * self.most_missing):
            raise Failure(f"{self.name}: only {arrived} of {sent} bytes arrived")
        return result._replace(seconds=result.seconds * sent / arrived, cpu=result.cpu * sent / arrived)

    def check(self):
        pass


class Socat(Case):
    name = "socat -b 262144"

    def run(self):
        port = free_port()
        return exchange(
            ["socat", "-u", "-b", "262144", f"TCP-LISTEN:{port},bind=127.0.0.1", f"OPEN:{self.target},creat,trunc"],
            ["socat", "-u", "-b", "262144", f"OPEN:{self.source},rdonly", f"TCP:127.0.0.1:{port}"], port)


class SocatTLS(Case):
    """With its default buffers of 8 KiB."""
    name = "socat OPENSSL"
    options = []

    def prepare(self):
        self.certificate = make_certificate(self.folder)

    def run(self):
        port = free_port()
        return exchange(
            ["socat", "-u", *self.options, f"OPENSSL-LISTEN:{port},bind=127.0.0.1,cert={self.certificate},verify=0",
             f"OPEN:{self.target},creat,trunc"],
            ["socat", "-u", *self.options, f"OPEN:{self.source},rdonly", f"OPENSSL:127.0.0.1:{port},verify=0"], port)


class SocatTLSLarge(SocatTLS):
    """With the buffers that make it fastest."""
    name = "socat -b 262144 OPENSSL"
    options = ["-b", "262144"]


def make_certificate(folder):
    """Makes a file with a P-256 key and its certificate; returns its path."""
    key, certificate, both = (os.path.join(folder, name) for name in ("key.pem", "certificate.pem", "both.pem"))
    run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
         "-subj", "/CN=bench", "-keyout", key, "-out", certificate])
    with open(both, "w") as file:
        for part in (key, certificate):
            with open(part) as text:
                file.write(text.read())
    return both


class RsyncDaemon(Case):
    name = "rsync daemon -W"

    def run(self):
        port = free_port()
        configuration = os.path.join(self.folder, "rsyncd.conf")
        with open(configuration, "w") as file:
            file.write("use chroot = no\naddress = 127.0.0.1\nuid = 0\ngid = 0\n"
                       f"[m]\npath = {self.folder}\nread only = no\n")
        return exchange(["rsync", "--daemon", "--no-detach", f"--port={port}", f"--config={configuration}"],
                        ["rsync", "-W", "--inplace", self.source, f"rsync://127.0.0.1:{port}/m/target"], port, lasting=True)


class Scp(Case):
    name = "scp"

    def prepare(self):
        self.host_key, self.user_key = (os.path.join(self.folder, name) for name in ("host_key", "user_key"))
        for key in (self.host_key, self.user_key):
            run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key])
        shutil.copy(self.user_key + ".pub", os.path.join(self.folder, "authorized"))
        os.makedirs("/run/sshd", exist_ok=True)

    def server(self, port):
        return ["/usr/sbin/sshd", "-D", "-e", "-f", "/dev/null", "-p", port, "-h", self.host_key,
                "-o", "ListenAddress=127.0.0.1", "-o", f"AuthorizedKeysFile={self.folder}/authorized", "-o", "UsePAM=no",
                "-o", "StrictModes=no", "-o", "PidFile=none", "-o", "PermitRootLogin=yes",
                "-o", "Subsystem=sftp internal-sftp"]

    def options(self):
        return ["-i", self.user_key, "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null",
                "-o", "LogLevel=ERROR", "-F", "none"]

    def client(self, port):
        return ["scp", "-q", "-P", port, *self.options(), self.source, f"127.0.0.1:{self.target}"]

    def run(self):
        port = free_port()
        return exchange(self.server(port), self.client(port), port, lasting=True)


class RsyncSSH(Scp):
    name = "rsync over ssh -W"

    def client(self, port):
        shell = " ".join(["ssh", "-p", str(port), *self.options()])
        return ["rsync", "-W", "--inplace", "-e", shell, self.source, f"127.0.0.1:{self.target}"]
