"""Files and pages that phones and browsers open: their sizes, the time to make them, and the time to open them.

Of the example region, and of each map that is given (its hikes and routes beside it are imported, too): the HTML file and the PDF
that are made without options, opened in Chromium and in WebKitGTK, with scripts and without; and the page of `map`. The time runs
from the address to a map that is drawn, or without scripts until the page is loaded. A new browser opens each page.
"""
import glob, json, os, subprocess, sys
from statistics import median

from bench.figures import spread
from bench.hikeshare import store_of
from bench.processes import Process, measure as measure_program
from common.hikeshare import JSONFile
from common.processes import PATIENCE, Failure, note, run, wait_until

PROJECT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
EXAMPLE = os.path.join(PROJECT, "Docs", "example")
BROWSERS = {"Chromium": [], "WebKitGTK": ["--engine", "webkit"], "Chromium, no scripts": ["--no-scripts"],
            "WebKitGTK, no scripts": ["--engine", "webkit", "--no-scripts"]}


def opened(address, options):
    """The seconds until a new browser of the size of a phone shows a page."""
    browser = os.path.join(PROJECT, "Tests", "Browser")
    done = subprocess.run([sys.executable, browser, address, "--width", "390", "--height", "844", *options],
                          capture_output=True, text=True)
    result = json.loads(done.stdout) if done.stdout else {"failure": done.stderr[-500:]}
    if "failure" in result or ("--no-scripts" not in options and result["ready"] != "yes"):
        raise Failure(f"{address} was not shown: {result}")
    if result["hues"] < 16:
        raise Failure(f"{address} shows no map: {result['hues']} colours")
    return result["seconds"]


def regions(bench, folder):
    """Makes a store of each map; yields its name and the store."""
    for path in [os.path.join(EXAMPLE, "coma-pedrosa.mbtiles"), *bench.files]:
        name = os.path.splitext(os.path.basename(path))[0]
        tracks = sorted(glob.glob(os.path.join(os.path.dirname(path), "*.gpx")))
        store = store_of(bench, os.path.join(folder, name), path, name=name)
        for track in tracks:
            run([bench.binary, "import", track, "--region", name, "--store", store, "--quiet"])
        yield name, store


class Page:
    """The page of `map`, without a browser of its own."""

    def __init__(self, bench, store, name):
        self.path = os.path.join(bench.folder("page"), "said")
        self.file = open(self.path, "w")
        self.process = Process([bench.binary, "map", name, "--store", store, "--no-browser", "--format", "json"], output=self.file)

    def __enter__(self):
        output = JSONFile(self.path)
        self.lines = wait_until("the page of `map` is there", lambda: output.lines("map"), limit=PATIENCE, pause=0.01)
        return self.lines[0]["url"]

    def __exit__(self, *_):
        self.process.kill()
        self.file.close()


def measure(bench, report):
    folder = bench.folder("pages")
    times, sizes, slowest = [], [], [0]
    for name, store in regions(bench, folder):
        addresses = {}
        for kind in ("html", "pdf"):
            path, made = os.path.join(folder, f"{name}.{kind}"), []
            try:
                for _ in range(bench.rounds):
                    bench.remove(path)
                    made.append(measure_program([bench.binary, "export", name, f"--{kind}", path, "--store", store, "--quiet"])[0])
            except Failure as failure:
                # Of vector tiles, there is no PDF.
                note(f"pages: {name} has no {kind.upper()}: {failure}")
                continue
            sizes.append([name, kind.upper(), f"{os.path.getsize(path) / 1e6:.1f}", spread(made)])
            if kind == "html":
                addresses["HTML file"] = "file://" + path
        with Page(bench, store, name) as page:
            addresses["page of map"] = page
            for what, address in addresses.items():
                kept = {browser: [] for browser in BROWSERS if what != "page of map" or "scripts" not in browser}
                for number in range(bench.rounds):
                    for browser in kept:
                        note(f"pages: round {number + 1} of {bench.rounds}, {what} of {name} in {browser}")
                        kept[browser].append(opened(address, BROWSERS[browser]))
                slowest = max(slowest, *kept.values(), key=median)
                times.append([name, what, *(spread(kept[browser]) if browser in kept else "" for browser in BROWSERS)])
    report.section("Files that phones keep", ["region", "file", "MB", "made in, s"], sizes)
    report.section("Time until a map is drawn, or without scripts until the page is loaded, s",
                   ["region", "what", *BROWSERS], times)
    report.mark("slowest page / s", slowest, most=2)
    bench.remove(folder)
