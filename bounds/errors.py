"""Define the error for bad input from a user."""

import difflib
import re
import unicodedata
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
POWER = r"(?:(\d+)\*)?10(?:\^|\*\*)"
THOUSANDS = re.compile(
    r"[1-9]\d{0,2}\.000"
)  # 100.000 is a hundred in some countries and a hundred thousand in others


def fraction(text: str) -> Fraction:
    """Return the rational number that `text` denotes. Raise ValueError if it would be too long to compute with, such
    as "1e999999999"."""
    exponent = text.lower().partition("e")[2]
    if THOUSANDS.fullmatch(text):
        raise ValueError("100 or 100000?")
    if len(text) > LONGEST_NUMBER or (exponent and abs(int(exponent)) > LARGEST_EXPONENT):
        raise ValueError("number too long")
    return Fraction(text)


def written(text: str, usual: str = ", e.g. 1e5", whole: bool = False) -> str:
    """Return the end of an error message about a text that is not a valid number. It says how to write the number, such
    as 1000 for 1,000, 0.5 for 0,5 and 1e6 for 10^6; if that is unknown, it is `usual`.
    whole: whether the number must be an integer, which no percentage is."""
    if THOUSANDS.fullmatch(text):
        return f"; write {text[:-4]} or {text.replace('.', '')}, whichever is meant"
    for pattern, to_type in (
        (r"\d{1,3}([,' ]\d{3})+|\d{1,3}(\.\d{3}){2,}|\d+,", lambda: re.sub(r"\D", "", text)),
        (r"\d{1,3}(\.\d{3})+,\d+|\d+,\d+", lambda: text.replace(".", "").replace(",", ".")),
        (r"\d+(\.\d+)?%", lambda: str(float(Fraction(text[:-1]) / 100))),
        (r"\d+(\.\d+)?[kKM]", lambda: text[:-1] + ("e6" if text[-1] == "M" else "e3")),
        (POWER + r"\d+", lambda: re.sub(POWER, lambda found: f"{found[1] or 1}e", text)),
    ):
        if re.fullmatch(pattern, text) and not (whole and text.endswith("%")):
            return f"; write {to_type()}"
    return "; at most 1e300" if re.fullmatch(r"\d[\d.]*[eE]\+?\d+", text) else usual


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the end of an error message that suggests known names: the nearest one if it is similar, else a list.
    Letters of other alphabets, which may look like Latin ones, are named."""
    names = sorted(set(known))
    if "," in name and set(name.split(",")) <= set(names):
        return "give one of them"
    called = {c: unicodedata.name(c, "no letter").lower() for c in name if not c.isascii()}
    strange = "".join(f"{c} is {said}; " for c, said in called.items() if not said.startswith("latin"))
    close = (
        []
        if name == "all"
        else elsewhere(name, names) or difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    )
    if close:
        return f"{strange}did you mean {' or '.join(map(repr, close))}?"
    more = f", ... ({len(names)} in all)" if len(names) > MOST_NAMES else ""
    return f"{strange}known: {', '.join(names[:MOST_NAMES])}{more}"


def choose(field: str, value: str, known: Iterable[str]) -> str:
    """Return `value` if it is one of `known`, else raise an InputError that offers the nearest name."""
    names = list(known)
    if value not in names:
        raise InputError(field, value, "unknown; " + nearest(value, names))
    return value
