"""Where things are in the repository."""
import os

SCRIPTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(SCRIPTS)
EXAMPLE = os.path.join(ROOT, "Docs", "example")
RELEASE = os.path.join(ROOT, ".build", "release")
