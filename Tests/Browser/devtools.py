"""The DevTools protocol of Chromium, over a pair of pipes."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


# A promise of what the page says when it is ready.
READY = """new Promise((done) => {
    const root = document.documentElement;
    const look = () => { if (root.dataset.ready !== 'no') done(root.dataset.ready); };
    new MutationObserver(look).observe(root, { attributes: true });
    look();
})"""


class Failure(Exception):
    """The browser or the page did not do what was asked."""


class Chromium:
    """A headless browser with one page. It has a profile of its own and uses no network but loopback."""

    def __init__(self, width, height, dark, patience, scripts=True):
        self.deadline = time.monotonic() + patience
        self.profile = tempfile.mkdtemp(prefix="hikeshare-browser-")
        self.runs_scripts = scripts
        self.count = 0
        self.buffer = b""
        self.events = []
        from_browser, to_us = os.pipe()
        from_us, to_browser = os.pipe()
        self.reading, self.writing = from_browser, to_browser
        command = [
            "chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
            # Vector tiles are drawn with WebGL, which runs without a graphics card, too.
            "--enable-unsafe-swiftshader", "--hide-scrollbars", "--force-device-scale-factor=1", "--font-render-hinting=none",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", f"--user-data-dir={self.profile}",
            "--remote-debugging-pipe", "about:blank",
        ]
        self.errors = tempfile.TemporaryFile()
        # Chromium reads commands from descriptor 3 and writes to descriptor 4.
        shell = f'exec 3<&{from_us} 4>&{to_us}; exec "$@"'
        self.process = subprocess.Popen(
            ["sh", "-c", shell, "sh"] + command,
            pass_fds=(from_us, to_us),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self.errors,
        )
        os.close(from_us)
        os.close(to_us)
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = None
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.call("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ])

    session = None

    def call(self, method, **parameters):
        """Sends a command and waits for its answer."""
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.writing, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise Failure(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def receive(self):
        """Waits for a message."""
        while b"\0" not in self.buffer:
            left = self.deadline - time.monotonic()
            if left <= 0 or not select.select([self.reading], [], [], left)[0]:
                raise Failure("the browser did not answer in time")
            piece = os.read(self.reading, 1 << 20)
            if not piece:
                self.errors.seek(0)
                raise Failure("the browser ended: " + self.errors.read().decode(errors="replace")[-2000:])
            self.buffer += piece
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def evaluate(self, expression):
        """Evaluates an expression in the page; waits for a promise."""
        result = self.call(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True, userGesture=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise Failure(details.get("exception", {}).get("description") or details["text"])
        return result["result"].get("value")

    def open(self, url, waits=True):
        """Opens an address, and waits until the page says that it is ready, or only until it is loaded."""
        error = self.call("Page.navigate", url=url).get("errorText")
        if error:
            raise Failure(f"{url}: {error}")
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.receive())
        if not waits:
            return None
        return self.evaluate(READY)

    def screenshot(self):
        """Returns a picture of the page as PNG."""
        # Two frames later, everything is on the screen. Without scripts, no frame tells of itself.
        if self.runs_scripts:
            self.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))")
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])

    def problems(self):
        """Everything that the console of the page has shown as an error or a warning."""
        found = []
        for event in self.events:
            method, parameters = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                details = parameters["exceptionDetails"]
                found.append(details.get("exception", {}).get("description") or details["text"])
            elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
                # WebGL without a graphics card is slow.
                if "GL Driver Message" in parameters["entry"]["text"]:
                    continue
                found.append(f"{parameters['entry']['text']} {parameters['entry'].get('url', '')}")
            elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
                found.append(str([argument.get("value") for argument in parameters["args"]]))
            elif method == "Network.loadingFailed" and not parameters.get("canceled"):
                found.append(f"a request failed: {parameters['errorText']}")
        return found

    def close(self):
        """Ends the browser and removes its profile."""
        self.process.kill()
        self.process.wait()
        os.close(self.reading)
        os.close(self.writing)
        shutil.rmtree(self.profile, ignore_errors=True)
