"""iroh, from PyPI: QUIC between peers that know each other by their keys. What Python takes is in each of its figures."""
import os, sys

from bench.talkers import Rival
from common.processes import run

NAME = "iroh, by Python"
PACKAGE = "iroh==1.2.0"
PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "iroh_program.py")


def install(cache):
    """Installs iroh into a virtual environment, if it is missing."""
    folder, python = os.path.join(cache, "iroh"), python_of(cache)
    if not os.path.exists(python) or PACKAGE not in run([python, "-m", "pip", "freeze"]).split():
        run([sys.executable, "-m", "venv", "--clear", folder])
        run([python, "-m", "pip", "install", "-q", PACKAGE])


def python_of(cache):
    return os.path.join(cache, "iroh", "bin", "python")


def talk(program, bench, *both, connect=()):
    """Both sides of a program of iroh."""
    return Rival(python_of(bench.cache), PROGRAM, program, listen=both, connect=[*both, *connect])
