"""One sentence."""

import re


class Counted:
    """A place with a number of things."""

    def __init__(self, noun):
        self.noun = noun


class Message:
    """A sentence: words, and places between them. A place is a name, or a number of things."""

    def __init__(self, pieces, places, notes=()):
        counted = [place for place in places if isinstance(place, Counted)]
        if len(counted) > 1:
            raise ValueError(f"two numbers of things in one sentence: {pieces}")
        self.notes = list(notes)
        self.references = []
        self.is_script = False
        # Whether only the terminal or the window of the program says it, and no page.
        self.is_terminal = False
        self.names = unique(["n" if isinstance(place, Counted) else place for place in places])
        self.counted = next((index for index, place in enumerate(places) if isinstance(place, Counted)), None)
        self.key = join(pieces, ["{# " + place.noun + "}" if isinstance(place, Counted) else "{}" for place in places])

        def text(ending):
            words = []
            for name, place in zip(self.names, places):
                is_counted = isinstance(place, Counted)
                words.append("{n} " + place.noun + ending if is_counted else "{" + name + "}")
            return join(pieces, words)

        self.singular = text("")
        self.plural = text("s") if counted else None

    def positions(self, text):
        """Returns a translation with numbers in place of the names of places."""
        return re.sub(r"\{(\w+)\}", lambda match: "{" + str(self.names.index(match[1])) + "}", text)


def join(pieces, places):
    return "".join(piece + place for piece, place in zip(pieces, [*places, ""]))


def unique(names):
    result = []
    for name in names:
        count = 2
        single = name
        while name in result:
            name = f"{single}{count}"
            count += 1
        result.append(name)
    return result
