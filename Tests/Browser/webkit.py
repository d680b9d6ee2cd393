"""WebDriver of WebKitGTK, the engine family of Safari, on a virtual display."""

import base64
import http.client
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time

from devtools import READY, Failure

MINI_BROWSER = "/usr/lib/{}/webkit2gtk-4.1/MiniBrowser"


class WebKit:
    """A browser with one page. It has a profile of its own."""

    def __init__(self, width, height, dark, patience, scripts=True):
        self.deadline = time.monotonic() + patience
        self.profile = tempfile.mkdtemp(prefix="hikeshare-browser-")
        self.processes = []
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
        wish = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        self.session = self.until_answered("POST", "/session", wish)["sessionId"]
        self.call("POST", "window/rect", {"x": 0, "y": 0, "width": width, "height": height})
        milliseconds = int(1000 * patience)
        self.call("POST", "timeouts", {"script": milliseconds, "pageLoad": milliseconds})

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
        """Starts a process in a group of its own, which close() ends."""
        self.processes.append(subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True, **options))

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

    def call(self, method, name, content=None):
        """Sends a command of the session."""
        return self.ask(method, f"/session/{self.session}/{name}", content)

    def evaluate(self, expression):
        """Evaluates an expression in the page; waits for a promise."""
        script = f"const done = arguments[0]; Promise.resolve({expression}).then(done);"
        return self.call("POST", "execute/async", {"script": script, "args": []})

    def open(self, url, waits=True):
        """Opens an address, and waits until the page says that it is ready."""
        self.call("POST", "url", {"url": url})
        if not waits:
            return None
        return self.evaluate(READY)

    def screenshot(self):
        """Returns a picture of the page as PNG."""
        return base64.b64decode(self.call("GET", "screenshot"))

    def problems(self):
        """Nothing: the driver does not tell of the console."""
        return []

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
