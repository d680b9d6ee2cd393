"""Firefox, by its own protocol for remote control, Marionette: WebDriver's commands as JSON over TCP.

Scripts that Marionette runs do not see the constants of the page; those of BiDi do.
"""

import json
import os
import shutil
import socket
import tempfile
import time

from bidi import BiDi
from devtools import Failure
from webdriver import WebDriver, start

PREFERENCES = {
    "marionette.port": 0,
    # It asks no server for anything: there is no internet in the tests, and there must be no difference if there is.
    "app.normandy.enabled": False, "app.update.auto": False, "browser.aboutwelcome.enabled": False, "browser.safebrowsing.update.enabled": False,
    "browser.search.update": False, "browser.shell.checkDefaultBrowser": False, "browser.startup.homepage_override.mstone": "ignore",
    "datareporting.healthreport.uploadEnabled": False, "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.getAddons.cache.enabled": False, "extensions.systemAddon.update.enabled": False, "extensions.update.enabled": False,
    "messaging-system.rsexperimentloader.enabled": False, "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False, "network.dns.disablePrefetch": True, "network.prefetch-next": False,
    "nimbus.rollouts.enabled": False, "services.settings.server": "data:,", "toolkit.telemetry.reportingpolicy.firstRun": False,
    "network.proxy.type": 0,
    # What a page says to its console is in the output of the program.
    "devtools.console.stdout.content": True,
    # Files are saved without a question.
    "browser.download.folderList": 2, "browser.download.useDownloadDir": True, "browser.download.alwaysOpenPanel": False,
    "browser.download.always_ask_before_handling_new_types": False, "browser.download.open_pdf_attachments_inline": False,
    "browser.helperApps.neverAsk.saveToDisk": "application/octet-stream,application/pdf,application/zip,application/gpx+xml,text/html",
    "pdfjs.disabled": True,
}

# What a page sees of the desktop, and the preference for it.
MEDIA = {
    "prefers-color-scheme": ("layout.css.prefers-color-scheme.content-override", {"dark": 0, "light": 1}),
    "prefers-reduced-motion": ("ui.prefersReducedMotion", {"reduce": 1, "no-preference": 0}),
    "forced-colors": ("browser.display.document_color_use", {"active": 2, "none": 0}),
}


class Firefox(WebDriver):
    """A headless browser with one page. It has a profile of its own."""

    def __init__(self, width, height, dark, patience, scripts=True):
        self.deadline = time.monotonic() + patience
        self.runs_scripts = scripts
        self.profile = tempfile.mkdtemp(prefix="hikeshare-browser-")
        self.downloads = os.path.join(self.profile, "downloads")
        os.mkdir(self.downloads)
        self.count = 0
        self.connection = None
        preferences = {
            **PREFERENCES, "javascript.enabled": scripts, "browser.download.dir": self.downloads, "ui.prefersReducedMotion": 1,
            "layout.css.prefers-color-scheme.content-override": 0 if dark else 1,
        }
        with open(os.path.join(self.profile, "user.js"), "w", encoding="utf-8") as file:
            file.writelines(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in preferences.items())
        self.output = tempfile.TemporaryFile()
        environment = {**os.environ, "HOME": self.profile, "XDG_RUNTIME_DIR": self.profile, "DBUS_SESSION_BUS_ADDRESS": "disabled:",
                       "MOZ_HEADLESS_WIDTH": "1400", "MOZ_HEADLESS_HEIGHT": "1000", "MOZ_CRASHREPORTER_DISABLE": "1"}
        for name in [name for name in environment if name.startswith("XDG_") and name != "XDG_RUNTIME_DIR"]:
            del environment[name]
        # With system access, a command can set a preference and the size of the page.
        self.process = start(
            ["firefox-esr", "--headless", "--no-remote", "--marionette", "--remote-debugging-port=0", "--remote-allow-system-access",
             "--profile", self.profile, "about:blank"], stdout=self.output, stderr=self.output, env=environment)
        self.connection = self.connected()
        self.stream = self.connection.makefile("rb")
        self.receive()
        milliseconds = int(1000 * patience)
        session = self.perform(
            "NewSession", unhandledPromptBehavior="ignore", webSocketUrl=True,
            timeouts={"script": milliseconds, "pageLoad": milliseconds})
        self.bidi = BiDi(session["capabilities"]["webSocketUrl"], self.deadline)
        self.set_size(width, height)

    bidi = None

    def connected(self):
        """Waits until Firefox has written where it listens, and connects."""
        place = os.path.join(self.profile, "MarionetteActivePort")
        # A session has a connection for BiDi only if that listens already.
        bidi = os.path.join(self.profile, "WebDriverBiDiServer.json")
        while True:
            try:
                os.stat(bidi)
                with open(place, encoding="ascii") as file:
                    return socket.create_connection(("127.0.0.1", int(file.read())))
            except (FileNotFoundError, ValueError, ConnectionRefusedError) as error:
                if time.monotonic() > self.deadline or self.process.poll() is not None:
                    raise Failure("Firefox did not start: " + self.written()[-2000:]) from error
                time.sleep(0.05)

    def written(self):
        """What Firefox has written."""
        self.output.seek(0)
        return self.output.read().decode(errors="replace")

    def receive(self):
        """Waits for a message: its length, a colon, and JSON."""
        self.connection.settimeout(max(1, self.deadline - time.monotonic()))
        try:
            length = b""
            while not length.endswith(b":"):
                byte = self.stream.read(1)
                if not byte:
                    raise Failure("Firefox ended: " + self.written()[-2000:])
                length += byte
            return json.loads(self.stream.read(int(length[:-1])))
        except TimeoutError as error:
            raise Failure("Firefox did not answer in time") from error

    def perform(self, name, **parameters):
        """Sends a command and waits for its result."""
        self.count += 1
        full = name if ":" in name else "WebDriver:" + name
        message = json.dumps([0, self.count, full, parameters]).encode()
        self.connection.sendall(b"%d:%s" % (len(message), message))
        while True:
            _, number, error, result = self.receive()
            if number == self.count:
                break
        if error:
            raise Failure(f"{name}: {error['error']}: {error['message']}")
        return result["value"] if isinstance(result, dict) and set(result) == {"value"} else result

    def run(self, script, expression):
        """Runs a script, and evaluates an expression after it; waits for a promise."""
        if script:
            self.evaluated(script)
        # Where no scripts run, no promise is ever kept.
        form = "(async () => JSON.stringify([await ({}\n)]))()" if self.runs_scripts else "JSON.stringify([({}\n)])"
        return json.loads(self.evaluated(form.replace("{}", expression, 1))["value"])[0]

    def evaluated(self, expression):
        """Evaluates an expression as a script of the page."""
        result = self.bidi.call("script.evaluate", {
            "expression": expression, "target": {"context": self.perform("GetWindowHandle")}, "awaitPromise": True,
            "userActivation": True, "serializationOptions": {"maxDomDepth": 0, "maxObjectDepth": 0},
        }, self.deadline)
        if result["type"] == "exception":
            raise Failure(result["exceptionDetails"]["text"])
        return result["result"]

    def in_browser(self, script):
        """Runs a script with the rights of the browser itself."""
        self.perform("Marionette:SetContext", value="chrome")
        try:
            return self.perform("ExecuteScript", script=script, args=[])
        finally:
            self.perform("Marionette:SetContext", value="content")

    def set_size(self, width, height, zoom=1):
        """Changes the size of the page, also to one that is narrower than a window can be, and its zoom."""
        sizes = "".join(
            f"style.{limit}Width = '{width}px'; style.{limit}Height = '{height}px';" for limit in ("min", "max"))
        self.in_browser(f"const {{ style }} = gBrowser.selectedBrowser; {sizes} gBrowser.selectedBrowser.fullZoom = {zoom};")

    def set_media(self, features):
        """Changes features of media, such as forced-colors."""
        for name, value in features.items():
            if name not in MEDIA:
                raise Failure(f"Firefox cannot change {name}")
            preference, values = MEDIA[name]
            self.in_browser(f"Services.prefs.setIntPref('{preference}', {values[value]});")

    def problems(self):
        """Errors and warnings of the page, and what it has written to its console as such."""
        if not self.connection:
            return []
        found = self.in_browser("""return Services.console.getMessageArray()
            .filter((message) => message instanceof Ci.nsIScriptError && /^(http|file)/.test(message.sourceName))
            .map((message) => message.errorMessage + ' ' + message.sourceName);""")
        lines = self.written().splitlines()
        return found + [line for line in lines if line.startswith(("console.error: \"", "console.warn: \""))]

    def close(self):
        """Ends the browser and removes its profile."""
        for connection in (self.bidi, self.connection):
            if connection:
                connection.close()
        self.process.kill()
        self.process.wait()
        self.output.close()
        shutil.rmtree(self.profile, ignore_errors=True)
