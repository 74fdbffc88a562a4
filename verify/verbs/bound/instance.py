"""Implement `bound CLAIM --instance FILE`: evaluate the general regret theorem for the epoch lengths, arms and excess
risks of an instance file.

The constant c, which measures how unequally the agents' epochs grow, is computed from their lengths. Learning rates
follow the rule of the theorem's variant, or are those in the file. If they decrease, which hypothesis H5 of the theorem
forbids, another form of the theorem is applied, and the output says so.
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
from verify.catalogue import index
from verify.instances import parse, read_with
from verify.recorded import Recorded, of_number, of_risk, resting, weaker
from verify.verbs.bound.document import label_with_number

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
    """Return what `bound --instance FILE --json` prints: the bound; each epoch's learning rate and part of the bound;
    whether learning rates never decrease (hypothesis H5); and c, which measures how unequally the agents' epochs grow.
    risk, given: a formula for the excess risk, and values of its symbols."""
    if (label := label_with_number(name)) != THEOREM:
        raise InputError(
            "--instance",
            str(path),
            f"only {THEOREM} takes it, not {label}: python -m verify bound {THEOREM} --instance {path}",
        )
    choose("--variant", variant, variants.VARIANTS)
    federation = parse(read_with(path))
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
    # for agents in step, the model decides which constants are proved
    proved = promised.variants if row.in_step else {rule: (variant,)}
    own = replace(promised, risk=lambda _, n: e[n], variants=proved)
    by_rule = federation.rates.rule is not None
    setting = setting_of(federation, own, TheoremRates(rule) if by_rule else None)
    if risk is not None:  # the user guarantees the excess risk
        setting = replace(setting, unmet=())
    found = theorems.applicable(setting)
    if found.missing or setting.rates is None:
        raise InputError("--instance", str(path), f"has no bound: {found.missing[0]}")
    ((name, value),) = found.values.items()
    terms, risks = found.terms[name], setting.risks(variant)
    shown = "relaxed" if found.theorem == RELAXED else name
    claim = index().get(found.theorem)
    stated = None if claim is None else claim.variants[shown]
    known = _known(federation, found.theorem, shown, name, risk is None)
    given_risk = f"e_l = {risk} after the n samples of epoch l"
    assumed = [f"the excess risk of {promised.claim}" if risk is None else given_risk]
    if by_rule and found.theorem == THEOREM:
        g2 = thm_global_regret.multiplier_squared(variant, plan, arms, risks)
        assumed.append(f"H4 with g^2 = {g2:.6g}")
    own_rates = ["the file's own learning rates are charged by the sharpened theorem"]
    hidden = risk is None and federation.kind != "finite_class" and row.order_only
    timing = federation.timing
    document = {
        "claim": found.theorem,
        "variant": shown,
        "quantity": "regret",
        "parameters": {
            "M": len(arms),
            "K": list(arms) if len(set(arms)) > 1 else arms[0],
            "T": timing.horizon if timing else max(map(sum, zip(*plan.played, strict=True))),
            "c": papers_ratio(plan) if by_rule and shown == "printed" else asynchrony(plan),
        },
        "value": value,
        "closed_form": SUMS[shown if by_rule or shown == "relaxed" else "own rates"],
        "latex": "" if stated is None else stated.formula,
        "trivial": found.trivial[name],
        "vacuous": found.vacuous(name),
        "first_informative_horizon": None,
        "hypotheses": [*(() if stated is None else stated.hypotheses), *assumed],
        **known.fields,
        "epochs": [
            {"epoch": l + 1, "lengths": list(plan.full[l]), "played": list(plan.played[l])}
            | {"learning_rate": setting.rates[l], "excess_risk": risks[l], "bound": terms[l]}
            for l in range(plan.epochs)
        ],
        "monotone": own_relaxed_rates.first_fall(setting.rates) is None,
        "fall": own_relaxed_rates.fall(setting.rates),
        "remarks": [*found.remarks] or ([] if by_rule else own_rates),
    }
    return document | ({"risk": risk} if risk else {}) | ({"order_only": True} if hidden else {})


def _promise(federation: Federation, risk: str | None) -> Guarantee:
    promised = federation.guarantee()
    if risk is not None:
        return promised or Guarantee("", lambda variant, n: 1.0, None, lambda n: Traffic())
    unmet = ["nothing at all"]
    if promised is not None:
        unmet = [*promised.missing, *federation.link.unmet(promised.robust), *breakdown(federation)]
    if promised is None or unmet:
        said = f"{federation.protocol.name} promises no excess risk there ({unmet[0]}); give one, e.g. --risk 'd/n'"
        raise InputError("--risk", None, said)
    return promised


def _known(federation: Federation, label: str, shown: str, row: str, promised_risk: bool) -> Recorded:
    from verify.verbs.simulate.summary import declared_by

    known, promised = of_number(label, shown), federation.guarantee()
    if not promised_risk or promised is None:
        return known
    risk = of_risk(promised.risk_claim or promised.claim, row)
    behind = (*promised.rests_on, *federation.world.rests_on)
    return declared_by(federation) or resting(weaker(known, risk), behind)


def _risks(federation: Federation, variant: str, risk: str | None, given: Any) -> dict[int, float]:
    """Return number of samples -> excess risk of a model learned from them, for each epoch. The risk is computed from
    the user's formula `risk` with the values `given` for its symbols or, without one, from the protocol's guarantee."""
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
