"""Gettext's PO files."""

import ast
import re

import sources

FOLDER = sources.ROOT / "Sources/CTranslations/po"
TEMPLATE = FOLDER / "hikeshare.pot"
HEADER = """\
msgid ""
msgstr ""
"Project-Id-Version: hikeshare\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"""


class Catalogue:
    """What a file has: its header, and translations by the English sentences, with all forms."""

    def __init__(self, path):
        self.header = ""
        self.texts = {}
        self.notes = {}
        entry, field = {}, None
        for line in [*path.read_text(encoding="utf-8").splitlines(), ""]:
            match = re.match(r'(msgid|msgid_plural|msgstr(?:\[\d+\])?) (".*")$', line)
            if match and match[1] == "msgid":
                self.keep(entry)
                entry = {"notes": entry.get("notes", []) if "msgid" not in entry else entry.get("next", [])}
            if match:
                field = match[1]
                entry[field] = ast.literal_eval(match[2])
            elif line.startswith('"') and field:
                entry[field] += ast.literal_eval(line)
            elif line.startswith("# ") or line == "#":
                entry.setdefault("next" if "msgid" in entry else "notes", []).append(line)
            elif line.startswith("#,") and "fuzzy" in line:
                raise SystemExit(f"{path}: it has fuzzy entries")
        self.keep(entry)

    def keep(self, entry):
        if "msgid" not in entry:
            return
        forms = [entry[key] for key in sorted(entry) if key.startswith("msgstr")]
        if entry["msgid"]:
            self.texts[entry["msgid"]] = forms
        else:
            self.header = forms[0]
        if entry.get("notes"):
            self.notes[entry["msgid"]] = entry["notes"]

    def field(self, name):
        match = re.search(rf"^{name}: (.*)$", self.header, re.MULTILINE)
        return match[1] if match else ""

    @property
    def form_count(self):
        return int(re.search(r"nplurals=(\d)", self.field("Plural-Forms"))[1])

    @property
    def plurals(self):
        """The form of each number below 200."""
        rule = re.search(r"plural=([n0-9%=!<>&|?:() ]+);?\s*$", self.field("Plural-Forms"))[1].rstrip(";")
        code = python(rule)
        return "".join(str(int(eval(code, {"n": number}))) for number in range(200))  # noqa: S307


def languages():
    return sorted(FOLDER.glob("*.po"))


def read(path):
    return Catalogue(path)


def translation(message, known):
    """Returns the forms of a translation; nothing if it is missing."""
    forms = known.texts.get(message.singular)
    if not forms or not all(forms):
        return None
    return forms if len(forms) == (known.form_count if message.plural else 1) else None


def template(messages):
    return HEADER + "".join("\n" + entry(message, [""] * (2 if message.plural else 1)) for message in messages)


def merge(path, messages):
    """Writes a file anew: with the sentences that there are now, and the translations that it had."""
    known = Catalogue(path)
    places = {}
    for english in known.texts:
        places.setdefault(re.sub(r"\{\w+\}", "{}", english), english)
    text = "".join(line + "\n" for line in known.notes.get("", []))
    text += 'msgid ""\nmsgstr ""\n' + "".join(quoted(line + "\n") + "\n" for line in known.header.splitlines())
    for message in messages:
        # Most sentences of the terminal are not translated yet; the template has them.
        if message.is_terminal and message.singular not in known.texts:
            continue
        empty = [""] * (known.form_count if message.plural else 1)
        forms = known.texts.get(message.singular)
        # A place that has another name now is still the same place.
        former = places.get(re.sub(r"\{\w+\}", "{}", message.singular))
        if forms is None and former:
            names = re.findall(r"\{(\w+)\}", former)
            changes = dict(zip(names, re.findall(r"\{(\w+)\}", message.singular)))
            forms = [re.sub(r"\{(\w+)\}", lambda match: "{" + changes.get(match[1], match[1]) + "}", form)
                     for form in known.texts[former]]
        text += "\n" + "".join(line + "\n" for line in known.notes.get(message.singular, []))
        text += entry(message, forms if forms and len(forms) == len(empty) else empty)
    path.write_text(text, encoding="utf-8")


def entry(message, forms):
    marks = ["#. terminal"] if message.is_terminal else []
    lines = marks + [f"#. {note}" for note in message.notes] + [f"#: {name}" for name in message.references]
    lines.append("msgid " + quoted(message.singular))
    if message.plural:
        lines.append("msgid_plural " + quoted(message.plural))
        lines += [f"msgstr[{index}] {quoted(form)}" for index, form in enumerate(forms)]
    else:
        lines.append("msgstr " + quoted(forms[0]))
    return "\n".join(lines) + "\n"


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def python(rule):
    """Returns a rule of C in Python."""
    depth = 0
    for index, character in enumerate(rule):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "?" and depth == 0:
            rest, colon, level = rule[index + 1:], 0, 0
            for place, other in enumerate(rest):
                level += {"(": 1, ")": -1, "?": 1}.get(other, 0)
                if other == ":" and level == 0:
                    colon = place
                    break
                level -= 1 if other == ":" else 0
            return f"({python(rest[:colon])} if {python(rule[:index])} else {python(rest[colon + 1:])})"
    outer = rule.strip()
    if outer.startswith("(") and "?" in outer:
        return "(" + python(outer[1:-1]) + ")"
    return re.sub(r"!(?!=)", " not ", outer.replace("&&", " and ").replace("||", " or "))
