"""The step engine: what it proves, what it refutes with a model, what it refuses to read."""

import dataclasses

import pytest
import sympy as sp

from bounds.proofs import (
    At,
    BadChain,
    Chain,
    Decision,
    Hypothesis,
    Identity,
    Induction,
    Point,
    Smt,
    Step,
    Summation,
    Supremum,
    Total,
    check_chain,
    reals,
    without,
)
from bounds.proofs.engine.smt import decide, satisfiable

x, y, z, lam = reals("x y z lam")
positive = Hypothesis("positive", "x and y are positive", sp.And(x > 0, y > 0))


def chain(*steps: Step, hypotheses: tuple[Hypothesis, ...] = (positive,), **more: object) -> Chain:
    return Chain("test", "a test", "here.py", hypotheses, steps, (steps[-1].name,), **more)  # type: ignore[arg-type]


def smt(statement: object, *assumes: str | At, name: str = "step", **more: object) -> Step:
    return Step(name, statement, assumes or ("positive",), "", Smt(), **more)  # type: ignore[arg-type]


def outcome(*steps: Step, **more: object) -> Decision:
    return check_chain(chain(*steps, **more)).results[steps[-1].name].decision  # type: ignore[arg-type]


def test_amgm_with_denominators_is_proved_and_its_text_kept() -> None:
    result = check_chain(chain(smt(sp.Ge(x / y + y / x, 2)))).results["step"]
    assert result.decision is Decision.PROVED
    assert any("(check-sat)" in text for text in result.smt2)


def test_a_false_step_comes_back_with_its_counterexample() -> None:
    result = check_chain(chain(smt(sp.Ge(x / y + y / x, 3)))).results["step"]
    assert result.decision is Decision.REFUTED
    a, b = sp.Rational(result.model["x"]), sp.Rational(result.model["y"])
    assert a > 0
    assert b > 0
    assert a / b + b / a < 3


def test_a_denominator_of_unknown_sign_is_inconclusive() -> None:
    # z3 lets x/0 be anything: without the sign of z nothing may be concluded.
    real = Hypothesis("real", "z is real", declares=(z,))
    assert outcome(smt(sp.Ge(z / z**2 * z, 1), "real"), hypotheses=(real,)) is not Decision.REFUTED
    assert outcome(smt(sp.Ge(1 / z, 0), "real"), hypotheses=(real,)) is Decision.INCONCLUSIVE


def test_a_root_needs_a_radicand_shown_non_negative() -> None:
    assert outcome(smt(sp.Le(2 * sp.sqrt(x * y), x + y))) is Decision.PROVED
    assert outcome(smt(sp.Le(2 * sp.sqrt(x * y), x + y - sp.Rational(1, 100)))) is Decision.REFUTED
    real = Hypothesis("real", "z is real", declares=(z,))
    assert outcome(smt(sp.Ge(sp.sqrt(z), 0), "real"), hypotheses=(real,)) is Decision.INCONCLUSIVE
    assert decide(sp.Ge(sp.sqrt(2), sp.Rational(141, 100)), []).decision is Decision.PROVED
    assert decide(sp.Ge(sp.sqrt(2), sp.Rational(142, 100)), []).decision is Decision.REFUTED


def test_a_solver_without_time_is_inconclusive() -> None:
    hard = sp.Ge(x**6 * y**2 + x**2 * y**6 + z**8 + 1, 4 * x**2 * y**2 * z**2 + z / 1000)
    assert decide(hard, [], milliseconds=1).decision is Decision.INCONCLUSIVE


def test_contradictory_assumptions_are_noticed() -> None:
    assert satisfiable([x > 0, y > x]).decision is Decision.PROVED
    assert satisfiable([x > 0, x < 0]).decision is Decision.REFUTED


def test_identity_right_and_wrong() -> None:
    right = Step("step", sp.Eq((x + y) ** 2, x**2 + 2 * x * y + y**2), ("positive",), "", Identity())
    wrong = dataclasses.replace(right, statement=sp.Eq((x + y) ** 2, x**2 + y**2))
    assert outcome(right) is Decision.PROVED
    assert outcome(wrong) is Decision.REFUTED


def test_summation_needs_constant_coefficients_and_matching_totals() -> None:
    total_x, total_y = reals("total_x total_y")
    table = {"agent": (Total(total_x, x), Total(total_y, y))}
    order = Hypothesis("order", "x <= y for every agent", sp.Le(x, y), declares=(z,))
    more = {"totals": table, "indexed": {"agent": (x, y)}, "hypotheses": (order,)}
    step = Step("step", sp.Le(total_x, total_y), ("order",), "", Summation("agent", sp.Le(x, y)))
    assert outcome(step, **more) is Decision.PROVED
    wrong = dataclasses.replace(step, statement=sp.Le(2 * total_x, total_y))
    assert outcome(wrong, **more) is Decision.INCONCLUSIVE
    false_term = dataclasses.replace(
        step, rule=Summation("agent", sp.Le(y, x)), statement=sp.Le(total_y, total_x)
    )
    assert outcome(false_term, **more) is Decision.REFUTED
    # A coefficient that varies with the agent does not come out of the sum.
    square = Hypothesis("order", "", sp.Le(x * z, y * z), declares=(x, y, z))
    scaled = Step(
        "step", sp.Le(z * total_x, z * total_y), ("order",), "", Summation("agent", square.statement)
    )
    assert outcome(scaled, **{**more, "hypotheses": (square,)}) is Decision.PROVED
    moving = {**more, "hypotheses": (square,), "indexed": {"agent": (x, y, z)}}
    assert outcome(scaled, **moving) is Decision.INCONCLUSIVE
    # ... unless a named hypothesis fixes it.
    fixed = dataclasses.replace(square, fixes={"agent": (z,)})
    assert outcome(scaled, **{**moving, "hypotheses": (fixed,)}) is Decision.PROVED


def test_instances_must_meet_the_hypotheses_of_the_result() -> None:
    free = Hypothesis("free", "any lam > 0", lam > 0)
    general = smt(sp.Le(x, lam * x**2 / 2 + 1 / (2 * lam)), "positive", "free", name="general")
    used = smt(sp.Le(x, x**2 / 2 + sp.Rational(1, 2)), "positive", At("general", {lam: sp.Integer(1)}))
    both = (positive, free)
    assert outcome(general, used, hypotheses=both) is Decision.PROVED
    bad = dataclasses.replace(used, assumes=("positive", At("general", {lam: sp.Integer(-1)})))
    assert outcome(general, bad, hypotheses=both) is Decision.INCONCLUSIVE


def test_points_and_suprema_over_policies() -> None:
    value, best, limit, greedy = reals("value best limit greedy")
    given = Hypothesis("given", "value <= limit for every policy", sp.Le(value, limit))
    more = {
        "hypotheses": (given,),
        "indexed": {"policy": (value,)},
        "suprema": {best: ("policy", value)},
        "points": {"greedy": Point("policy", {value: greedy})},
    }
    step = Step("step", sp.Le(best, limit), ("given",), "", Supremum(best))
    assert outcome(step, **more) is Decision.PROVED
    assert outcome(dataclasses.replace(step, statement=sp.Le(best, value)), **more) is Decision.INCONCLUSIVE
    assert outcome(smt(sp.Le(greedy, limit), At("given", point="greedy")), **more) is Decision.PROVED


def test_induction_discharges_its_hypothesis() -> None:
    before, now, first = reals("before now first")
    start = Hypothesis("start", "the first is zero", sp.Eq(first, 0))
    grows = Hypothesis("grows", "now = before / 2 + 1/2", sp.Eq(now, before / 2 + sp.Rational(1, 2)))
    assumed = Hypothesis("assumed", "one earlier", sp.Le(before, 1), kind="induction")
    base = smt(sp.Le(first, 1), "start", name="base")
    carry = smt(sp.Le(now, 1), "grows", "assumed", name="carry")
    rule = Induction("assumed", "base", "carry", {before: now}, {before: first})
    every = Step("every", sp.Le(now, 1), ("base", "carry"), "", rule)
    hypotheses = (start, grows, assumed)
    report = check_chain(chain(base, carry, every, hypotheses=hypotheses))
    assert report.holds
    assert report.assumptions["every"] == {"start", "grows"}
    with pytest.raises(BadChain, match="still rests on the induction hypothesis"):
        check_chain(chain(base, carry, hypotheses=hypotheses))
    stronger = dataclasses.replace(every, statement=sp.Le(now, sp.Rational(1, 2)))
    assert outcome(base, carry, stronger, hypotheses=hypotheses) is Decision.INCONCLUSIVE


def test_an_induction_from_its_own_hypothesis_is_refused() -> None:
    now, first = reals("now first")
    real = Hypothesis("real", "any reals", declares=(x, now, first))
    zero = Hypothesis("zero", "the first is zero", sp.Eq(first, 0))
    same_as = Hypothesis("same", "now = x", sp.Eq(now, x))
    assumed = Hypothesis("assumed", "x <= 0", sp.Le(x, 0), kind="induction")
    hypotheses = (real, zero, same_as, assumed)
    later, start = {x: now}, {x: first}
    circular = smt(sp.Le(x, 0), "assumed", name="base")
    honest = smt(sp.Le(first, 0), "zero", name="base")
    still = smt(sp.Le(x, 0), "assumed", name="carry")
    carry = smt(sp.Le(now, 0), "same", "assumed", name="carry")
    unused = smt(sp.Le(first, 0), "zero", name="carry")

    def every(base: Step, step: Step, later: dict[sp.Symbol, object], first: dict[sp.Symbol, object]) -> None:
        rule = Induction("assumed", "base", "carry", later, first)
        end = Step("every", step.statement, ("base", "carry"), "", rule)
        assert check_chain(chain(base, step, end, hypotheses=hypotheses)).holds

    every(honest, carry, later, start)
    # x <= 0 for every real x: from itself, without an advance, onto itself, from a step that needs nothing.
    for base, step, moves, starts, why in (
        (circular, still, {}, {}, "rests on the induction hypothesis itself"),
        (circular, carry, later, {x: x}, "rests on the induction hypothesis itself"),
        (honest, still, {}, start, "must move the same symbols"),
        (honest, still, {x: x}, start, "symbols of its own"),
        (honest, still, {y: now}, {y: first}, "does not occur"),
        (honest, carry, later, {x: now}, "stated at another case"),
        (honest, unused, {x: first}, start, "does not use"),
    ):
        with pytest.raises(BadChain, match=why):
            every(base, step, moves, starts)


def test_bad_chains_are_refused_naming_the_file() -> None:
    with pytest.raises(BadChain, match=r"here\.py: step has free symbols that no assumption covers: z"):
        check_chain(chain(smt(sp.Ge(x + z, z))))
    with pytest.raises(BadChain, match=r"here\.py: first assumes 'second', which no earlier step"):
        check_chain(chain(smt(x > 0, "second", name="first"), smt(x > 0, "first", name="second")))
    wrong = smt(sp.Ge(x, y), "positive", name="wrong", expect=Decision.REFUTED)
    with pytest.raises(BadChain, match="a step that is expected to fail"):
        check_chain(chain(wrong, smt(sp.Ge(x, y), "wrong", name="after")))
    signed = sp.Symbol("x", positive=True)
    with pytest.raises(BadChain, match="must be a plain real"):
        check_chain(chain(smt(signed > 2), hypotheses=(positive, Hypothesis("sign", "", signed > 3))))


def test_a_step_on_an_unproved_one_is_not_proved() -> None:
    assert outcome(smt(sp.Ge(x, y), "positive", name="gap"), smt(sp.Ge(x, y / 2), "positive", "gap")) is (
        Decision.INCONCLUSIVE
    )


def test_deleting_a_hypothesis_is_noticed() -> None:
    assert not check_chain(without(chain(smt(sp.Ge(x / y + y / x, 2))), "positive")).holds


def test_calculus_needs_the_right_relation_curvature_and_domain() -> None:
    from bounds.proofs import Chord, Tangent

    real = Hypothesis("real", "z is real", declares=(z,))
    step = Step("step", sp.Ge(sp.exp(z), 1 + z), ("real",), "", Tangent(z, sp.Integer(0), (sp.exp(z),)))
    assert outcome(step, hypotheses=(real,)) is Decision.PROVED
    for wrong in (sp.Eq(sp.exp(z), 1 + z), sp.Ge(sp.exp(z), 2 + z), sp.Le(sp.exp(z), 1 + z)):
        assert (
            outcome(dataclasses.replace(step, statement=wrong), hypotheses=(real,)) is Decision.INCONCLUSIVE
        )
    bent = dataclasses.replace(step, rule=Tangent(z, sp.Integer(0), (sp.exp(2 * z),)))
    assert outcome(bent, hypotheses=(real,)) is Decision.INCONCLUSIVE
    # -log is convex where it is defined: without z > 0 nothing is said.
    log = Step("step", sp.Ge(-sp.log(z), 1 - z), ("real",), "", Tangent(z, sp.Integer(1), (1 / z**2,)))
    assert outcome(log, hypotheses=(real,)) is Decision.INCONCLUSIVE
    above = Hypothesis("real", "z > 0", z > 0)
    assert outcome(log, hypotheses=(above,)) is Decision.PROVED
    unit = Hypothesis("real", "z in [0,1]", sp.And(z >= 0, z <= 1))
    chord = Chord(z, sp.Integer(0), sp.Integer(1), (sp.exp(z),))
    below = Step("step", sp.Le(sp.exp(z), 1 + z * (sp.exp(1) - 1)), ("real",), "", chord)
    assert outcome(below, hypotheses=(unit,)) is Decision.PROVED
    assert outcome(below, hypotheses=(above,)) is Decision.INCONCLUSIVE  # beyond the chord's end it is false


def test_cases_must_cover_everything() -> None:
    from bounds.proofs import Cases

    low = Hypothesis("low", "z <= 0", z <= 0, kind="case")
    high = Hypothesis("high", "z >= 1", z >= 1, kind="case")
    top = Hypothesis("top", "z >= 0", z >= 0, kind="case")
    real = Hypothesis("real", "z is real", declares=(z,))
    square = sp.Ge(z**2, z * 0)

    def split(second: Hypothesis) -> tuple[Step, ...]:
        first, other = smt(square, "low", name="first"), smt(square, second.name, name="other")
        rule = Cases({"low": "first", second.name: "other"})
        return first, other, Step("both", square, ("real", "first", "other"), "", rule)

    assert outcome(*split(top), hypotheses=(real, low, top)) is Decision.PROVED
    assert outcome(*split(high), hypotheses=(real, low, high)) is Decision.REFUTED
    with pytest.raises(BadChain, match="still rests on the case hypothesis"):
        check_chain(chain(smt(z <= 1, "low"), hypotheses=(low,)))


def test_a_strengthened_sum_is_refuted_by_its_term() -> None:
    from bounds.proofs.engine.mutation import killed, mutants, refuted

    total_x, total_y = reals("total_x total_y")
    order = Hypothesis("order", "0 <= x <= y for every agent", sp.And(x >= 0, sp.Le(x, y)))
    step = Step("step", sp.Le(total_x, total_y), ("order",), "", Summation("agent", sp.Le(x, y)))
    more = {"totals": {"agent": (Total(total_x, x), Total(total_y, y))}, "indexed": {"agent": (x, y)}}
    answers = mutants(chain(step, hypotheses=(order,), **more))
    assert killed(answers) == refuted(answers) == 1
    assert answers["step"].model  # a member of the index where the term fails, not a sum that does not match
    # From contradictory assumptions every neighbour follows: it survives, and the control says so.
    broken = Hypothesis("order", "a contradiction", sp.And(sp.Le(x, y), sp.Ge(x, y + 1)))
    assert killed(mutants(chain(step, hypotheses=(broken,), **more))) == 0


@pytest.mark.long
def test_every_strengthened_step_is_rejected() -> None:
    from bounds.proofs import discover_chains
    from bounds.proofs.engine.mutation import killed, mutants

    tried = rejected = 0
    for each in discover_chains():
        answers = mutants(each)
        tried += len(answers)
        rejected += killed(answers)
    assert tried > 200
    assert rejected == tried
