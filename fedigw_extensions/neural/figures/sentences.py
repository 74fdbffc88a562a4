"""Check the paper's figures: judge its sentences by the recorded runs, and run every method on generated data."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from fedigw_extensions.neural.datasets.look_alike import look_alike
from fedigw_extensions.neural.figures import record as records
from fedigw_extensions.neural.figures.curves import difference_name, draw_sentences
from fedigw_extensions.neural.figures.methods import METHODS, Reading
from fedigw_extensions.neural.figures.paired import FAMILY, LEVEL, SENTENCES, judge
from fedigw_extensions.neural.figures.runs import run
from verify.claim import Claim, Evidence, Task, Variant, Verdict

SMALL = Reading("small", 10, 5, None, 511, "10 communications in every FL call, 5 local steps each")
SHAPE = {"rows": 600, "features": 120, "labels": 20}
WIDTH = 32
STEP = 0.3  # the network is small
SEEDS = {"quick": 1, "full": 2}
ENOUGH = 1.5  # times the reward of uniform play, which a method must earn

SETTING = ("the settings and seeds of the record", "Student's intervals of paired differences")
LOOK_ALIKE = Variant(
    r"\text{last reward: every method above 1.5 times uniform play}",
    ("generated data of the shape of Bibtex: nothing about real data",),
    Verdict.FLOAT,
)


def enter(
    claim: Claim,
    controls: Mapping[str, tuple[str, str]],
    title: str,
    given: Any,
    control: Any,
    contradicted: tuple[str, ...] = (),
) -> None:
    """Add the checks and the picture of a figure to its claim. controls: for each sentence, the two methods whose
    labels its control exchanges. given, control: arguments of the check `on_look_alike` and of its control.
    contradicted: sentences that the recorded runs contradict."""
    for name, exchanged in controls.items():
        given_here = dict(name=name, contradicted=name in contradicted)
        claim.check(name, control=dict(exchanged=exchanged), given=given_here, name=name)(by_record)
    claim.check("look_alike", control=control, given=given, name="look-alike")(on_look_alike)
    claim.plot(title, *controls, name="differences")(draw_sentences)


FOUND = {
    Verdict.MEASURED: "the sentence holds in this setting",
    Verdict.REFUTED: "the sentence is contradicted in this setting",
    Verdict.UNDECIDED: "the sentence is not decided in this setting",
}


def by_record(task: Task, name: str, contradicted: bool = False, exchanged: tuple[str, ...] = ()) -> Evidence:
    """Check by paired differences over the recorded seeds that a sentence of the paper holds or, if `contradicted` is
    set, that the runs contradict it.

    Runs can contradict a sentence in their setting, but never prove it false. So only a control is refuted: there the
    labels of two methods are exchanged, and the result of the sentence must change.
    """
    verdict, found = judge(records.load(), name, exchanged)
    said = FOUND[verdict]
    if contradicted:
        verdict = Verdict.MEASURED if verdict is Verdict.REFUTED else Verdict.REFUTED
    if verdict is Verdict.REFUTED and not exchanged:
        verdict = Verdict.UNDECIDED
    rows = [difference.json() for difference in found]
    words = "; ".join(
        f"{row['dataset']} {row['reading']}: {difference_name(row)} = {_end(row['mean'])}"
        f" [{_end(row['low'])}, {_end(row['high'])}] over {row['seeds']} seeds"
        for row in rows
    )
    level = f"family-wise level {LEVEL:g} over {FAMILY} comparisons, {SETTING[1]}"
    figures = dict(
        rows=rows, sentence=SENTENCES[name].text, level=LEVEL, family=FAMILY, exchanged=list(exchanged)
    )
    return Evidence(verdict, f"{said}: {words} ({level})", figures, replay="make experiments")


def _end(value: float | None) -> str:
    return "?" if value is None else f"{value:+.3f}"


def on_look_alike(
    task: Task, methods: tuple[str, ...], step_size: float = STEP, horizon: int | None = None
) -> Evidence:
    """Run every method of a figure on generated data. Check that none diverges and that each earns at least 1.5 times
    as much as uniform play; control: a step size of 1e-9, with which nothing is learned. This says nothing about real
    data."""
    word = int(task.seed.generate_state(1)[0])
    data = look_alike("bibtex", word, **SHAPE)
    horizon = horizon or (SMALL.horizon if task.full else 255)
    reading = replace(SMALL, horizon=horizon)
    rows: list[dict[str, Any]] = []
    for name in methods:
        for seed in range(SEEDS[task.profile]):
            found = run(data, reading, METHODS[name], word + seed, step_size, width=WIDTH)
            kept = {key: found[key] for key in ("average", "last", "diverged", "lengths", "curve", "traffic")}
            rows.append({"method": name, "seed": seed} | kept)
    least = ENOUGH * data.uniform_reward
    poor = [row for row in rows if row["diverged"] or row["last"] < least]
    figures = {"runs": rows, "data": data.name, "uniform": data.uniform_reward, "horizon": horizon}
    said = f"{len(methods)} methods, {SEEDS[task.profile]} seeds, {data.name}, T = {horizon}"
    if poor:
        worst = min(poor, key=lambda row: float(row["last"]))
        why = worst["diverged"] or f"earns {worst['last']:.3f} in the end, less than {least:.3f}"
        return Evidence(Verdict.REFUTED, f"{said}: {worst['method']} {why}", figures)
    lowest = min(float(row["last"]) for row in rows)
    summary = f"{said}: all earn at least {lowest:.3f} in the end, uniform {data.uniform_reward:.3f}"
    return Evidence(Verdict.FLOAT, summary, figures)
