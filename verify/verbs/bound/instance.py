"""bound thm:global_regret --instance FILE: the theorem for any schedule, lengths, arms and risks that a file describes.

c comes from the realised lengths, and the learning rates from the variant's own rule, or from the file where it lists
them. Where they fall (H5), the relaxed form is applied, and that is said.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from bounds import plug_in_text, theorems, variants
from bounds.errors import InputError, choose
from bounds.schedules import asynchrony, papers_ratio
from bounds.theorems import own_relaxed_rates, thm_global_regret
from fedigw.applicable import breakdown, setting_of, theorem_of
from fedigw.federation import Federation
from fedigw.interfaces import Guarantee
from fedigw.ledger import Traffic
from fedigw.rates import TheoremRates
from verify.catalogue import look_up
from verify.instances import parse, read_with
from verify.recorded import Recorded, of_number, of_risk, resting, weaker

THEOREM, RELAXED = theorems.USUAL, own_relaxed_rates.THEOREM.label
SUMS = {
    "printed": "W^1 + 11 c^(5/2) sum_{l>=2} sqrt(Kbar^l e_{l-1}) W^l",
    "repaired": "W^1 + 11 c^2 sum_{l>=2} S^l sqrt(e_{l-1}/Kbar^{l-1})",
    "sharpened": "sum_m (1-1/K_m) E^1_m + sum_{l>=2} min(W^l, (C/g) S^l sqrt(e_{l-1}/Kbar^{l-1}))",
    "best": "sum_m (1-1/K_m) E^1_m + sum_{l>=2} min(W^l, (C/g) S^l sqrt(e_{l-1}/Kbar^{l-1})), agents in step",
    "own rates": "sum_m (1-1/K_m) E^1_m + sum_{l>=2} min(W^l, C(g) S^l/gamma^l)",
    "relaxed": "sum_m (1-1/K_m) E^1_m + sum_{l>=2} min(W^l, C(rbar) S^l/gamma^l)",
}


def evaluated(
    name: str, path: Path | Mapping[str, Any], variant: str, given: Mapping[str, Any], risk: str | None
) -> dict[str, Any]:
    """Return the document of `bound`, with the epochs, c, the learning rates and what became of H5."""
    claim = look_up(name)
    if claim.label != THEOREM:
        raise InputError("--instance", str(path), f"is taken by {THEOREM} only, not by {claim.label}")
    choose("--variant", variant, variants.VARIANTS)
    table = read_with(path)
    return _document(str(path), parse(table), variant, given, risk)


def _document(
    path: str, federation: Federation, variant: str, given: Mapping[str, Any], risk: str | None
) -> dict[str, Any]:
    plan, arms = federation.plan, federation.arms
    if plan.lag != 1 or plan.cumulative:
        said = "is charged by a theorem of its own, which simulate prints where there is one"
        raise InputError("schedule", "interleaved, parallel or of all data", said)
    if theorem_of(federation.policy) != THEOREM:
        raise InputError("policy", federation.policy.name, "the theorem is about inverse gap weighting")
    promised = _promise(federation, risk)
    row = variants.row(variant)
    e = {n: row.clip(found) for n, found in _risks(federation, variant, risk, given).items()}
    rule = row.learning_rate.name
    # of a constant for agents in step it depends on the model what is proved
    own = replace(
        promised, risk=lambda _, n: e[n], variants=promised.variants if row.in_step else {rule: (variant,)}
    )
    by_rule = federation.rates.rule is not None
    setting = setting_of(federation, own, TheoremRates(rule) if by_rule else None)
    if risk is not None:  # the reader answers for the excess risk
        setting = replace(setting, unmet=())
    found = theorems.applicable(setting)
    if found.missing or setting.rates is None:
        raise InputError("--instance", path, f"has no bound: {found.missing[0]}")
    ((name, value),) = found.values.items()
    terms, risks = found.terms[name], setting.risks(variant)
    shown = "relaxed" if found.theorem == RELAXED else name
    statement = look_up(found.theorem).variants[shown]
    known = _known(federation, found.theorem, shown, name, risk is None)
    assumed = [
        f"the excess risk of {promised.claim}"
        if risk is None
        else f"e_l = {risk} after the n samples of epoch l"
    ]
    if by_rule and found.theorem == THEOREM:
        g2 = thm_global_regret.multiplier_squared(variant, plan, arms, risks)
        assumed.append(f"H4 with g^2 = {g2:.6g}")
    remark = (
        ()
        if by_rule or found.remarks
        else ("the file's own learning rates are charged by the sharpened theorem",)
    )
    papers = by_rule and shown == "printed"
    hidden = risk is None and federation.kind != "finite_class" and row.order_only
    timing = federation.timing
    return (
        {
            "claim": found.theorem,
            "variant": shown,
            "quantity": "regret",
            "parameters": {
                "M": len(arms),
                "K": list(arms) if len(set(arms)) > 1 else arms[0],
                "T": timing.horizon if timing else max(map(sum, zip(*plan.played, strict=True))),
                "c": papers_ratio(plan) if papers else asynchrony(plan),
            },
            "value": value,
            "closed_form": SUMS[shown if by_rule or shown == "relaxed" else "own rates"],
            "latex": statement.formula,
            "trivial": found.trivial[name],
            "vacuous": found.vacuous(name),
            "first_informative_horizon": None,
            "hypotheses": [*statement.hypotheses, *assumed],
            **known.fields,
            "epochs": [
                {"epoch": l + 1, "lengths": list(plan.full[l]), "played": list(plan.played[l])}
                | {"learning_rate": setting.rates[l], "excess_risk": risks[l], "bound": terms[l]}
                for l in range(plan.epochs)
            ],
            "monotone": own_relaxed_rates.first_fall(setting.rates) is None,
            "fall": own_relaxed_rates.fall(setting.rates),
            "remarks": [*found.remarks, *remark],
        }
        | ({"risk": risk} if risk else {})
        | ({"order_only": True} if hidden else {})
    )


def _promise(federation: Federation, risk: str | None) -> Guarantee:
    """Return what the file's protocol promises; where it promises nothing, the reader has to give an excess risk."""
    promised = federation.guarantee()
    if risk is not None:
        return promised or Guarantee("", lambda variant, n: 1.0, None, lambda n: Traffic())
    unmet = (
        ["nothing at all"]
        if promised is None
        else [*promised.missing, *federation.link.unmet(promised.robust), *breakdown(federation)]
    )
    if promised is None or unmet:
        said = f"{federation.protocol.name} promises no excess risk there ({unmet[0]}); give one, e.g. --risk 'd/n'"
        raise InputError("--risk", None, said)
    return promised


def _known(federation: Federation, label: str, shown: str, row: str, promised_risk: bool) -> Recorded:
    """The verdict of the number: no stronger than that of the excess risk, where the file's protocol promises it."""
    from verify.verbs.simulate.summary import declared_by

    known, promised = of_number(label, shown), federation.guarantee()
    if not promised_risk or promised is None:
        return known
    risk = of_risk(promised.risk_claim or promised.claim, row)
    behind = (*promised.rests_on, *federation.world.rests_on)
    return declared_by(federation) or resting(weaker(known, risk), behind)


def _risks(
    federation: Federation, variant: str, risk: str | None, given: Mapping[str, Any]
) -> dict[int, float]:
    """Return e after the samples of each epoch: by the formula, or as the protocol promises."""
    sizes = [federation.plan.taught(epoch) for epoch in range(federation.plan.epochs)]
    if risk is None:
        if given:
            raise InputError("--set", next(iter(given)), "is for --risk: the file says the rest")
        promised = federation.guarantee()
        assert promised is not None
        found = {n: float(promised.risk(variant, n)) for n in sizes}
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
            raise InputError("--set", None, f"give {missing[0]}, e.g. --set {missing[0]}=10")
        found = {n: float(expression.value(known | {"n": float(n)})) for n in sizes}
    for n, e in found.items():
        if not e > 0:
            raise InputError("--risk", e, f"must be positive; after n = {n} samples it is not")
    return found
