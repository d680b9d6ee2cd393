"""The translations of the program: gettext's PO files, and the tables that are compiled from them.

    python3 Scripts/words update    collects the sentences of the sources in the template, and brings all PO files up to date
    python3 Scripts/words make      makes the tables of all PO files
    python3 Scripts/words check     fails if the template, a PO file or a table is not as it should be
    python3 Scripts/words count     says how much of each language there is

Docs/Translating.md says how to add a language.
"""

import sys

sys.dont_write_bytecode = True

import checks
import po
import sources
import tables


def update():
    messages = sources.messages()
    po.TEMPLATE.write_text(po.template(messages), encoding="utf-8")
    for path in po.languages():
        po.merge(path, messages)
    print(f"{len(messages)} sentences")


def make():
    for path, content in tables.files(sources.messages()).items():
        path.write_bytes(content)
    for path in tables.unneeded():
        path.unlink()


def check():
    problems = checks.problems(sources.messages())
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


def count():
    messages = sources.messages()
    for path in po.languages():
        known = po.read(path)
        parts = []
        for name, is_terminal in [("pages", False), ("terminal", True)]:
            wanted = [each for each in messages if each.is_terminal == is_terminal]
            done = sum(1 for each in wanted if po.translation(each, known))
            parts.append(f"{name} {done} of {len(wanted)}")
        print(f"{path.stem}: {', '.join(parts)}")


COMMANDS = {"update": update, "make": make, "check": check, "count": count}

if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in COMMANDS:
        print(__doc__.strip(), file=sys.stderr)
        sys.exit(64)
    sys.exit(COMMANDS[sys.argv[1]]())
