"""What a person does in a browser, step by step: each line of the input is a step in JSON, and each line of the output its result.

A step is `{"id": 1, "do": "click", "at": ["button", "Yes"]}`; `at` is a CSS selector, or a role and the start of a name. The result
is `{"id": 1, "value": ..., "seconds": ...}`, or `{"id": 1, "failure": "...", "page": "..."}` with the words of the page.

Steps that need an element wait until it is shown and can be used. All of them give up after the patience of the browser only.
"""

import fnmatch
import json
import os
import sys
import time

import axe
from devtools import Failure

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "targets.js"), encoding="utf-8") as source:
    FIND = "".join(line for line in source if not line.startswith("//")).strip()

# A field for files that is not in the page, whose files are dropped on an element.
DROP = """((target) => {
    const field = document.getElementById('browser-test-files');
    const data = new DataTransfer();
    for (const file of field.files) data.items.add(file);
    field.remove();
    for (const kind of ['dragenter', 'dragover', 'drop']) {
        target.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
    }
})"""

INTERVAL = 0.05


class Session:
    """Performs steps in a browser."""

    def __init__(self, browser, patience):
        self.browser, self.patience = browser, patience
        self.waits = browser.runs_scripts

    def run(self):
        """Performs the steps of the input, until it ends."""
        for line in sys.stdin:
            step = json.loads(line)
            start = time.monotonic()
            self.browser.deadline = start + self.patience
            result = {"id": step.pop("id")}
            try:
                result["value"] = getattr(self, "do_" + step.pop("do"))(**step)
                result["seconds"] = round(time.monotonic() - start, 2)
            except (Failure, OSError) as failure:
                result["failure"] = str(failure) or repr(failure)
                result["page"] = self.words()
            print(json.dumps(result), flush=True)

    def words(self):
        """The words that are on the page, for a person who looks for the cause of a failure."""
        self.browser.deadline = time.monotonic() + 10
        try:
            return self.browser.evaluate("location.pathname + '\\n' + document.body.innerText")[:4000]
        except (Failure, OSError) as failure:
            return str(failure)

    def patiently(self, look):
        """Calls a function until it returns something that is true; failures, as when another page is loaded, are no result."""
        last = None
        while True:
            try:
                value = look()
                if value:
                    return value
            except Failure as failure:
                last = failure
            if time.monotonic() > self.browser.deadline:
                raise Failure(f"it did not happen in {self.patience} s" + (f": {last}" if last else ""))
            time.sleep(INTERVAL)

    def usable(self, target):
        """Waits for an element that is shown and can be used."""
        found = f"{FIND}({json.dumps(target)})"
        self.patiently(lambda: self.browser.evaluate(f"((found) => !!found && !found.disabled)({found})"))
        return self.browser.element(found)

    def do_open(self, url):
        """Opens an address, and waits until the page says that it is ready, or without scripts until it is loaded."""
        return self.browser.open(url, self.waits)

    def do_reload(self):
        """Loads the page again."""
        return self.do_open(self.browser.evaluate("location.href"))

    def do_until(self, expression):
        """Waits until an expression is true, and returns its value, which cannot be an element."""
        return self.patiently(lambda: self.browser.evaluate(expression))

    def do_evaluate(self, expression):
        """Evaluates an expression in the page."""
        return self.browser.evaluate(expression)

    def do_click(self, at, dialog=None):
        """Clicks an element; with `dialog`, answers the dialog that appears then: true, false or the text that is typed."""
        self.patiently(lambda: self.browser.click(self.usable(at), dialog) or True)

    def do_type(self, at, text):
        """Types a text in the place of what is in a field."""
        self.patiently(lambda: self.browser.type(self.usable(at), text) or True)

    def do_press(self, keys):
        """Presses keys, one after the other; `Shift+Tab` is two keys together."""
        for key in keys:
            self.browser.press(key)

    def do_choose(self, at, paths):
        """Gives files to a field for files."""
        self.browser.choose(self.usable(at), paths)

    def do_drop(self, at, paths):
        """Drops files on an element."""
        self.browser.evaluate("""document.body.append(Object.assign(
            document.createElement('input'), { type: 'file', multiple: true, id: 'browser-test-files' }))""")
        self.browser.choose(self.browser.element("document.getElementById('browser-test-files')"), paths)
        self.browser.evaluate(f"{DROP}({FIND}({json.dumps(at)}))")

    def do_drag(self, at, along, finger=False):
        """Drags the mouse, or a finger in Chromium, over an element; places are fractions of its width and height."""
        self.usable(at)
        left, top, width, height = self.browser.evaluate(f"""((found) => {{
            found.scrollIntoView({{ block: 'nearest', behavior: 'instant' }});
            const box = found.getBoundingClientRect();
            return [box.left, box.top, box.width, box.height];
        }})({FIND}({json.dumps(at)}))""")
        drag = self.browser.touch if finger else self.browser.drag
        drag([(left + x * width, top + y * height) for x, y in along])

    def do_size(self, width, height, zoom=1):
        """Changes the size of the window, in its own pixels, and the zoom of the page."""
        self.browser.set_size(width, height, zoom)
        wanted = [width / zoom, height / zoom]
        self.patiently(lambda: all(
            abs(is_so - should_be) <= 1 for is_so, should_be in zip(self.browser.evaluate("[innerWidth, innerHeight]"), wanted)))

    def do_media(self, features):
        """Changes features of media, such as `forced-colors`."""
        self.browser.set_media(features)

    def do_language(self, tag):
        """Lets the person read another language: pages that are opened from now on are asked for in it."""
        self.browser.set_language(tag)

    def do_axe(self):
        """Returns what axe finds in the page as it is now."""
        return axe.violations(self.browser)

    def do_download(self, name):
        """Waits for a file that the page has given, whose name has this pattern; returns its path."""
        def look():
            names = os.listdir(self.browser.downloads)
            is_complete = not any(entry.endswith((".crdownload", ".part", ".wkdownload")) for entry in names)
            paths = [os.path.join(self.browser.downloads, entry) for entry in fnmatch.filter(names, name)]
            # Firefox makes an empty file first.
            return next((path for path in paths if is_complete and os.path.getsize(path)), None)
        return self.patiently(look)

    def do_screenshot(self, file):
        """Writes a picture of the page."""
        with open(file, "wb") as picture:
            picture.write(self.browser.screenshot())

    def do_problems(self):
        """Errors and warnings of the console so far."""
        return self.browser.problems()
