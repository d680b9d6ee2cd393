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


# The middle of an element in the window; nothing if something else would get a click there.
MIDDLE = """function () {
    const box = this.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const hit = document.elementFromPoint(x, y);
    return hit && (this.contains(hit) || hit.contains(this)) ? [x, y] : null;
}"""

MODIFIERS = {"Alt": 1, "Control": 2, "Shift": 8}

KEY_CODES = {
    "Backspace": 8, "Tab": 9, "Enter": 13, "Escape": 27, "Space": 32, "PageUp": 33, "PageDown": 34, "End": 35, "Home": 36,
    "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Delete": 46,
}


class Failure(Exception):
    """The browser or the page did not do what was asked."""


class Chromium:
    """A headless browser with one page. It has a profile of its own and uses no network but loopback."""

    def __init__(self, width, height, dark, patience, scripts=True):
        self.deadline = time.monotonic() + patience
        self.profile = tempfile.mkdtemp(prefix="hikeshare-browser-")
        self.downloads = os.path.join(self.profile, "downloads")
        os.mkdir(self.downloads)
        self.runs_scripts = scripts
        self.dialog = None
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
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE 10.77.0.*", f"--user-data-dir={self.profile}",
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
        self.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=self.downloads)
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = None
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.set_size(width, height)
        self.call("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.media = {"prefers-color-scheme": "dark" if dark else "light", "prefers-reduced-motion": "reduce"}
        self.set_media({})

    session = None

    def call(self, method, **parameters):
        """Sends a command and waits for its answer."""
        self.count += 1
        number = self.count
        self.send(number, method, parameters)
        while True:
            answer = self.receive()
            if answer.get("id") == number:
                if "error" in answer:
                    raise Failure(f"{method}: {answer['error']}")
                return answer["result"]
            self.note(answer)

    def note(self, event):
        """Keeps an event. A dialog is answered at once, because the page stands still until then."""
        self.events.append(event)
        if event.get("method") == "Page.javascriptDialogOpening":
            answer, self.dialog = self.dialog, None
            text = {"promptText": answer} if isinstance(answer, str) else {}
            # Its result comes after that of the command that opened the dialog.
            self.count += 1
            self.send(self.count, "Page.handleJavaScriptDialog", {"accept": answer not in (None, False), **text})

    def send(self, number, method, parameters):
        """Sends a command."""
        message = {"id": number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.writing, data):]

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
        before = len(self.events)
        error = self.call("Page.navigate", url=url).get("errorText")
        if error:
            raise Failure(f"{url}: {error}")
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events[before:]):
            self.note(self.receive())
        if not waits:
            return None
        return self.evaluate(READY)

    def element(self, expression):
        """Returns a reference to the element that an expression gives; None if it gives none."""
        result = self.call("Runtime.evaluate", expression=expression)
        if "exceptionDetails" in result:
            raise Failure(result["exceptionDetails"]["text"])
        return result["result"].get("objectId")

    def click(self, element, dialog=None):
        """Clicks the middle of an element, and answers the dialog that appears then: a boolean, or the text that is typed."""
        self.call("DOM.scrollIntoViewIfNeeded", objectId=element)
        place = self.call("Runtime.callFunctionOn", objectId=element, returnByValue=True, functionDeclaration=MIDDLE)["result"]
        if place.get("value") is None:
            raise Failure("something else is over it")
        self.dialog = dialog
        x, y = place["value"]
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
        # The page stands still while its dialog is open.
        while self.dialog is not None:
            self.note(self.receive())

    def type(self, element, text):
        """Types a text in the place of what is in a field."""
        self.call("Runtime.callFunctionOn", objectId=element, functionDeclaration="function () { this.focus(); this.select(); }")
        self.press("Delete")
        self.call("Input.insertText", text=text)

    def choose(self, element, paths):
        """Gives files to a field for files."""
        self.call("DOM.setFileInputFiles", objectId=element, files=paths)

    def press(self, keys):
        """Presses a key, such as `Enter`, or keys together, such as `Shift+Tab`."""
        pressed = keys.split("+")
        modifiers = sum(MODIFIERS.get(key, 0) for key in pressed[:-1])
        key = {"Space": " "}.get(pressed[-1], pressed[-1])
        code = KEY_CODES.get(pressed[-1]) or ord(key.upper())
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
        common = {"key": key, "code": pressed[-1], "windowsVirtualKeyCode": code, "modifiers": modifiers}
        self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **common, **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def drag(self, places):
        """Presses the mouse at the first place of the window, and releases it at the last one."""
        def mouse(kind, place, buttons):
            self.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", buttons=buttons, clickCount=1)
        mouse("mouseMoved", places[0], 0)
        mouse("mousePressed", places[0], 1)
        for place in places[1:]:
            mouse("mouseMoved", place, 1)
        mouse("mouseReleased", places[-1], 0)

    def touch(self, places):
        """Puts a finger on the first place of the window, and lifts it at the last one."""
        self.call("Emulation.setTouchEmulationEnabled", enabled=True)
        for kind, touched in [("touchStart", places[:1])] + [("touchMove", [place]) for place in places[1:]] + [("touchEnd", [])]:
            self.call("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y} for x, y in touched])

    def set_size(self, width, height, zoom=1):
        """Changes the size of the window, in its own pixels, and the zoom of the page."""
        self.call(
            "Emulation.setDeviceMetricsOverride", width=round(width / zoom), height=round(height / zoom),
            deviceScaleFactor=zoom, mobile=width < 600)

    def set_media(self, features):
        """Changes features of media, such as forced-colors."""
        self.media.update(features)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": name, "value": value} for name, value in self.media.items()])

    def set_language(self, tag):
        """Asks for pages in a language, also by `navigator.languages`."""
        agent = self.call("Browser.getVersion")["userAgent"]
        self.call("Network.setUserAgentOverride", userAgent=agent, acceptLanguage=tag)

    def run(self, script, expression):
        """Runs a script, and evaluates an expression after it."""
        self.evaluate(script + "\n;0")
        return self.evaluate(expression)

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
