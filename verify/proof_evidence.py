"""Proof chains as evidence: every step checked, wrong printed steps refuted, strengthened steps rejected."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any

from verify.claim import Check, Evidence, Task
from verify.verdict import Verdict

if TYPE_CHECKING:  # the proofs bring sympy: listing claims must not
    from bounds.proofs.model import Chain, Checked, Report


@cache
def _chains() -> dict[str, Chain]:
    from bounds.proofs.chain import discover_chains

    return {chain.name: chain for chain in discover_chains()}


@cache
def _report(name: str) -> Report:
    from bounds.proofs.chain import check_chain

    return check_chain(_chains()[name])


def proof(task: Task, chains: tuple[str, ...]) -> Evidence:
    """Proved if every step of every chain answers as expected; a wrong answer is shown with its model."""
    from bounds.proofs.model import Outcome

    steps = 0
    used: set[str] = set()
    refuted = []
    for name in chains:
        report = _report(name)
        for step in report.chain.steps:
            found = report.results[step.name]
            if found.outcome is not step.expect:
                kind = Verdict.REFUTED if found.outcome is Outcome.REFUTED else Verdict.INCONCLUSIVE
                return Evidence(
                    kind,
                    f"{name}: {step.name}: {found.detail}",
                    {"model": dict(found.model), "step": step.name},
                )
            if step.expect is Outcome.REFUTED:
                refuted.append({"step": step.name, "model": dict(found.model)})
            else:
                steps += 1
            used.add(step.rule.kind)
    figures = {"chains": list(chains), "steps": steps, "checkers": sorted(used), "refuted_steps": refuted}
    shown = f", {len(refuted)} wrong ones refuted" if refuted else ""
    return Evidence(Verdict.PROVED, f"{steps} steps proved ({', '.join(sorted(used))}){shown}", figures)


def strengthened(task: Task, chains: tuple[str, ...]) -> Evidence:
    """The control: the same checkers on false neighbours of proved steps; refuted if none of them is proved.

    The full profile takes every step, the quick one the conclusions and every seventh step.
    """
    from bounds.proofs.mutation import killed, mutants

    tried = rejected = 0
    for name in chains:
        chain = _chains()[name]
        some = (*chain.concludes, *(step.name for step in chain.steps[::7]))
        answers = mutants(chain, () if task.full else some)
        tried += len(answers)
        rejected += killed(answers)
    kind = Verdict.REFUTED if tried and rejected == tried else Verdict.PROVED
    return Evidence(
        kind, f"{rejected} of {tried} strengthened steps rejected", {"tried": tried, "rejected": rejected}
    )


def proof_check(variant: str, *chains: str, name: str = "") -> Check:
    """The check that a claim adds for a variant that has a chain."""
    return Check(
        name or f"proof-{variant}",
        variant,
        partial(proof, chains=chains),
        partial(strengthened, chains=chains),
        "every proof step by its own checker; control: each step strengthened",
    )


def _steps(chain: str, steps: tuple[str, ...]) -> dict[str, Checked]:
    """The named steps alone; what they assume is the business of the claim that owns the chain."""
    from bounds.proofs.chain import check_step

    owner = _chains()[chain]
    return {step.name: check_step(step, owner) for step in owner.steps if step.name in steps}


def wrong_step(task: Task, chain: str, steps: tuple[str, ...]) -> Evidence:
    """Printed steps that are wrong: refuted, with the solver's counterexample."""
    from bounds.proofs.model import Outcome

    results = _steps(chain, steps)
    models: dict[str, Any] = {name: dict(results[name].model) for name in steps}
    if any(results[name].outcome is not Outcome.REFUTED for name in steps):
        return Evidence(Verdict.INCONCLUSIVE, "a printed step was not refuted", {"models": models})
    shown = "; ".join(
        f"{name}: " + ", ".join(f"{k} = {v}" for k, v in m.items()) for name, m in models.items()
    )
    return Evidence(Verdict.REFUTED, f"counterexample to {shown}", {"models": models})


def right_step(task: Task, chain: str, steps: tuple[str, ...]) -> Evidence:
    """The repaired steps, proved by the same checker."""
    from bounds.proofs.model import Outcome

    results = _steps(chain, steps)
    proved = all(results[name].outcome is Outcome.PROVED for name in steps)
    return Evidence(Verdict.PROVED if proved else Verdict.INCONCLUSIVE, f"repaired: {', '.join(steps)}")


def notes(*chains: str) -> tuple[str, ...]:
    """Lines for `show`: the steps of the proof."""
    from bounds.proofs.mutation import describe

    lines = []
    for name in chains:
        chain = _chains()[name]
        lines.append(f"proof {name}: {chain.title}")
        lines += [f"  {describe(step)}" for step in chain.steps]
    return tuple(lines)
