"""The one error that a user's input can cause."""

import difflib
from collections.abc import Iterable
from fractions import Fraction

from bounds.names import elsewhere


class InputError(ValueError):
    """Bad input: the field, its value and what is allowed, on one line. value None: the field is missing, or must not
    be there, and only `allowed` is printed."""

    def __init__(self, field: str, value: object, allowed: str) -> None:
        self.field, self.value, self.allowed = field, value, allowed
        shown = value if isinstance(value, str) else repr(value)
        shown = shown if len(shown) <= 80 else shown[:77] + "..."
        named = field if value is None else f"{field} = {shown}"
        line = " ".join(f"{named}: {allowed}".split())
        # what a terminal would obey is shown instead: the words may come from a file, or from a server
        super().__init__("".join(c if c.isprintable() else ascii(c)[1:-1] for c in line))

    def _render_traceback_(self) -> list[str]:
        """Return what a notebook shows of the error: its line, without the frames of this library."""
        return [f"InputError: {self}"]


LONGEST_NUMBER = 1000
MOST_NAMES = 24  # in one message
LARGEST_EXPONENT = 1000


def fraction(text: str) -> Fraction:
    """Return the rational written as `text`; ValueError for one that would not fit into a sentence, let alone a float.

    Fraction("1e999999999") would first write out a billion digits.
    """
    exponent = text.lower().partition("e")[2]
    if len(text) > LONGEST_NUMBER or (exponent and abs(int(exponent)) > LARGEST_EXPONENT):
        raise ValueError("number too long")
    return Fraction(text)


def nearest(name: str, known: Iterable[str]) -> str:
    """The end of an error message: the nearest known name, if one is near, or what is known, as far as it is read."""
    names = sorted(set(known))
    close = elsewhere(name, names) or difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    if close:
        return f"did you mean {' or '.join(map(repr, close))}?"
    more = f", ... ({len(names)} in all)" if len(names) > MOST_NAMES else ""
    return "known: " + ", ".join(names[:MOST_NAMES]) + more


def choose(field: str, value: str, known: Iterable[str]) -> str:
    """`value` if it is one of `known`, else an InputError that offers the nearest name."""
    names = list(known)
    if value not in names:
        raise InputError(field, value, "unknown; " + nearest(value, names))
    return value
