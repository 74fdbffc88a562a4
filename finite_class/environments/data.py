"""Make a world from a CSV file, a log of contexts, arms and rewards or a table with the rewards of all arms.

context,arm,reward one row for each logged step; every arm must have been logged in every context context,ARM,ARM,...
full information: one row for each visit, with the reward of every arm (labels: 0 or 1)

Contexts and arms are texts, rewards numbers in [0,1]. Contexts occur as often as in the file, and the true function
f* is the mean reward of each context and arm; with rewards 0 and 1 a run replays the file, drawing rows of the same
context and arm with replacement. The other functions of the class are f* with the contexts permuted: learning means
to find out which context is which. f* is in the class, so the theorems apply.
"""

import csv
from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np

from bounds.errors import InputError
from bounds.schedules import doubling_plan
from fedigw.federation import Federation
from fedigw.instance_file import read_plain
from fedigw.shipped import example
from finite_class.federations import alike

LOG = ["context", "arm", "reward"]
MOST_CELLS = 10**6  # of all functions together: contexts times arms times functions
EXAMPLES = (
    {"file": "examples/logged_steps.csv", "functions": 3, "agents": 2, "horizon": 16},
    {"file": "examples/all_rewards.csv", "functions": 2, "agents": 2, "horizon": 16},
)


def make(
    rng: np.random.Generator,
    file: str = "examples/logged_steps.csv",
    functions: int = 10,
    agents: int = 10,
    horizon: int = 1024,
    learning_rate: str = "sharpened",
) -> Federation:
    rewards: dict[tuple[str, str], list[Fraction]] = defaultdict(list)
    visits: Counter[str] = Counter()
    for context, row in _rows(file):
        visits[context] += 1
        for arm, reward in row.items():
            rewards[context, arm].append(reward)
    arms = list(dict.fromkeys(arm for _, arm in rewards))
    for context, arm in ((c, a) for c in visits for a in arms):
        if not rewards[context, arm]:
            said = (
                f"has no reward of arm {arm!r:.40} in context {context!r:.40}; log every arm in every context"
            )
            raise InputError("file", file, said)
    if len(arms) < 2:
        raise InputError("file", file, f"has {len(arms)} arm, must have at least 2")
    if functions < 1 or functions * len(visits) * len(arms) > MOST_CELLS:
        most = MOST_CELLS // (len(visits) * len(arms))
        raise InputError("functions", functions, f"must be from 1 to {most} for this file")
    truth = tuple(tuple(sum(r) / Fraction(len(r)) for r in (rewards[c, a] for a in arms)) for c in visits)
    others = (rng.permutation(len(truth)) for _ in range(functions - 1))
    law = tuple(Fraction(n, visits.total()) for n in visits.values())
    table = (truth, *(tuple(truth[x] for x in order) for order in others))
    return alike(table, doubling_plan(horizon, agents), law=law, learning_rate=learning_rate)


def _rows(file: str) -> Iterator[tuple[str, dict[str, Fraction]]]:
    """Yield the context and the rewards by arm of each row. InputError names the line that breaks a rule."""
    try:
        text = read_plain(example(Path(file)), "file").decode("utf-8-sig")
        head, *rows = [row for row in csv.reader(text.splitlines(), strict=True) if row]
    except (OSError, UnicodeDecodeError, csv.Error, ValueError) as error:
        if isinstance(error, InputError):
            raise
        said = getattr(error, "strerror", None) or "is no CSV file with a line of names and lines of values"
        raise InputError("file", file, said) from None
    if head[:1] != ["context"] or len(set(head)) < max(3, len(head)):
        raise InputError(
            "file", file, f"must begin with {','.join(LOG)} or context,ARM,ARM, not {','.join(head):.60}"
        )
    if not rows:
        raise InputError("file", file, "has no rows")
    for line, row in enumerate(rows, start=2):
        if len(row) != len(head):
            raise InputError("file", file, f"row {line} has {len(row)} values, must have {len(head)}")
        given = {row[1]: row[2]} if head == LOG else dict(zip(head[1:], row[1:], strict=True))
        yield row[0], {arm: _reward(value, file, line) for arm, value in given.items()}


def _reward(value: str, file: str, line: int) -> Fraction:
    try:
        if len(value) <= 40 and "e" not in value.lower() and 0 <= (found := Fraction(value.strip())) <= 1:
            return found
    except (ValueError, ZeroDivisionError):
        pass
    raise InputError("file", file, f"row {line}: reward {value!r:.40} must be a number from 0 to 1")
