"""Define the error for bad input from a user."""

import difflib
from collections.abc import Iterable
from fractions import Fraction

from bounds.names import elsewhere


class InputError(ValueError):
    """The error for bad input from a user. Its message is one line: the field, its value and what is allowed. A value
    of None is not printed."""

    def __init__(self, field: str, value: object, allowed: str) -> None:
        self.field, self.value, self.allowed = field, value, allowed
        shown = value if isinstance(value, str) else repr(value)
        shown = shown if len(shown) <= 80 else shown[:77] + "..."
        named = field if value is None else f"{field} = {shown}"
        line = " ".join(f"{named}: {allowed}".split())
        # what a terminal would obey is shown instead: the words may come from a file, or from a server
        super().__init__("".join(c if c.isprintable() else ascii(c)[1:-1] for c in line))

    def _render_traceback_(self) -> list[str]:
        return [f"InputError: {self}"]


LONGEST_NUMBER = 1000
MOST_NAMES = 24  # in one message
LARGEST_EXPONENT = 1000


def fraction(text: str) -> Fraction:
    """Return the rational number that `text` denotes. Raise ValueError if it would be too long to compute with, such
    as "1e999999999"."""
    exponent = text.lower().partition("e")[2]
    if len(text) > LONGEST_NUMBER or (exponent and abs(int(exponent)) > LARGEST_EXPONENT):
        raise ValueError("number too long")
    return Fraction(text)


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the end of an error message that suggests known names: the nearest one if it is similar, else a list."""
    names = sorted(set(known))
    close = elsewhere(name, names) or difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    if close:
        return f"did you mean {' or '.join(map(repr, close))}?"
    more = f", ... ({len(names)} in all)" if len(names) > MOST_NAMES else ""
    return "known: " + ", ".join(names[:MOST_NAMES]) + more


def choose(field: str, value: str, known: Iterable[str]) -> str:
    """Return `value` if it is one of `known`, else raise an InputError that offers the nearest name."""
    names = list(known)
    if value not in names:
        raise InputError(field, value, "unknown; " + nearest(value, names))
    return value
