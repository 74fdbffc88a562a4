"""Check the paper's figures: test its sentences on the recorded runs, and run every method on generated data."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from fedigw_extensions.neural.datasets.look_alike import look_alike
from fedigw_extensions.neural.figures import record as records
from fedigw_extensions.neural.figures.curves import draw_sentences
from fedigw_extensions.neural.figures.methods import setting
from fedigw_extensions.neural.figures.paired import (
    FAMILY,
    LEVEL,
    OPEN,
    SENTENCES,
    UNTESTED,
    judge,
    reshuffled,
)
from fedigw_extensions.neural.figures.simulator import run
from verify.claim import Claim, Evidence, Task, Variant, Verdict

SHAPE = {"rows": 600, "features": 120, "labels": 20}
SMALL: dict[str, Any] = {"width": 32, "rounds": 10, "local_steps": 5, "agents": 4}
STEP = 0.3  # the network is small
SEEDS = {"quick": 1, "full": 2}
ENOUGH = 1.5  # times the reward of uniform play, which a method must earn

SETTING = (
    "the settings and seeds of the record",
    "exact intervals of paired differences, if these are symmetric",
)
LOOK_ALIKE = Variant(
    r"\text{last reward: every method above 1.5 times uniform play}",
    ("generated data of the shape of Bibtex: nothing about real data",),
    Verdict.FLOAT,
)


def enter(
    claim: Claim, expected: Mapping[str, tuple[str, Mapping[str, Any]]], title: str, given: Any, control: Any
) -> None:
    """Add the checks and the picture of a figure to its claim.

    * expected: for each sentence of the paper, the verdict that the recorded runs give, and arguments of `by_record`
      for the negative control
    * given, control: arguments of the check on generated data and of its negative control
    """
    for name, (words, changed) in expected.items():
        claim.check(name, control=dict(changed), given=dict(name=name, expected=words), name=name)(by_record)
    claim.check("look_alike", control=control, given=given, name="look-alike")(on_look_alike)
    claim.plot(title, *expected, name="differences")(draw_sentences)


def by_record(
    task: Task,
    name: str,
    expected: str,
    reshuffle: int | None = None,
    exchanged: tuple[str, ...] = (),
    stand_in: bool = False,
) -> Evidence:
    """Check that the recorded runs give the verdict `expected` on a sentence of the paper: "holds here", "contradicted
    in k of n settings", "not decided" or "not tested".

    The negative control must change the verdict. If the sentence is decided, the labels of the methods are reshuffled
    within each seed, and it must become undecided. If it is not decided, two labels are exchanged, and it must become
    decided. If only a stand-in was run, it is counted as the method itself. Runs can contradict a sentence in their
    settings, but never prove it false.
    """
    record = records.load()
    if reshuffle is not None:
        record = reshuffled(record, name, reshuffle)
    if exchanged:
        labels = dict(zip(exchanged, reversed(exchanged), strict=True))
        runs = [run | {"method": labels.get(run["method"], run["method"])} for run in record["runs"]]
        record = {**record, "runs": runs}
    words, found = judge(record, name, stand_in)
    decided = Verdict.UNDECIDED if words in (OPEN, UNTESTED) else Verdict.MEASURED
    rows = [difference.json() for difference in found]
    said = "; ".join(
        f"{row['dataset']} {row['reading']}: {row['name']} = {_end(row['mean'])}"
        f" [{_end(row['low'])}, {_end(row['high'])}] over {row['seeds']} seeds"
        for row in rows
    )
    text = f"{words}: {said} (family-wise level {LEVEL:g} over {FAMILY} comparisons, {SETTING[1]})"
    figures = dict(rows=rows, sentence=SENTENCES[name].text, words=words, level=LEVEL, family=FAMILY)
    return Evidence(decided.unless(words != expected), text, figures, replay="make experiments")


def _end(value: float | None) -> str:
    return "?" if value is None else f"{value:+.3f}"


def on_look_alike(
    task: Task, methods: tuple[str, ...], step_size: float = STEP, horizon: int | None = None
) -> Evidence:
    """Run every method of a figure on generated data, and check that each earns at least 1.5 times as much as uniform
    play. Control, which must fail: a step size of 1e-9, with which nothing is learned. Nothing is said about real data.
    """
    word = int(task.seed.generate_state(1)[0])
    data = look_alike("bibtex", word, **SHAPE)
    horizon = horizon or (511 if task.full else 255)
    rows: list[dict[str, Any]] = []
    for name in methods:
        for seed in range(SEEDS[task.profile]):
            asked = replace(
                setting("bibtex", "per_run", name), **{**SMALL, "step_size": step_size, "horizon": horizon}
            )
            rows.append({"method": name, "seed": seed} | run(data, asked, word + seed, compiled=False))
    for row in rows:
        del row["seconds"]  # differs from run to run
    least = ENOUGH * data.uniform_reward
    poor = [row for row in rows if row["diverged"] or row["curve"][-1] < least]
    figures = {"runs": rows, "data": data.name, "uniform": data.uniform_reward, "horizon": horizon}
    said = f"{len(methods)} methods, {SEEDS[task.profile]} seeds, {data.name}, T = {horizon}"
    if poor:
        worst = min(poor, key=lambda row: float(row["curve"][-1]))
        why = worst["diverged"] or f"earns {worst['curve'][-1]:.3f} in the end, less than {least:.3f}"
        return Evidence(Verdict.REFUTED, f"{said}: {worst['method']} {why}", figures)
    lowest = min(float(row["curve"][-1]) for row in rows)
    summary = f"{said}: all earn at least {lowest:.3f} in the end, uniform {data.uniform_reward:.3f}"
    return Evidence(Verdict.FLOAT, summary, figures)
