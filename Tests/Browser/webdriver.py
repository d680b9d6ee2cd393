"""What WebKitGTK and Firefox have in common: the commands of WebDriver, which each of them takes in its own way."""

import base64
import ctypes
import signal
import subprocess
import time

from devtools import READY, Failure

# How WebDriver calls a reference to an element.
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"

# Where WebDriver has keys that write nothing.
KEYS = {
    "Backspace": "\ue003", "Tab": "\ue004", "Enter": "\ue007", "Shift": "\ue008", "Control": "\ue009", "Escape": "\ue00c",
    "Space": " ", "PageUp": "\ue00e", "PageDown": "\ue00f", "End": "\ue010", "Home": "\ue011", "ArrowLeft": "\ue012",
    "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015", "Delete": "\ue017",
}


class WebDriver:
    """A browser with one page. A subclass has `perform`, which sends a command and returns its result."""

    deadline = 0.0
    runs_scripts = True

    def evaluate(self, expression):
        """Evaluates an expression in the page; waits for a promise."""
        return self.run("", expression)

    def run(self, script, expression):
        """Runs a script, and evaluates an expression after it; waits for a promise."""
        script += f"""\n;const done = arguments[0];
            (async () => ({expression}\n))().then((value) => done({{ value }}), (error) => done({{ error: String(error) }}));"""
        result = self.perform("ExecuteAsyncScript", script=script, args=[])
        if "error" in result:
            raise Failure(result["error"])
        return result.get("value")

    def element(self, expression):
        """Returns a reference to the element that an expression gives; None if it gives none."""
        return self.perform("ExecuteScript", script=f"return {expression};", args=[])

    def navigate(self, url):
        """Opens an address, and waits until the page is loaded."""
        self.perform("Navigate", url=url)

    def open(self, url, waits=True):
        """Opens an address, and waits until the page says that it is ready, or only until it is loaded."""
        self.navigate(url)
        return self.evaluate(READY) if waits else None

    def click(self, element, dialog=None):
        """Clicks the middle of an element, and answers the dialog that appears then: a boolean, or the text that is typed."""
        self.perform("ElementClick", id=element[ELEMENT])
        if dialog is None:
            return
        while True:
            try:
                self.perform("GetAlertText")
                break
            except Failure as failure:
                if "no such alert" not in str(failure) or time.monotonic() > self.deadline:
                    raise
                time.sleep(0.05)
        if isinstance(dialog, str):
            self.perform("SendAlertText", text=dialog)
        self.perform("DismissAlert" if dialog is False else "AcceptAlert")

    def type(self, element, text):
        """Types a text in the place of what is in a field."""
        self.perform("ElementClear", id=element[ELEMENT])
        self.perform("ElementSendKeys", id=element[ELEMENT], text=text, value=list(text))

    def choose(self, element, paths):
        """Gives files to a field for files."""
        text = "\n".join(paths)
        self.perform("ElementSendKeys", id=element[ELEMENT], text=text, value=list(text))

    def press(self, keys):
        """Presses a key, such as `Enter`, or keys together, such as `Shift+Tab`."""
        pressed = [KEYS.get(key, key) for key in keys.split("+")]
        actions = [{"type": "keyDown", "value": key} for key in pressed]
        actions += [{"type": "keyUp", "value": key} for key in reversed(pressed)]
        self.perform("PerformActions", actions=[{"type": "key", "id": "keys", "actions": actions}])

    def drag(self, places):
        """Presses the mouse at the first place of the window, and releases it at the last one."""
        moves = [{"type": "pointerMove", "x": round(x), "y": round(y), "duration": 20} for x, y in places]
        actions = [moves[0], {"type": "pointerDown", "button": 0}, *moves[1:], {"type": "pointerUp", "button": 0}]
        self.perform("PerformActions", actions=[
            {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions}])

    def set_size(self, width, height, zoom=1):
        """Changes the size of the window."""
        if zoom != 1:
            raise Failure("this browser cannot change the zoom")
        # The window has a frame, and bars.
        for _ in range(3):
            inner = self.evaluate("[innerWidth, innerHeight]")
            if inner == [width, height]:
                return
            outer = self.perform("GetWindowRect")
            self.perform(
                "SetWindowRect", x=0, y=0, width=outer["width"] + width - inner[0], height=outer["height"] + height - inner[1])

    def set_media(self, features):
        """Changes features of media."""
        raise Failure("this browser takes what the desktop prefers when it starts")

    def screenshot(self):
        """Returns a picture of the page as PNG."""
        return base64.b64decode(self.perform("TakeScreenshot", full=False))

    def problems(self):
        """Errors and warnings of the console, if the browser tells of them."""
        return []


def start(command, **options):
    """Starts a program in a group of its own that does not outlive this one."""
    die_with_parent = ctypes.CDLL(None).prctl
    # PR_SET_PDEATHSIG of linux/prctl.h.
    return subprocess.Popen(
        command, stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=lambda: die_with_parent(1, signal.SIGTERM), **options)
