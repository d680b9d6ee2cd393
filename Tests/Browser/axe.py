"""axe, which finds in a page what people with a keyboard or a screen reader cannot use. Scripts/setup test installs it."""

import os

from devtools import Failure

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../.build/axe/axe.min.js")

# What it found, each with the places where it is so.
RUN = """axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map((found) =>
    `${found.id} (${found.impact}): ${found.help}: ${found.nodes.map((node) => node.html.slice(0, 200)).join(' ')}`))"""

# Timers that are over at once, but for limits of time, which nothing reaches. And <noscript>, which axe passes over, as what it is
# to a person then: a part of the page.
WITHOUT_SCRIPTS = """window.setTimeout = (run, time = 0, ...values) => {
    if (time < 1000) Promise.resolve().then(() => run(...values));
    return 0;
};
for (const part of document.querySelectorAll('noscript')) {
    const shown = document.createElement('div');
    shown.append(...part.childNodes);
    part.replaceWith(shown);
}
"""


def violations(browser):
    """Returns what axe finds in the page as it is now, one text each."""
    try:
        with open(SCRIPT, encoding="utf-8") as file:
            script = file.read()
    except FileNotFoundError as error:
        raise Failure("axe is missing: Scripts/setup test installs it") from error
    # Scripts that are allowed for a moment would make <noscript> vanish, so axe runs without timers.
    return browser.run(("" if browser.runs_scripts else WITHOUT_SCRIPTS) + script, RUN)
