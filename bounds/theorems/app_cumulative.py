"""Bound the regret of FedIGW if every model is learned from the data of all epochs so far (app:cumulative).

The sharpened regret bound of thm:global_regret holds with the excess risk e(n) of all n samples, if e(n) is proved
for samples whose choice depends on earlier ones. Such proofs exist for a finite class (app:cumulative) and for
posterior means (app:posterior_mean).
"""

from dataclasses import dataclass

from bounds.schedules import uncut_asynchrony
from bounds.theorem import Applied, Setting, Theorem
from bounds.theorems import thm_global_regret


@dataclass(frozen=True)
class CumulativeData(Theorem):
    """The sharpened regret bound for federations that learn every model from all data so far. All agents must have
    the same epochs and equally many arms."""

    label: str = "app:cumulative"
    hypotheses: tuple[str, ...] = (
        *thm_global_regret.HYPOTHESES[:2],
        "e(n) is proved for n samples that were chosen in the light of earlier ones",
        "agents in step with equally many arms, sharpened learning rates",
    )
    required: tuple[str, ...] = ()
    replaces: str = "thm:global_regret"
    forms: tuple[str, ...] = ("sharpened",)

    def concerns(self, setting: Setting) -> bool:
        return setting.plan.cumulative

    def missing(self, setting: Setting) -> tuple[str, ...]:
        found = [*thm_global_regret.common(setting)]
        if setting.rates is None:
            return tuple(found)
        if setting.plan.lag != 1:
            found.append("no bound is known for playing while a stream of all data is learned from")
        if not setting.on_all_data:
            found.append(
                "learning from all data: bounds exist for a finite class (app:cumulative) and for posterior means"
                f" (app:posterior_mean), not for protocol {setting.protocol}"
            )
        if uncut_asynchrony(setting.plan) != 1 or len(set(setting.arms)) > 1:
            found.append(
                "learning from all data: the bound is for agents in step with equally many arms (app:cumulative)"
            )
        if setting.rule != "sharpened":
            found.append(
                "learning from all data: the bound is for the sharpened learning rates (app:cumulative)"
            )
        return tuple(found)

    def applied(self, setting: Setting) -> Applied:
        terms = thm_global_regret.epoch_terms("sharpened", *setting.counted, setting.risks("sharpened"))
        said = f"calls learn from all data so far: the bound is that of {setting.on_all_data[-1][0]}"
        return thm_global_regret.apply(
            thm_global_regret.THEOREM, setting, {"sharpened": terms}, setting.on_all_data, (said,)
        )


THEOREM = CumulativeData()
