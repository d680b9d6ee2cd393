"""Syncthing: two instances, each with a home and a shared folder."""
import json, os, shutil, time, urllib.error, urllib.request
import xml.etree.ElementTree as xml

from bench.case import Case, Result
from bench.processes import Process, free_port, wait_listening
from common.processes import run, wait_until

KEY = "bench"
OPTIONS = {
    "globalAnnounceEnabled": "false", "localAnnounceEnabled": "false", "relaysEnabled": "false", "natEnabled": "false",
    "urAccepted": "-1", "crashReportingEnabled": "false", "autoUpgradeIntervalH": "0", "startBrowser": "false",
    "setLowPriority": "false", "stunKeepaliveStartS": "0", "reconnectionIntervalS": "5", "announceLANAddresses": "false",
}


class Instance:
    """A home, a shared folder, and the process that serves them."""

    def __init__(self, path):
        self.home, self.shared = os.path.join(path, "home"), os.path.join(path, "shared")
        self.environment = {**os.environ, "STNODEFAULTFOLDER": "1", "STNOUPGRADE": "1", "HOME": path}

    def make(self):
        run(["syncthing", "generate", f"--home={self.home}", "--no-default-folder"], env=self.environment)
        self.id = run(["syncthing", "serve", f"--home={self.home}", "--device-id"], env=self.environment).strip()

    def configure(self, other):
        """Tells the instance the address of the other one, with which it shares a folder that is scanned only on request."""
        path = os.path.join(self.home, "config.xml")
        tree = xml.parse(path)
        root = tree.getroot()
        for old in root.findall("device") + root.findall("folder"):
            root.remove(old)
        gui = root.find("gui")
        for name, text in (("address", f"127.0.0.1:{self.gui}"), ("apikey", KEY)):
            set_child(gui, name, text)
        options = root.find("options")
        for old in options.findall("listenAddress"):
            options.remove(old)
        for name, text in {**OPTIONS, "listenAddress": f"tcp://127.0.0.1:{self.port}"}.items():
            set_child(options, name, text)
        for instance in (self, other):
            device = xml.SubElement(root, "device", id=instance.id, name="bench", compression="metadata")
            xml.SubElement(device, "address").text = f"tcp://127.0.0.1:{instance.port}"
        folder = xml.SubElement(root, "folder", id="bench", label="bench", path=self.shared, type="sendreceive",
                                rescanIntervalS="0", fsWatcherEnabled="false", ignorePerms="true", autoNormalize="true")
        for instance in (self, other):
            xml.SubElement(folder, "device", id=instance.id)
        tree.write(path)

    def start(self):
        self.process = Process(["syncthing", "serve", f"--home={self.home}", "--no-browser", "--no-restart", "--no-upgrade"],
                               environment=self.environment)
        wait_listening(self.gui, self.process)
        wait_listening(self.port, self.process)

    def call(self, method, path):
        request = urllib.request.Request(f"http://127.0.0.1:{self.gui}/rest/{path}", method=method,
                                         headers={"X-API-Key": KEY}, data=b"" if method == "POST" else None)
        try:
            with urllib.request.urlopen(request, timeout=600) as answer:
                return json.loads(answer.read() or b"{}")
        except (urllib.error.URLError, ConnectionError, json.JSONDecodeError):
            self.process.expect_running()
            return {}

    def is_ready(self, other):
        connected = self.call("GET", "system/connections").get("connections", {}).get(other.id, {}).get("connected")
        return connected and self.call("GET", "db/status?folder=bench").get("state") == "idle"


def set_child(element, name, text):
    child = element.find(name)
    if child is None:
        child = xml.SubElement(element, name)
    child.text = text


class Syncthing(Case):
    """Measured from the request to scan the sender's folder until the complete file is in the receiver's folder.

    This includes hashing on the sending side, which hikeshare does during the import.
    """
    name = "syncthing"

    def prepare(self):
        self.sides = [Instance(os.path.join(self.folder, side)) for side in "ab"]
        for side in self.sides:
            os.makedirs(os.path.dirname(side.home), exist_ok=True)
            side.make()

    def run(self):
        sender, receiver = self.sides
        name = os.path.basename(self.target)
        self.arrived = os.path.join(receiver.shared, name)
        for side in self.sides:
            side.gui, side.port = free_port(), free_port()
            # Each round begins without an index of the files.
            for path in (os.path.join(side.home, "index-v0.14.0.db"), side.shared):
                shutil.rmtree(path, ignore_errors=True)
            os.makedirs(os.path.join(side.shared, ".stfolder"))
        for side, other in (self.sides, reversed(self.sides)):
            side.configure(other)
        try:
            for side in self.sides:
                side.start()
            wait_until("the two instances of syncthing are connected",
                       lambda: sender.is_ready(receiver) and receiver.is_ready(sender), 60)
            os.link(self.source, os.path.join(sender.shared, name))
            begin = time.monotonic()
            sender.call("POST", "db/scan?folder=bench")
            # The file has another name until it is verified.
            wait_until("the file has arrived", lambda: os.path.exists(self.arrived), 600)
            seconds = time.monotonic() - begin
            usages = []
            for side in self.sides:
                side.process.send_signal(15)
                usages.append(side.process.wait(60))
        finally:
            for side in self.sides:
                if hasattr(side, "process"):
                    side.process.kill()
        return Result(seconds, sum(usage.cpu for usage in usages), *(usage.peak for usage in usages))

    def check(self):
        os.replace(self.arrived, self.target)
        super().check()

    def clean(self):
        super().clean()
        for side in self.sides:
            shutil.rmtree(side.shared, ignore_errors=True)
