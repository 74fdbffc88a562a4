"""Read a CSV file of contexts, arms and rewards, in one of two forms.

context,arm,reward      one line for each logged step
context,ARM,ARM,...     one line for each visit of a context, with the reward of every arm (for labelled data 0 or 1)

Contexts and arms are texts, rewards numbers from 0 to 1. In place of `context` there may be several columns x1, x2,
...; linear worlds take them as numbers.
"""

import csv
import re
from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from bounds.errors import InputError
from fedigw.instance_file import read_plain
from fedigw.shipped import example

MEASURED = re.compile(r"x\d+")  # a column of numbers that describe the context


@dataclass(frozen=True)
class Logged:
    """The contents of a CSV file of contexts, arms and rewards. contexts: the distinct contexts, each a tuple of texts.
    visits: number of lines of each context. rewards: all rewards of each pair of a context and an arm. measured:
    whether contexts are given by numerical columns x1, x2, ..."""

    file: str
    contexts: tuple[tuple[str, ...], ...]
    visits: tuple[int, ...]
    arms: tuple[str, ...]
    rewards: dict[tuple[tuple[str, ...], str], list[Fraction]]
    measured: bool

    def mean(self, context: tuple[str, ...], arm: str) -> Fraction:
        """Return the mean reward of an arm in a context. Raise InputError if the file has no reward of this pair."""
        found = self.rewards.get((context, arm))
        if not found:
            name = ",".join(context)
            said = f"has no reward of arm {arm!r:.40} in context {name!r:.40}; log every arm in every context"
            raise InputError("file", self.file, said)
        return sum(found) / Fraction(len(found))


def read(file: str) -> Logged:
    """Read a CSV file of contexts, arms and rewards. Raise InputError, which names the line, if it breaks a rule."""
    try:
        text = read_plain(example(Path(file)), "file").decode("utf-8-sig")
        head, *rows = [row for row in csv.reader(text.splitlines(), strict=True) if row]
    except (OSError, UnicodeDecodeError, csv.Error, ValueError) as error:
        if isinstance(error, InputError):
            raise
        said = getattr(error, "strerror", None) or "is no CSV file with a line of names and lines of values"
        raise InputError("file", file, said) from None
    measured = MEASURED.fullmatch(head[0]) is not None
    wide = (
        next((i for i, name in enumerate(head) if not MEASURED.fullmatch(name)), len(head)) if measured else 1
    )
    if not (measured or head[0] == "context") or len(set(head)) < max(wide + 2, len(head)):
        form = "context,arm,reward or context,ARM,ARM, or x1,x2,... for context"
        raise InputError("file", file, f"must begin with {form}, not {','.join(head):.60}")
    if not rows:
        raise InputError("file", file, "has no rows")
    visits: dict[tuple[str, ...], int] = defaultdict(int)
    rewards: dict[tuple[tuple[str, ...], str], list[Fraction]] = defaultdict(list)
    for line, row in enumerate(rows, start=2):
        if len(row) != len(head):
            raise InputError("file", file, f"row {line} has {len(row)} values, must have {len(head)}")
        context = tuple(row[:wide])
        visits[context] += 1
        one = {row[wide]: row[wide + 1]} if head[wide:] == ["arm", "reward"] else {}
        for arm, value in (one or dict(zip(head[wide:], row[wide:], strict=True))).items():
            rewards[context, arm].append(_reward(value, file, line))
    arms = tuple(dict.fromkeys(arm for _, arm in rewards))
    if len(arms) < 2:
        raise InputError("file", file, f"has {len(arms)} arm, must have at least 2")
    return Logged(file, tuple(visits), tuple(visits.values()), arms, dict(rewards), measured)


def _reward(value: str, file: str, line: int) -> Fraction:
    try:
        if len(value) <= 40 and "e" not in value.lower() and 0 <= (found := Fraction(value.strip())) <= 1:
            return found
    except (ValueError, ZeroDivisionError):
        pass
    raise InputError("file", file, f"row {line}: reward {value!r:.40} must be a number from 0 to 1")
