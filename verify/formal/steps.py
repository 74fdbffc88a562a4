"""Proof chains as evidence: every step checked, wrong printed steps refuted, strengthened steps rejected."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any

from verify.claim import Check, Evidence, Task
from verify.verdict import Verdict

if TYPE_CHECKING:  # the proofs bring sympy: listing claims must not
    from bounds.proofs.engine.model import Chain, Checked, Report


@cache
def known_chains() -> dict[str, Chain]:
    from bounds.proofs.engine.chain import discover_chains

    return {chain.name: chain for chain in discover_chains()}


@cache
def _report(name: str) -> Report:
    from bounds.proofs.engine.chain import check_chain

    return check_chain(known_chains()[name])


@cache
def _unmet(name: str) -> dict[str, Checked]:
    from bounds.proofs.engine.links import check_links

    return check_links(known_chains()[name], known_chains().values())


@cache
def _inner_sums(name: str) -> bool:
    from bounds.proofs.engine.links import inner_sums

    return bool(inner_sums(known_chains()[name], known_chains()))


def _assumptions(name: str) -> dict[str, list[str]]:
    from bounds.proofs.engine.links import assumptions

    return assumptions(known_chains()[name], known_chains())


def imported(chains: tuple[str, ...]) -> list[str]:
    """The other chains whose lemmas these use, directly or not."""
    left, found = list(chains), list[str]()
    while left:
        for hypothesis in known_chains()[left.pop()].hypotheses:
            name = hypothesis.source.partition("/")[0]
            if hypothesis.kind == "lemma" and name not in (*found, *chains):
                found.append(name)
                left.append(name)
    return found


NAMED = 8  # hypotheses named in a summary; the figures have all of them


def proof(task: Task, chains: tuple[str, ...]) -> Evidence:
    """Proved if every step of every chain answers as expected; a wrong answer is shown with its model.

    What a lemma of another chain rests on has to hold where it is used. What is assumed is named.
    """
    from bounds.proofs.engine.model import Decision

    steps = 0
    assumes: dict[str, list[str]] = {}
    used: set[str] = set()
    refuted = []
    # What an imported chain assumes is named by the one that uses it, at the values at which it does.
    used_here = {h.source.partition("/")[0] for name in chains for h in known_chains()[name].hypotheses}
    for name in imported(chains):
        # what is imported is checked too: a proof is no better than the proofs it uses
        for what in (*_report(name).failures, *_unmet(name)):
            return Evidence(
                Verdict.INCONCLUSIVE, f"rests on {name}, where {what} is not shown", {"chain": name}
            )
    for name in chains:
        report = _report(name)
        for what, why in _unmet(name).items():
            return Evidence(Verdict.INCONCLUSIVE, f"{name}: {what}: {why.detail}", {"model": dict(why.model)})
        for kind_of, names in ({} if name in used_here else _assumptions(name)).items():
            known = assumes.setdefault(kind_of, [])
            known += [n for n in names if n not in known]
        for step in report.chain.steps:
            found = report.results[step.name]
            if found.decision is not step.expect:
                kind = Verdict.REFUTED if found.decision is Decision.REFUTED else Verdict.INCONCLUSIVE
                return Evidence(
                    kind,
                    f"{name}: {step.name}: {found.detail}",
                    {"model": dict(found.model), "step": step.name},
                )
            if step.expect is Decision.REFUTED:
                refuted.append({"step": step.name, "model": dict(found.model)})
            else:
                steps += 1
            used.add(step.rule.kind)
    figures = {
        "chains": list(chains),
        "steps": steps,
        "checkers": sorted(used),
        "refuted_steps": refuted,
        "assumes": assumes,
        "proof": [_written(known_chains()[name]) for name in chains],
    }
    shown = f", {len(refuted)} wrong one{'' if len(refuted) == 1 else 's'} refuted" if refuted else ""
    joints = (
        "; not checked: that the sums named inside a lemma exist" if any(map(_inner_sums, chains)) else ""
    )
    text = f"{steps} steps proved ({', '.join(sorted(used))}){shown}{_assumed(assumes)}{joints}"
    return Evidence(Verdict.PROVED, text, figures)


def _written(chain: Chain) -> dict[str, Any]:
    """A chain as a reader follows it: every step with its formula, why it holds, from what, and who checked it."""
    from bounds.proofs.engine.model import Decision
    from bounds.proofs.engine.notation import latex

    return {
        "chain": chain.name,
        "title": chain.title,
        "given": [{"name": h.name, "kind": h.kind, "text": h.text} for h in chain.hypotheses],
        "steps": [
            {
                "step": step.name,
                "formula": latex(step.statement),
                "because": step.because,
                "from": [a if isinstance(a, str) else a.name for a in step.assumes],
                "checker": step.rule.kind,
                "wrong": step.expect is Decision.REFUTED,
            }
            for step in chain.steps
        ],
    }


def _assumed(assumes: dict[str, list[str]]) -> str:
    """Cited theorems and hypotheses by name, definitions by number."""
    parts = []
    if assumes.get("hypothesis"):
        names = assumes["hypothesis"]
        more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
        parts.append(", ".join(names[:NAMED]) + more)
    if assumes.get("cited"):
        parts.append("cited: " + ", ".join(assumes["cited"]))
    if assumes.get("definition"):
        parts.append(f"{len(assumes['definition'])} definitions")
    return f"; assumes {'; '.join(parts)}" if parts else ""


def strengthened(task: Task, chains: tuple[str, ...]) -> Evidence:
    """The control: the same checkers on false neighbours of proved steps; refuted if none of them is proved.

    The full profile takes every step, the quick one the conclusions and every fifteenth step.
    """
    from bounds.proofs.engine.mutation import killed, mutants, refuted

    tried = rejected = shown = 0
    for name in chains:
        chain = known_chains()[name]
        some = (*chain.concludes, *(step.name for step in chain.steps[::15]))
        answers = mutants(chain, () if task.full else some)
        tried += len(answers)
        rejected += killed(answers)
        shown += refuted(answers)
    # A checker that only ever gives up rejects everything: that shows nothing.
    rejected_all = Verdict.REFUTED if shown else Verdict.INCONCLUSIVE
    kind = Verdict.PROVED if rejected < tried else rejected_all
    return Evidence(
        kind,
        f"{rejected} of {tried} strengthened steps rejected: {shown} with a counterexample, "
        f"{rejected - shown} not provable",
        {"tried": tried, "rejected": rejected, "counterexamples": shown, "not_provable": rejected - shown},
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
    from bounds.proofs.engine.chain import check_step

    owner = known_chains()[chain]
    return {step.name: check_step(step, owner) for step in owner.steps if step.name in steps}


def wrong_step(task: Task, chain: str, steps: tuple[str, ...]) -> Evidence:
    """Printed steps that are wrong: refuted, with the solver's counterexample."""
    from bounds.proofs.engine.model import Decision

    results = _steps(chain, steps)
    models: dict[str, Any] = {name: dict(results[name].model) for name in steps}
    if any(results[name].decision is not Decision.REFUTED for name in steps):
        return Evidence(Verdict.INCONCLUSIVE, "a printed step was not refuted", {"models": models})
    shown = "; ".join(
        f"{name}: " + ", ".join(f"{k} = {v}" for k, v in m.items()) for name, m in models.items()
    )
    return Evidence(Verdict.REFUTED, f"counterexample to {shown}", {"models": models})


def right_step(task: Task, chain: str, steps: tuple[str, ...]) -> Evidence:
    """The repaired steps, proved by the same checker."""
    from bounds.proofs.engine.model import Decision

    results = _steps(chain, steps)
    proved = all(results[name].decision is Decision.PROVED for name in steps)
    return Evidence(Verdict.PROVED if proved else Verdict.INCONCLUSIVE, f"repaired: {', '.join(steps)}")


def notes(*chains: str) -> tuple[str, ...]:
    """Lines for `show`: the steps of the proof."""
    from bounds.proofs.engine.mutation import describe

    lines = []
    for name in chains:
        chain = known_chains()[name]
        lines.append(f"proof {name}: {chain.title}")
        lines += [f"  {describe(step)}" for step in chain.steps]
    return tuple(lines)
