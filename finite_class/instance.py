"""A finite-class instance: the class, the truth, the agents and how the federation plays.

Every number is an exact rational; simulators convert to floats, the exact law does not.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

from bounds import lem_finite_error, thm_global_regret
from bounds.errors import InputError, choose
from bounds.schedules import EpochPlan, uncut_asynchrony
from fedigw import instance_file

TIES = ("first", "adversarial", "uniform")
LEARNING_RATES = ("printed", "sharpened", "best")
REWARDS = ("bernoulli", "deterministic", "two_point")
KEYS = ("kind", "horizon", "schedule", "truth", "functions", "ties", "learning_rate", "rewards", "agents")
AGENT_KEYS = ("contexts", "arms", "epochs")

# Learning rates are rounded down to this grid, so that the exact law has short rationals. Every lemma survives a
# smaller learning rate; at 10^-6 the difference is invisible.
LEARNING_RATE_GRID = 10**6
LARGEST_LEARNING_RATE = 10**100  # its square is still a float


@dataclass(frozen=True)
class Agent:
    """contexts: probability of each context. arms: indices of the arms this agent has."""

    contexts: tuple[Fraction, ...]
    arms: tuple[int, ...]


@dataclass(frozen=True)
class FiniteClassInstance:
    """functions: |F| x |X| x K table of values in [0,1]. plan: who plays how long.

    rewards: "bernoulli" in {0,1}; "deterministic", equal to the mean; "two_point", mean +- min(mean, 1 - mean).
    """

    functions: tuple[tuple[tuple[Fraction, ...], ...], ...]
    truth: int
    agents: tuple[Agent, ...]
    plan: EpochPlan
    ties: str = "first"
    learning_rate: str | tuple[Fraction, ...] = "sharpened"
    rewards: str = "bernoulli"
    kind: ClassVar[str] = "finite_class"

    @property
    def arms(self) -> tuple[int, ...]:
        """K_m of every agent."""
        return tuple(len(agent.arms) for agent in self.agents)

    @property
    def contexts(self) -> int:
        return len(self.functions[0])

    def with_plan(self, plan: EpochPlan) -> FiniteClassInstance:
        return replace(self, plan=plan)

    def risks(self, variant: str) -> tuple[float, ...]:
        """e_l: the mean excess risk that `variant` proves for what epoch l teaches."""
        return tuple(lem_finite_error.mean(variant, len(self.functions), sum(row)) for row in self.plan.full)

    def learning_rates(self) -> tuple[Fraction, ...]:
        """gamma^l of every epoch; gamma^1 = 1 by convention (it multiplies gaps of the zero function)."""
        needed = self.plan.epochs - 1
        if not isinstance(self.learning_rate, str):
            if len(self.learning_rate) < needed:
                raise InputError(
                    "learning_rate", f"{len(self.learning_rate)} numbers", f"must have at least {needed}"
                )
            return (Fraction(1), *self.learning_rate[:needed])
        variant = self.learning_rate
        if len(self.functions) == 1 and variant != "printed" and needed:
            raise InputError("learning_rate", variant, "is infinite for a class of one function; give a list")
        if variant == "best":
            self._refuse_best()
        g2 = thm_global_regret.multiplier_squared(variant, self.plan, self.arms)
        rates = [Fraction(1)]
        for full, risk in zip(self.plan.full[:needed], self.risks(variant), strict=False):
            rate = thm_global_regret.learning_rate(g2, risk, thm_global_regret.mean_arms(full, self.arms))
            rates.append(Fraction(math.floor(rate * LEARNING_RATE_GRID), LEARNING_RATE_GRID))
        return tuple(rates)

    def _refuse_best(self) -> None:
        """The hypotheses of the variant best that an instance can fail, named as its file names them."""
        if (c := uncut_asynchrony(self.plan)) != 1:
            raise InputError("learning_rate", "best", f"is for agents in step, c = 1; here c = {c:.6g}")
        if 1 in self.arms:
            single = f"agents[{self.arms.index(1)}] has 1"
            raise InputError("learning_rate", "best", f"is for agents with at least two arms each; {single}")

    def describe(self) -> dict[str, Any]:
        """The instance as JSON, in the keys of the instance file."""
        rate = self.learning_rate
        return {
            "kind": self.kind,
            "horizon": max(sum(row[m] for row in self.plan.played) for m in range(len(self.agents))),
            "truth": self.truth,
            "functions": [[[str(v) for v in row] for row in table] for table in self.functions],
            "ties": self.ties,
            "learning_rate": rate if isinstance(rate, str) else [str(r) for r in rate],
            "rewards": self.rewards,
            "agents": [
                {
                    "contexts": [str(p) for p in agent.contexts],
                    "arms": list(agent.arms),
                    "epochs": [row[m] for row in self.plan.full],
                }
                for m, agent in enumerate(self.agents)
            ],
        }


def parse(table: Mapping[str, Any]) -> FiniteClassInstance:
    """The instance that a parsed TOML table describes; InputError names the first wrong field."""
    instance_file.refuse_unknown(table, KEYS)
    horizon = instance_file.positive_integer(instance_file.required(table, "horizon"), "horizon")
    functions = _functions(instance_file.required(table, "functions"))
    truth = instance_file.exact_number(instance_file.required(table, "truth"), "truth", "must be an index")
    if truth.denominator != 1 or not 0 <= truth < len(functions):
        raise InputError("truth", str(truth), f"must be an index of functions, 0 to {len(functions) - 1}")
    agent_tables = instance_file.array(
        instance_file.required(table, "agents"), "agents", "one table per agent"
    )
    contexts, arms = len(functions[0]), len(functions[0][0])
    agents = tuple(_agent(agent, m, contexts, arms) for m, agent in enumerate(agent_tables))
    return FiniteClassInstance(
        functions=functions,
        truth=int(truth),
        agents=agents,
        plan=instance_file.plan(table, horizon, agent_tables),
        ties=_choice(table, "ties", TIES, "first"),
        learning_rate=_learning_rate(table.get("learning_rate", "sharpened")),
        rewards=_choice(table, "rewards", REWARDS, "bernoulli"),
    )


def _choice(table: Mapping[str, Any], key: str, known: tuple[str, ...], default: str) -> str:
    value = table.get(key, default)
    if not isinstance(value, str):
        raise InputError(key, value, "must be one of " + ", ".join(known))
    return choose(key, value, known)


def _functions(value: Any) -> tuple[tuple[tuple[Fraction, ...], ...], ...]:
    tables = instance_file.array(value, "functions", "|F| tables of |X| rows of K values")
    rows = [instance_file.array(t, f"functions[{f}]", "|X| rows of K values") for f, t in enumerate(tables)]
    shape: tuple[int, int] | None = None
    result = []
    for f, table in enumerate(rows):
        parsed = []
        for x, row in enumerate(table):
            where = f"functions[{f}][{x}]"
            cells = instance_file.array(row, where, "K values in [0,1]")
            shape = shape or (len(table), len(cells))
            if (len(table), len(cells)) != shape:
                raise InputError(
                    where,
                    f"{len(table)} x {len(cells)}",
                    f"every table must be {shape[0]} x {shape[1]} (|X| x K)",
                )
            values = tuple(
                instance_file.exact_number(v, f"{where}[{a}]", "must be a number in [0,1]")
                for a, v in enumerate(cells)
            )
            for a, v in enumerate(values):
                if not 0 <= v <= 1:
                    raise InputError(f"{where}[{a}]", str(v), "must be a number in [0,1]")
            parsed.append(values)
        result.append(tuple(parsed))
    return tuple(result)


def _agent(table: Any, m: int, contexts: int, arms: int) -> Agent:
    where = f"agents[{m}]."
    if not isinstance(table, dict):
        raise InputError(f"agents[{m}]", table, "must be a table")
    instance_file.refuse_unknown(table, AGENT_KEYS, where)
    law = instance_file.probabilities(
        instance_file.required(table, "contexts", where), where + "contexts", contexts
    )
    chosen = table.get("arms", list(range(arms)))
    indices = []
    for i, value in enumerate(instance_file.array(chosen, where + "arms", "arm indices")):
        index = instance_file.exact_number(value, f"{where}arms[{i}]", "must be an arm index")
        if index.denominator != 1 or not 0 <= index < arms:
            raise InputError(f"{where}arms[{i}]", str(index), f"must be an arm index, 0 to {arms - 1}")
        indices.append(int(index))
    if len(set(indices)) != len(indices):
        raise InputError(where + "arms", indices, "arm indices must differ")
    return Agent(law, tuple(sorted(indices)))


def _learning_rate(value: Any) -> str | tuple[Fraction, ...]:
    if isinstance(value, str):
        return choose("learning_rate", value, LEARNING_RATES)
    rates = []
    for i, item in enumerate(instance_file.array(value, "learning_rate", "gamma^2, gamma^3, ...")):
        rate = instance_file.exact_number(item, f"learning_rate[{i}]", "must be a number between 0 and 1e100")
        if not 0 <= rate <= LARGEST_LEARNING_RATE:
            raise InputError(f"learning_rate[{i}]", str(item), "must be a number between 0 and 1e100")
        rates.append(rate)
    return tuple(rates)
