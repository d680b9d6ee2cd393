"""The sentences of the terminal and the window: literals of `DisplayText`, and the words of errors and remedies.

Swift knows the type of a literal, and this script does not. So it takes the literals in declarations and calls that make such texts.
"""

import re

import lexer
from message import Counted, Message

# Types of functions and variables whose literals are shown.
SHOWN = re.compile(r"\b(DisplayText|Sentence|Hint|Remedy|Advice|CommandError|ProblemReport|PlainReport|HintedError)\b")
# Calls whose literals are shown, wherever they are.
CALLS = {
    "DisplayText", "Sentence", "CommandError", "Remedy", "Hint", "PlainReport", ".typed", ".note", ".tell", ".ask", ".confirm",
    ".show", ".askGivingWay", ".confirmGivingWay", "showSlowly", "WorkProgress", ".refused", "noTerminal", "needsQuestion",
}
# Calls whose literals are not.
OTHER_CALLS = re.compile(r"^\.?(contains|has\w+|split|replacing|getenv|String|first|decimal|edges|degrees|of|count)$")
# Sums of literals in these calls are one sentence.
SUMS = {"CommandError", "Remedy", ".typed", "Sentence", "noTerminal", "needsQuestion"}
# What is no text for people: keys and values of JSON, and the words of other declarations.
JSON = re.compile(r"\b(JSONObject|json|payloads)\b")


def swift(text):
    """Returns the sentences of a file."""
    found, stack, position, line = [], [], 0, 0
    notes = lexer.Notes()
    while position < len(text):
        character = text[position]
        if text.startswith("//", position):
            position = lexer.line_comment(text, position, notes, text.count("\n", 0, position))
        elif re.compile('#*"').match(text, position):
            start, line = position, text.count("\n", 0, position)
            literal, position = lexer.swift_literal(text, position, [], lexer.Notes(), 0)
            for expression in literal.places if literal else []:
                found += swift(expression)
            if literal is None or not is_shown(text, start, position, stack):
                continue
            if any(entry[1] in SUMS for entry in stack):
                position = add_sum(text, position, literal)
            keep(literal, found, notes.at(line))
        else:
            if character in lexer.CLOSING:
                stack.append(entry(text, position, stack))
            elif stack and character == lexer.CLOSING[stack[-1][0]]:
                stack.pop()
            position += 1
    return found


def entry(text, position, stack):
    """Returns a bracket: which, the call that it belongs to, and whether literals of the declaration are shown."""
    before = text[max(0, position - 500):position]
    shown = stack[-1][2] if stack else False
    character = text[position]
    if character == "(":
        name = re.search(r"(\.?\w+)\($", before + "(")
        return character, name and name[1], shown
    if character == "{":
        declared = re.search(r"\b(?:var \w+: ([^={}]+?)|func [^{}]*?\)(?: async)?(?: throws)?(?:\(\w+\))?(?: -> ([^{}]+?))?)\s*$", before)
        if declared:
            shown = declared[1] or declared[2] or "Void"
    else:
        typed = re.search(r"\b(?:let|var) \w+: ([^={}]+?) =\s*$", before)
        if typed:
            shown = typed[1]
    return character, None, shown


def is_shown(text, start, end, stack):
    if re.match(r"\s*:(?!\s*\")", text[end:]) and stack and stack[-1][0] == "[" or re.search(r'"\w+":\s*$', text[:start]):
        return False
    if text[end:].startswith(" as DisplayText"):
        return True
    calls = [call for bracket, call, _ in stack if bracket == "(" and call]
    if calls and OTHER_CALLS.match(calls[-1]):
        return False
    if any(call in CALLS for call in calls):
        return True
    statement = text[max(0, start - 300):start]
    declared = re.search(r"\b(?:let|var) (?:\w+|\([^)]*\)): ([^=\n]+) =[^;{}]*$", statement)
    shown = declared[1] if declared else stack[-1][2] if stack else ""
    return bool(shown and SHOWN.search(str(shown)) and not JSON.search(str(shown)))


def add_sum(text, position, literal):
    while match := re.match(r'\s*\+\s*(?=")', text[position:]):
        more, position = lexer.swift_literal(text, position + match.end(), [], lexer.Notes(), 0)
        literal.pieces[-1] += more.pieces[0]
        literal.pieces += more.pieces[1:]
        literal.places += more.places
    return position


def keep(literal, found, notes):
    """Keeps each line of a literal as a sentence, without the spaces around it."""
    lines = [([""], [])]
    for index, piece in enumerate(literal.pieces):
        if index:
            lines[-1][1].append(literal.places[index - 1])
            lines[-1][0].append("")
        for part, words in enumerate(piece.split("\n")):
            if part:
                lines.append(([""], []))
            lines[-1][0][-1] += words
    for pieces, expressions in lines:
        pieces[0] = pieces[0].lstrip(" ")
        pieces[-1] = pieces[-1].rstrip(" ")
        places = [place_of(expression) for expression in expressions]
        is_count = len(places) == 1 and isinstance(places[0], Counted)
        if sum(isinstance(place, Counted) for place in places) > 1:
            continue
        if is_count or any(character.isalpha() for piece in pieces for character in piece) and not pieces[0].startswith("--"):
            found.append(Message(pieces, places, notes))


def place_of(expression):
    noun = re.fullmatch(r'.*,\s*"([^"]+)"', expression, re.DOTALL)
    if noun:
        return Counted(noun[1])
    if re.search(r",\s*\.command$", expression):
        return "command"
    return lexer.name_of(re.sub(r",\s*(places:.*|\.\w+$)", "", expression))
