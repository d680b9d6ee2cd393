"""Runs programs and waits for conditions."""
import subprocess, sys, time

# Seconds that only a hang takes, however busy the machine is.
PATIENCE = 300


class Failure(Exception):
    """A program or a check has failed; the message says why."""


def expect(condition, message):
    if not condition:
        raise Failure(message)


def note(text):
    """Reports progress on the standard error output."""
    print(time.strftime("%H:%M:%S"), text, file=sys.stderr, flush=True)


def run(command, **options):
    """Runs a program that must succeed; returns its output."""
    command = [str(word) for word in command]
    result = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, **options)
    expect(result.returncode == 0,
           f"{' '.join(command)} ended with {result.returncode}: {(result.stderr or result.stdout).strip()}")
    return result.stdout


def wait_until(what, condition, limit=PATIENCE, pause=0.001):
    """Waits until a condition is true; returns its value.

    Time during which the whole machine was stopped does not count towards the limit.
    """
    waited, last = 0, time.monotonic()
    while not (result := condition()):
        expect(waited <= limit, f"not within {limit} s: {what}")
        time.sleep(pause)
        now = time.monotonic()
        waited, last = waited + min(now - last, 0.1 + pause), now
    return result
