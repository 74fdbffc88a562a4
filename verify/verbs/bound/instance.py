"""bound thm:global_regret --instance FILE: the theorem for any schedule, lengths, arms and risks that a file describes.

c comes from the realised lengths, and the learning rates from the variant's own rule, or from the file where it lists
them. Where they fall (H5), the relaxed form is applied, and that is said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Any

from bounds import plug_in_text, variants
from bounds.errors import InputError, choose
from bounds.schedules import asynchrony, papers_ratio
from bounds.theorems import own_relaxed_rates, thm_global_regret
from fedigw.applicable import breakdown, counted, theorem_of
from fedigw.federation import Federation
from fedigw.rates import TheoremRates
from verify.catalogue import look_up
from verify.instances import parse, read_with
from verify.recorded import Word, of_number, of_risk, of_statement, weaker

THEOREM, RELAXED = "thm:global_regret", "own:relaxed_rates"
SUMS = {
    "printed": "W^1 + 11 c^(5/2) sum_{l>=2} sqrt(Kbar^l e_{l-1}) W^l",
    "repaired": "W^1 + 11 c^2 sum_{l>=2} S^l sqrt(e_{l-1}/Kbar^{l-1})",
    "sharpened": "sum_m (1-1/K_m) E^1_m + sum_{l>=2} min(W^l, (C/g) S^l sqrt(e_{l-1}/Kbar^{l-1}))",
    "best": "sum_m (1-1/K_m) E^1_m + sum_{l>=2} min(W^l, (C/g) S^l sqrt(e_{l-1}/Kbar^{l-1})), agents in step",
    "own rates": "sum_m (1-1/K_m) E^1_m + sum_{l>=2} min(W^l, C(g) S^l/gamma^l)",
    "relaxed": "sum_m (1-1/K_m) E^1_m + sum_{l>=2} min(W^l, C(rbar) S^l/gamma^l)",
}


@dataclass(frozen=True)
class Charged:
    """terms: the bound on each epoch's regret. claim, variant: what proves it. remarks: what a reader must know.
    multiplier: g^2 of the rates, where a rule gives them."""

    claim: str
    variant: str
    form: str
    terms: list[float]
    rates: list[float]
    remarks: tuple[str, ...] = ()
    multiplier: float | None = None


def evaluated(
    name: str, path: Path | Mapping[str, Any], variant: str, given: Mapping[str, Any], risk: str | None
) -> dict[str, Any]:
    """The document of `bound`, with the epochs, c, the learning rates and what became of H5."""
    claim = look_up(name)
    if claim.label != THEOREM:
        raise InputError("--instance", str(path), f"is taken by {THEOREM} only, not by {claim.label}")
    choose("--variant", variant, variants.VARIANTS)
    table = read_with(path)
    return _document(parse(table), variant, given, risk)


def _document(
    federation: Federation, variant: str, given: Mapping[str, Any], risk: str | None
) -> dict[str, Any]:
    if federation.plan.lag != 1 or federation.plan.cumulative:
        said = "is charged by a theorem of its own, which simulate prints where there is one"
        raise InputError("schedule", "interleaved, parallel or of all data", said)
    _refuse_others(federation, risk is None)
    risks = _risks(federation, variant, risk, given)
    charged = charge(federation, variant, risks)
    plan, arms = federation.plan, federation.arms
    value, trivial = sum(charged.terms), thm_global_regret.trivial(_rows(charged), *counted(federation))
    known = _known(federation, charged, risk is None)
    papers = charged.claim == THEOREM and variant == "printed"
    hidden = risk is None and federation.kind != "finite_class" and variants.row(variant).order_only
    document = {
        "claim": charged.claim,
        "variant": charged.variant,
        "quantity": "regret",
        "parameters": {
            "M": len(arms),
            "K": list(arms) if len(set(arms)) > 1 else arms[0],
            "T": federation.timing.horizon
            if federation.timing
            else max(map(sum, zip(*plan.played, strict=True))),
            "c": papers_ratio(plan) if papers else asynchrony(plan),
        },
        "value": value,
        "closed_form": SUMS[charged.form],
        "latex": look_up(charged.claim).variants[charged.variant].formula,
        "trivial": trivial,
        "vacuous": value >= trivial,
        "first_informative_horizon": None,
        "hypotheses": [
            *look_up(charged.claim).variants[charged.variant].hypotheses,
            f"e_l = {risk} after the n samples of epoch l"
            if risk
            else f"the excess risk of {_promise(federation)}",
            *([] if charged.multiplier is None else [f"H4 with g^2 = {charged.multiplier:.6g}"]),
        ],
        "verdict": str(known.verdict),
        "verdict_source": known.source,
        "statement_vacuous": known.vacuous,
        "epochs": [
            {"epoch": l + 1, "lengths": list(plan.full[l]), "played": list(plan.played[l])}
            | {"learning_rate": charged.rates[l], "excess_risk": risks[l], "bound": charged.terms[l]}
            for l in range(plan.epochs)
        ],
        "monotone": own_relaxed_rates.first_fall(charged.rates) is None,
        "fall": own_relaxed_rates.fall(charged.rates),
        "remarks": list(charged.remarks),
    }
    return document | ({"risk": risk} if risk else {}) | ({"order_only": True} if hidden else {})


def _refuse_others(federation: Federation, promised_risk: bool) -> None:
    """What the theorem is not about, as simulate has it: another rule, epochs that teach nothing, and, unless the
    reader answers for the excess risk, links and lies that the protocol's promise does not cover."""
    if theorem_of(federation.policy) != THEOREM:
        raise InputError("policy", federation.policy.name, "the theorem is about inverse gap weighting")
    if federation.plan.floor > 1:
        raise InputError("floor", federation.plan.floor, "the theorem is about a call after every epoch")
    promised = federation.guarantee()
    if promised_risk and promised is not None:
        unmet = (*federation.link.unmet(promised.robust), *breakdown(federation))
        if unmet:
            said = (
                f"{federation.protocol.name} promises no excess risk there ({unmet[0]}); give one by --risk"
            )
            raise InputError("link", "not plain", said)


def _known(federation: Federation, charged: Charged, promised_risk: bool) -> Word:
    """The word for the number: no stronger than that for the excess risk, where the file's protocol promises it."""
    from verify.verbs.simulate.summary import declared_by

    known, promised = of_number(charged.claim, charged.variant), federation.guarantee()
    if not promised_risk or promised is None:
        return known
    declared = declared_by(federation)
    if declared is not None:
        return declared
    behind = (of_statement(label, name) for label, name in promised.rests_on)
    return reduce(
        weaker, behind, weaker(known, of_risk(promised.risk_claim or promised.claim, _rows(charged)))
    )


def charge(federation: Federation, variant: str, risks: Sequence[float]) -> Charged:
    """The theorem for this plan and these risks, in the variant if its hypotheses hold, else in the relaxed form."""
    plan, arms, rule = federation.plan, federation.arms, isinstance(federation.rates, TheoremRates)
    if rule:
        if variant == "best":
            TheoremRates("best").check(plan, arms, federation.guarantee())
        g2 = thm_global_regret.multiplier_squared(variant, plan, arms, risks)
        later = [
            thm_global_regret.learning_rate(g2, risk, thm_global_regret.mean_arms(full, arms))
            for risk, full in zip(risks[:-1], plan.full[:-1], strict=True)
        ]
        rates = [1.0, *later]
    else:
        rates = [float(rate) for rate in federation.learning_rates()]
        if not all(rates):
            raise InputError("learning_rate", 0, "has no bound: H4 asks for gamma^l > 0")
    fall, most = own_relaxed_rates.fall(rates), own_relaxed_rates.largest(plan)
    if fall > 1:
        if fall >= most:
            said = f"falls by a factor of {fall:.6g}: H5 fails, and even the relaxed form asks for less than {most:.6g}"
            raise InputError("learning_rate", "decreasing", said)
        terms = own_relaxed_rates.epoch_terms(*counted(federation), rates, risks)
        return Charged(RELAXED, "relaxed", "relaxed", terms, rates, (own_relaxed_rates.words(rates),))
    if rule:
        terms = thm_global_regret.epoch_terms(variant, *counted(federation), risks)
        return Charged(THEOREM, variant, variant, terms, rates, multiplier=g2)
    terms = thm_global_regret.regret_given_learning_rates(*counted(federation), rates, risks)
    remark = "the file's own learning rates are charged by the sharpened theorem"
    return Charged(THEOREM, "sharpened", "own rates", terms, rates, (remark,))


def _rows(charged: Charged) -> str:
    """The row of bounds.variants whose caps the terms have."""
    return charged.variant if charged.claim == THEOREM else "sharpened"


def _promise(federation: Federation) -> str:
    promised = federation.guarantee()
    return promised.claim if promised is not None else "nothing"


def _risks(federation: Federation, variant: str, risk: str | None, given: Mapping[str, Any]) -> list[float]:
    """e_l of what each epoch teaches: by the formula, or as the protocol promises; clipped where the variant is."""
    row, sizes = variants.row(variant), [sum(full) for full in federation.plan.full]
    if risk is None:
        if given:
            raise InputError("--set", next(iter(given)), "is for --risk: the file says the rest")
        promised = federation.guarantee()
        if promised is None or promised.missing:
            said = f"{federation.protocol.name} promises no excess risk here; give one, e.g. --risk 'd/n' --set d=5"
            raise InputError("--risk", "missing", said)
        found = [float(promised.risk(variant, n)) for n in sizes]
    else:
        expression = plug_in_text.read(risk)
        known: dict[str, float] = {"M": float(len(federation.arms))}
        known |= {name: float(value) for name, value in given.items()}
        if "K" in expression.symbols and "K" not in known:
            if len(set(federation.arms)) > 1:
                raise InputError("--risk", risk, "K differs between the agents; give --set K=...")
            known["K"] = float(federation.arms[0])
        missing = sorted(expression.symbols - {"n"} - set(known))
        if missing:
            raise InputError(
                "--set", "nothing for " + missing[0], f"give {missing[0]}, e.g. --set {missing[0]}=10"
            )
        found = [float(expression.value(known | {"n": float(n)})) for n in sizes]
    for n, e in zip(sizes, found, strict=True):
        if not e > 0:
            raise InputError("--risk", e, f"must be positive; after n = {n} samples it is not")
    return [row.clip(e) for e in found]
