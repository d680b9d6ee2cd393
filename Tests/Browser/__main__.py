"""Opens a page in a headless browser, evaluates expressions in it, and looks at a screenshot.

    python3 Tests/Browser URL [--engine chromium|webkit|firefox] [--no-scripts] [--width N] [--height N] [--dark]
        [--evaluate EXPRESSION]... [--pixels EXPRESSION] [--screenshot FILE] [--patience SECONDS]
    python3 Tests/Browser --steps [--engine ...] [--width N] [--height N] [--dark] [--patience SECONDS]

WebKitGTK is the engine family of Safari. With --no-scripts the page runs none. With --steps, the input says what to do (session.py).

Without --steps, prints one JSON object: `ready` (what the page says of itself), `seconds` (from its address to `ready`), `values` (the results of
the expressions), `problems` (errors and warnings of the console; none of WebKit), `colors` (of each place that the expression of
--pixels returns, the colours within three pixels), and `hues` (the number of different colours in the screenshot).
"""

import argparse
import json
import signal
import sys
import time

from devtools import Chromium, Failure
from firefox import Firefox
from png import pixels
from session import Session
from webkit import WebKit

ENGINES = {"chromium": Chromium, "webkit": WebKit, "firefox": Firefox}


def main():
    """Runs the browser as the arguments say."""
    parser = argparse.ArgumentParser()
    parser.add_argument("url", nargs="?")
    parser.add_argument("--steps", action="store_true")
    parser.add_argument("--engine", choices=ENGINES, default="chromium")
    parser.add_argument("--no-scripts", action="store_true")
    parser.add_argument("--width", type=int, default=3000)
    parser.add_argument("--height", type=int, default=760)
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--evaluate", action="append", default=[])
    parser.add_argument("--pixels")
    parser.add_argument("--screenshot")
    parser.add_argument("--patience", type=float, default=300)
    options = parser.parse_args()
    # Who ends this program ends the browser, too.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))
    browser = ENGINES[options.engine](options.width, options.height, options.dark, options.patience, not options.no_scripts)
    if options.steps:
        try:
            return Session(browser, options.patience).run()
        finally:
            browser.close()
    try:
        start = time.monotonic()
        report = {"ready": browser.open(options.url, not options.no_scripts)}
        report["seconds"] = round(time.monotonic() - start, 2)
        report["values"] = [browser.evaluate(expression) for expression in options.evaluate]
        places = browser.evaluate(options.pixels) if options.pixels else []
        image = browser.screenshot()
        if options.screenshot:
            with open(options.screenshot, "wb") as file:
                file.write(image)
        width, height, rows = pixels(image)
        report["colors"] = [around(x, y, width, height, rows) for x, y in places]
        report["hues"] = len({color for row in rows for color in row})
        report["problems"] = browser.problems()
    except Failure as failure:
        report = {"ready": None, "failure": str(failure), "problems": browser.problems()}
    finally:
        browser.close()
    print(json.dumps(report))


def around(x, y, width, height, rows):
    """Returns the different colours within three pixels of a place, as #rrggbb."""
    found = set()
    for row in rows[max(0, int(y) - 3):min(height, int(y) + 4)]:
        found.update(row[max(0, int(x) - 3):min(width, int(x) + 4)])
    return sorted("#%02x%02x%02x" % color for color in found)


main()
