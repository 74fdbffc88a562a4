"""app:epochs_do_not_compose. A whole run is as private as one of its calls, if each sample is used by one call only.

After each epoch one execution ("call") of the federated protocol fits a model to that epoch's samples. If every call
is (epsilon, delta)-private, the whole run is so too: replacing one sample changes the joint law of all models no more
than it changes the law of one model. A sample that k calls use spends the privacy of k calls on the same data.

Proof. Models fitted before the sample is drawn do not depend on it. The model of its epoch is private. Everything
later is computed from that model and fresh data, so it reveals nothing more. Hypotheses: one sample of one epoch is
replaced; epoch lengths, the policy's learning rates and numbers of samples do not depend on the data.
"""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from typing import Any

import numpy as np

from bounds import app_epochs_do_not_compose as formulas
from bounds.app_gaussian_mechanism import epsilon_of, largest_mu
from fedigw.channel import Link
from fedigw.interfaces import Setting
from fedigw.privacy import ledger as books
from fedigw_extensions.privacy.linear_protocols.noisy_gradients import NoisyGradients
from fedigw_extensions.privacy.linear_protocols.noisy_statistics import NoisyStatistics
from linear.environments import finite_contexts
from verify.claim import Claim, Evidence, Task, Variant, Verdict

SAMPLES = 2  # rewards of an epoch, bits
FACTORS = tuple(Fraction(f) for f in ("1", "5/4", "3/2", "2", "3"))  # e^epsilon

claim = Claim(
    title="A run is as private as one call",
    section="Privacy",
    tags=("privacy",),
    depends=("app:gaussian_mechanism",),
    variants={
        "run": Variant(
            r"\text{run} = \max_{\text{samples}}\ \bigoplus_{\text{calls that use it}} \text{call}",
            (
                "one sample of one epoch replaced; later data drawn afresh given the models",
                "epoch lengths, learning rates and n do not depend on the data",
            ),
            Verdict.EXACT,
            tight=True,
        )
    },
)


def released(count: int, most: int) -> list[Fraction]:
    """Return the probabilities with which a small private mechanism releases y = 0, ..., most as its model, if
    `count` of `most` rewards are 1. They are proportional to 2^-abs(y - count)."""
    weights = [Fraction(1, 2 ** abs(y - count)) for y in range(most + 1)]
    return [w / sum(weights) for w in weights]


def chance(model: int, most: int) -> Fraction:
    return Fraction(1 + 2 * model, 2 + 2 * most)


@cache
def law(first: tuple[int, ...], epochs: int, reuse: bool) -> dict[tuple[int, ...], Fraction]:
    """Return the joint probabilities of all models of a run that learns one model per epoch. first: the rewards (0 or
    1) of the first epoch. reuse: whether every model is learned from all rewards so far, not only from its own epoch's.
    """
    found: dict[tuple[int, ...], Fraction] = {}

    def walk(models: tuple[int, ...], total: int, fresh: int, mass: Fraction) -> None:
        epoch = len(models) + 1
        count, most = (total + fresh, SAMPLES * epoch) if reuse else (fresh, SAMPLES)
        for model, p in enumerate(released(count, most)):
            after = (*models, model)
            if len(after) == epochs:
                found[after] = found.get(after, Fraction(0)) + mass * p
                continue
            q = chance(model, most)
            for ones in range(SAMPLES + 1):
                drawn = comb(SAMPLES, ones) * q**ones * (1 - q) ** (SAMPLES - ones)
                walk(after, total + fresh, ones, mass * p * drawn)

    walk((), 0, sum(first), Fraction(1))
    return found


def hockey_stick(one: dict[Any, Fraction], other: dict[Any, Fraction], factor: Fraction) -> Fraction:
    """Return the smallest delta with P(A) <= factor Q(A) + delta for every event A, where P and Q are the
    distributions `one` and `other` (outcome -> probability). In differential privacy factor is e^epsilon."""
    return sum(
        (max(Fraction(0), p - factor * other.get(y, Fraction(0))) for y, p in one.items()), Fraction(0)
    )


def worst(epochs: int, reuse: bool, factor: Fraction) -> Fraction:
    """Return the smallest delta for which a toy run of this many epochs is (epsilon, delta)-private with e^epsilon =
    factor. Only samples of the first epoch are replaced; a replacement in a later epoch is that of a shorter run.
    reuse: whether every model is learned from all data so far."""
    found = Fraction(0)
    for data in product((0, 1), repeat=SAMPLES):
        for place in range(SAMPLES):
            other = tuple(1 - bit if i == place else bit for i, bit in enumerate(data))
            pair = (law(data, epochs, reuse), law(other, epochs, reuse))
            found = max(found, hockey_stick(*pair, factor))
    return found


@claim.check("run", control=dict(reuse=True))
def exact(task: Task, reuse: bool = False) -> Evidence:
    """Check in exact rational numbers that runs of 1 to 3 epochs are as private as one call of the federated
    protocol, at five values of epsilon. Control, which must fail: calls that use old data again."""
    rows = []
    for epochs in (1, 2, 3):
        for factor in FACTORS:
            call, run = worst(1, False, factor), worst(epochs, reuse, factor)
            rows.append({"epochs": epochs, "factor": str(factor), "call": str(call), "run": str(run)})
            if run > call:
                said = f"{epochs} epochs, e^epsilon = {factor}: delta = {run} of the run > {call} of a call"
                return Evidence(Verdict.REFUTED, said, {"rows": rows})
    return Evidence(
        Verdict.EXACT,
        f"delta of a run of 1, 2, 3 epochs is that of one call at e^epsilon = {', '.join(map(str, FACTORS))}",
        {"rows": rows},
    )


@claim.check("run", control=dict(reuse=True))
def ledger(task: Task, reuse: bool = False) -> Evidence:
    """Check the epsilon that the package reports: for a whole run that of one call of the federated protocol, for
    several calls on the same data at least that of all of them. Control, which must fail: several calls reported as
    one."""

    made = finite_contexts.make(np.random.default_rng(0), dimension=2, arms=2, agents=3, horizon=256)
    rows = []
    for protocol in (NoisyStatistics(1.0, 1e-5), NoisyGradients(1.0, 1e-5)):
        run = books.of_federation(replace(made, protocol=protocol))
        assert run is not None
        assert run.epsilon is not None
        calls = [(2**k, tuple(range(k))) for k in range(1, 5)]
        old = books.entry(protocol, Link(), Setting(made.model, 3), calls)
        assert old is not None
        assert old.epsilon is not None
        mu = formulas.of_run([(largest_mu(1.0, 1e-5), used) for _, used in calls])
        needed = epsilon_of(mu, 1e-5)
        booked = run.epsilon if reuse else old.epsilon
        rows.append({"protocol": protocol.name, "run": run.epsilon, "reused": booked, "needed": needed})
        if abs(run.epsilon - 1) > 1e-9 or booked < needed * (1 - 1e-9):
            said = f"{protocol.name}: {booked:.4f} booked for 4 calls on the first data, {needed:.4f} spent"
            return Evidence(Verdict.REFUTED, said, {"rows": rows})
    return Evidence(
        Verdict.FLOAT,
        f"whole runs are booked as one call (epsilon 1), 4 calls on the same data as {rows[0]['reused']:.4f}",
        {"rows": rows},
    )
