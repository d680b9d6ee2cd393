"""Finds sentences in Swift, JavaScript and HTML.

- Swift: literals in `Sentence(…)`, and in what makes answers and results of sentences: see MARKERS.
- JavaScript: t`…`, t('…'), and numbers of things: `Words.count(number, 'noun')`.
- HTML: {{…}}.

A comment `// Translators: …` above a sentence is for translators.
"""

import re

from message import Counted, Message

MARKERS = {"Sentence", "WebResponse", ".unanswered", ".added", ".unusable", ".failed", ".refused", "RegionStoreError"}
# Their texts are no sentences until they are shown, so they are found only as a whole.
TEXTS = {"RegionStoreError"}
NOTE = "Translators:"
CLOSING = {"(": ")", "[": "]", "{": "}"}
ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "0": "\0", '"': '"', "'": "'", "\\": "\\", "`": "`", "$": "$"}


class Literal:
    """A literal: words, and the expressions in its places."""

    def __init__(self):
        self.pieces = [""]
        self.places = []

    def add(self, expression):
        self.places.append(expression)
        self.pieces.append("")


def html(text):
    return [Message([" ".join(match.split())], []) for match in re.findall(r"\{\{(.*?)\}\}", text, re.DOTALL)]


# MARK: Swift


def swift(text):
    found = []
    scan_swift(text, found, Notes())
    return found


class Notes:
    """The comments for translators that belong to the next sentences."""

    def __init__(self):
        self.lines = []
        # The last line of the comment, or of a sentence below it without a gap.
        self.end = None

    def comment(self, text, line):
        words = text.strip("/ ").strip()
        if words.startswith(NOTE):
            self.lines = [words[len(NOTE):].strip()]
            self.end = line
        elif self.end == line - 1:
            self.lines[-1] += " " + words
            self.end = line

    def at(self, line):
        if self.end is None or not 0 <= line - self.end <= 2:
            return []
        self.end = line
        return self.lines


def line_comment(text, position, notes, line):
    """Notes a comment; returns where its line ends."""
    end = text.find("\n", position)
    end = len(text) if end < 0 else end
    notes.comment(text[position:end], line)
    return end


def scan_swift(text, found, notes, first=0):
    stack = []
    position = 0
    while position < len(text):
        line = first + text.count("\n", 0, position)
        character = text[position]
        if text.startswith("//", position):
            position = line_comment(text, position, notes, line)
        elif re.compile('#*"').match(text, position):
            literal, position = swift_literal(text, position, found, notes, first)
            marker = stack[-1][1] if stack else None
            if literal is not None and marker in MARKERS:
                keep_swift(literal, marker, found, notes.at(line))
        elif character in CLOSING:
            name = re.search(r"(\.?\w+)$", text[:position]) if character == "(" else None
            stack.append((character, name and name[1]))
            position += 1
        else:
            if stack and character == CLOSING[stack[-1][0]]:
                stack.pop()
            position += 1


def keep_swift(literal, marker, found, notes):
    if not any(character.isalpha() for piece in literal.pieces for character in piece) and not literal.places:
        if literal.pieces != ["0.5"]:
            return
    if marker in TEXTS and literal.places or re.fullmatch(r"\w+/[\w.+-]+", literal.pieces[0]):
        return
    places = []
    for expression in literal.places:
        noun = re.match(r'.*,\s*"([^"]+)"$', expression, re.DOTALL)
        places.append(Counted(noun[1]) if noun else name_of(re.sub(r",\s*places:.*", "", expression)))
    if places or any(literal.pieces):
        found.append(Message(literal.pieces, places, notes))


def swift_literal(text, position, found, notes, first):
    """Reads a literal; returns it, or nothing for a raw one, and where it ends."""
    start = re.compile(r'(#*)("""|")').match(text, position)
    hashes, mark = start[1], start[2]
    position = start.end()
    end, escape = mark + hashes, "\\" + hashes
    literal = Literal()
    while not text.startswith(end, position):
        if text.startswith(escape + "(", position):
            opening = position + len(escape)
            closed = closing(text, opening)
            expression = text[opening + 1:closed]
            scan_swift(expression, found, notes, first + text.count("\n", 0, position))
            literal.add(expression)
            position = closed + 1
        elif hashes or text[position] != "\\":
            literal.pieces[-1] += text[position]
            position += 1
        elif text.startswith("\\u{", position):
            closed = text.index("}", position)
            literal.pieces[-1] += chr(int(text[position + 3:closed], 16))
            position = closed + 1
        else:
            # A line that goes on in the next one is marked until the indentation is known.
            literal.pieces[-1] += "\uE000" if text[position + 1] == "\n" else ESCAPES[text[position + 1]]
            position += 2
    if mark == '"""':
        indentation = literal.pieces[-1].rsplit("\n", 1)[-1]
        pieces = [piece.replace("\n" + indentation, "\n").replace("\uE000" + indentation, "") for piece in literal.pieces]
        pieces[0] = pieces[0].removeprefix("\n")
        pieces[-1] = pieces[-1].removesuffix("\n")
        literal.pieces = pieces
    return None if hashes else literal, position + len(end)


def closing(text, position):
    """Returns where the parenthesis at a position is closed."""
    depth = 0
    while True:
        if re.compile('#*"').match(text, position):
            _, position = swift_literal(text, position, [], Notes(), 0)
            continue
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        if depth == 0:
            return position
        position += 1


def texts_of_property(text, name):
    """Returns the texts of a property that is a switch over cases."""
    body = re.search(rf"var {name}: String \{{(.*?)\n    \}}", text, re.DOTALL)[1]
    return re.findall(r'case [^:]*: "([^"]*)"', body)


def name_of(expression):
    """Returns a name for a place: the last one in its expression that is no function."""
    plain = re.sub(r"'[^']*'|\"[^\"]*\"", "", expression)
    names = re.findall(r"(?<![\w.])((?:this\.)?[A-Za-z_]\w*(?:\??\.[A-Za-z_]\w*)*)(?!\w*\()", plain)
    words = [word for name in names for word in name.split(".")[-1:] if not word[0].isupper()]
    words = [word for word in words if word not in {"String", "lazy", "line"}]
    return words[-1] if words else "value"


# MARK: JavaScript


def script(text):
    found = []
    scan_script(text, found, Notes())
    return found


def scan_script(text, found, notes, first=0):
    position = 0
    before = ""
    while position < len(text):
        line = first + text.count("\n", 0, position)
        character = text[position]
        if text.startswith("//", position):
            position = line_comment(text, position, notes, line)
        elif text.startswith("/*", position):
            position = text.index("*/", position) + 2
        elif character == "/" and (before in "" or before in "(,=:[!&|?{};+"):
            position = re.compile(r"/(?:\\.|\[(?:\\.|[^\]])*\]|[^/\\\n])+/").match(text, position).end()
        elif character in "'\"`":
            literal, position = script_literal(text, position, found, notes, first)
            name = re.search(r"(?<![\w.])(t|t\()$", text[:position - literal.length])
            if name and name[1] == "t":
                keep_script(literal, found, notes.at(line))
            elif name:
                # A long sentence is a sum of literals.
                while match := re.match(r"\s*\+\s*(?=')", text[position:]):
                    more, position = script_literal(text, position + match.end(), found, notes, first)
                    literal.pieces[-1] += more.pieces[0]
                keep_script(literal, found, notes.at(line))
        elif text.startswith("Words.count(", position):
            noun = re.compile(r"Words\.count\([^()]*, '([^']+)'\)").match(text, position)
            if noun:
                found.append(Message(["", ""], [Counted(noun[1])], notes.at(line)))
            position += len("Words.count(")
        else:
            position += 1
        if not character.isspace():
            before = character


def keep_script(literal, found, notes):
    places = []
    for expression in literal.places:
        noun = re.fullmatch(r"counted\(.*, '([^']+)'\)", expression)
        if not noun and expression.startswith("counted("):
            return
        places.append(Counted(noun[1]) if noun else name_of(expression))
    found.append(Message(literal.pieces, places, notes))


def script_literal(text, position, found, notes, first):
    start, mark = position, text[position]
    position += 1
    literal = Literal()
    while text[position] != mark:
        if mark == "`" and text.startswith("${", position):
            end, depth = position + 2, 1
            while depth:
                if text[end] == "`":
                    _, end = script_literal(text, end, [], Notes(), 0)
                    continue
                depth += {"{": 1, "}": -1}.get(text[end], 0)
                end += 1
            expression = text[position + 2:end - 1]
            scan_script(expression, found, notes, first + text.count("\n", 0, position))
            literal.add(expression)
            position = end
        elif text[position] == "\\":
            literal.pieces[-1] += ESCAPES.get(text[position + 1], text[position + 1])
            position += 2
        else:
            literal.pieces[-1] += text[position]
            position += 1
    literal.length = position + 1 - start
    return literal, position + 1
