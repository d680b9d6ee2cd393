"""The results: tables, and marks that compare a measured value with a wanted one."""
import json, sys
from statistics import median

from common.tables import table


def spread(values, form="{:.2f}"):
    """The median, with the lowest and the highest value if there are several values."""
    shown = form.format(median(values))
    return shown if len(values) == 1 else f"{shown} ({form.format(min(values))}-{form.format(max(values))})"


def ratios(over, under):
    """The ratio of each round."""
    return [a / b for a, b in zip(over, under)]


class Report:
    """All results: tables are printed at once and marks at the end; both can be written as JSON."""

    def __init__(self, shows_tables=True):
        self.marks, self.figures, self.failures, self.shows_tables = [], {}, 0, shows_tables

    def section(self, title, head, rows):
        """Prints a table."""
        if not self.shows_tables:
            return
        print(f"{title}\n\n{table(head, rows)}\n", flush=True)
        self.figures[title] = [dict(zip(head, row)) for row in rows]

    def mark(self, what, values, least=None, most=None, unit="", form="{:.2f}", bare=()):
        """Compares the median of the values with a lower or an upper bound.

        `bare` are the values of bare C in the same rounds, if it was measured. Values of a mark that was measured before are added
        to it.
        """
        before = next((mark for mark in self.marks if mark["mark"] == what and mark["values"]), None)
        if before:
            values, bare = [*before["values"], *values], [*before["bareValues"], *bare]
            self.marks.remove(before)
        bound, sign = (least, "≥") if most is None else (most, "≤")
        meets = lambda values: median(values) >= bound if most is None else median(values) <= bound
        unit = " " + unit if unit else ""
        self.marks.append({"mark": what, "wanted": f"{sign} {bound:g}{unit}", "measured": spread(values, form) + unit,
                           "values": values, "met": meets(values), "bare": spread(bare, form) + unit if bare else "",
                           "bareValues": bare, "bareMeets": meets(bare) if bare else None})

    def failed(self, what, failure):
        """Records that something could not be measured, and why."""
        self.failures += 1
        print(f"{what}: {failure}", file=sys.stderr, flush=True)
        self.marks.append({"mark": f"{what} can be measured", "wanted": "yes",
                           "measured": " ".join(str(failure).split())[-200:], "values": [], "met": False, "bare": "",
                           "bareValues": [], "bareMeets": None})

    def print_marks(self, other=None):
        """Prints a line for each mark; `other` has the results of another version of hikeshare in the same rounds."""
        if not self.marks:
            return
        head = ["mark", "wanted", "measured", "bare C", "met"]
        rows = [[mark["mark"], mark["wanted"], mark["measured"], mark["bare"], self.verdict(mark)] for mark in self.marks]
        if other:
            found = {mark["mark"]: mark["measured"] for mark in other.marks}
            head, rows = [*head, "the other version"], [[*row, found.get(row[0], "")] for row in rows]
        print(f"Marks\n\n{table(head, rows)}", flush=True)

    @staticmethod
    def verdict(mark):
        if mark["met"]:
            return "yes"
        return "**no**, nor by bare C" if mark["bareMeets"] is False else "**no**"

    def write(self, path, **more):
        with open(path, "w") as file:
            json.dump({**more, "marks": self.marks, "tables": self.figures}, file, indent=1, ensure_ascii=False)
