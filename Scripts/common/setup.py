"""Prepares a run: packages, the release build, and root rights."""
import os, subprocess, sys

from common.paths import RELEASE, ROOT, SCRIPTS

BINARY = os.path.join(RELEASE, "hikeshare")


def install(*purposes):
    """Installs missing packages; `purposes` are the arguments of Scripts/setup."""
    subprocess.run([os.path.join(SCRIPTS, "setup"), *purposes], check=True)


def build_release():
    subprocess.run([os.path.join(SCRIPTS, "release")], check=True, stdout=sys.stderr)


def build_sessions():
    """Makes the program that measures sessions."""
    subprocess.run([os.path.join(SCRIPTS, "common", "test-package"), "SessionBench", os.path.join(SCRIPTS, "release"),
                    "--product", "SessionBench"], check=True, stdout=sys.stderr)


def build_example(name):
    """Makes a debug build of an example program; returns its path."""
    subprocess.run(["swift", "build", "--product", name], check=True, stdout=sys.stderr, cwd=ROOT)
    return os.path.join(ROOT, ".build", "debug", name)


def as_root(command):
    """The command line that runs a command as root, with sudo if this program does not run as root."""
    return ["sudo", "env", "PATH=" + os.environ["PATH"], *command] if os.geteuid() else command
