"""WebDriver of WebKitGTK, the engine family of Safari, on a virtual display."""

import http.client
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time

from devtools import Failure
from webdriver import WebDriver, start

MINI_BROWSER = "/usr/lib/{}/webkit2gtk-4.1/MiniBrowser"

# Where the driver takes the commands of WebDriver.
COMMANDS = {
    "Navigate": ("POST", "url"), "ExecuteScript": ("POST", "execute/sync"), "ExecuteAsyncScript": ("POST", "execute/async"),
    "ElementClick": ("POST", "element/{id}/click"), "ElementClear": ("POST", "element/{id}/clear"),
    "ElementSendKeys": ("POST", "element/{id}/value"), "PerformActions": ("POST", "actions"), "TakeScreenshot": ("GET", "screenshot"),
    "GetWindowRect": ("GET", "window/rect"), "SetWindowRect": ("POST", "window/rect"), "GetAlertText": ("GET", "alert/text"),
    "SendAlertText": ("POST", "alert/text"), "AcceptAlert": ("POST", "alert/accept"), "DismissAlert": ("POST", "alert/dismiss"),
    "SetTimeouts": ("POST", "timeouts"),
}


class WebKit(WebDriver):
    """A browser with one page. It has a profile of its own."""

    def __init__(self, width, height, dark, patience, scripts=True):
        self.deadline = time.monotonic() + patience
        self.profile = tempfile.mkdtemp(prefix="hikeshare-browser-")
        self.downloads = os.path.join(self.profile, "Downloads")
        self.runs_scripts = scripts
        self.processes = []
        self.settle(dark)
        environment = {
            **os.environ, "HOME": self.profile, "XDG_RUNTIME_DIR": self.profile, "GDK_BACKEND": "x11",
            "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1", "LIBGL_ALWAYS_SOFTWARE": "1",
            "GTK_THEME": "Adwaita:dark" if dark else "Adwaita", "DISPLAY": self.display(width, height),
        }
        with socket.socket() as place:
            place.bind(("127.0.0.1", 0))
            self.port = place.getsockname()[1]
        self.start(["WebKitWebDriver", "--host=127.0.0.1", f"--port={self.port}"], env=environment)
        arguments = ["--automation", f"--geometry={width}x{height}"]
        if not scripts:
            arguments.append("--enable-javascript=false")
        machine = subprocess.run(["gcc", "-print-multiarch"], capture_output=True, text=True).stdout.strip() \
            or os.uname().machine + "-linux-gnu"
        options = {"binary": MINI_BROWSER.format(machine), "args": arguments}
        wish = {"capabilities": {"alwaysMatch": {
            "webkitgtk:browserOptions": options, "unhandledPromptBehavior": "ignore"}}}
        self.session = self.until_answered("POST", "/session", wish)["sessionId"]
        milliseconds = int(1000 * patience)
        self.perform("SetTimeouts", script=milliseconds, pageLoad=milliseconds)
        self.set_size(width, height)

    def settle(self, dark):
        """Writes what GTK and WebKit take from the desktop. A page sees its colours, and that nothing should move."""
        os.mkdir(self.downloads)
        folder = os.path.join(self.profile, ".config", "gtk-3.0")
        os.makedirs(folder)
        with open(os.path.join(folder, "settings.ini"), "w", encoding="ascii") as file:
            file.write(f"[Settings]\ngtk-enable-animations=0\ngtk-application-prefer-dark-theme={int(dark)}\n")
        with open(os.path.join(folder, "gtk.css"), "w", encoding="ascii") as file:
            # Its bar would make the window wider than a phone.
            file.write("* { min-width: 0; padding: 0 }\n")
        with open(os.path.join(self.profile, ".config", "user-dirs.dirs"), "w", encoding="ascii") as file:
            file.write('XDG_DOWNLOAD_DIR="$HOME/Downloads"\n')

    def display(self, width, height):
        """Starts a display, which chooses its number itself."""
        reading, writing = os.pipe()
        self.start(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{width + 200}x{height + 200}x24", "-nolisten", "tcp"],
            pass_fds=(writing,))
        os.close(writing)
        with os.fdopen(reading) as numbers:
            return ":" + numbers.readline().strip()

    def start(self, command, **options):
        """Starts a program, which close() ends."""
        self.processes.append(start(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options))

    def until_answered(self, *arguments):
        """Asks the driver, which takes a moment to listen."""
        while True:
            try:
                return self.ask(*arguments)
            except ConnectionRefusedError as error:
                if time.monotonic() > self.deadline or self.processes[-1].poll() is not None:
                    raise Failure("WebKitWebDriver did not answer") from error
                time.sleep(0.05)

    def ask(self, method, path, content=None):
        """Sends a command and waits for its result."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=max(1, self.deadline - time.monotonic()))
        try:
            connection.request(method, path, json.dumps(content) if content is not None else None)
            result = json.loads(connection.getresponse().read())["value"]
        except TimeoutError as error:
            raise Failure("the browser did not answer in time") from error
        finally:
            connection.close()
        if isinstance(result, dict) and "error" in result:
            raise Failure(f"{path}: {result['error']}: {result.get('message')}")
        return result

    def perform(self, name, **parameters):
        """Sends a command of the session."""
        method, path = COMMANDS[name]
        path = f"/session/{self.session}/" + path.format(id=parameters.get("id"))
        return self.ask(method, path, parameters if method == "POST" else None)

    def close(self):
        """Ends the browser and its display, and removes its profile."""
        try:
            self.ask("DELETE", f"/session/{self.session}")
        except (AttributeError, Failure, OSError):
            pass
        for process in reversed(self.processes):
            process.terminate()
            process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)
