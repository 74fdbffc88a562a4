"""A variant is one row of one table: a made-up fifth one has every bound, and nothing else is touched."""

from functools import partial
from pathlib import Path

import pytest
import sympy
from refused import answered

from bounds import lem_finite_error, variants
from bounds.epoch_charges import by_lemma
from bounds.errors import InputError
from bounds.schedules import asynchronous_plan, doubling_plan
from bounds.symbols import symbol
from bounds.theorems import col_finite, theorems, thm_global_regret

PLAIN = {"M": "10", "K": "5", "T": "1000", "F": "50", "A": "2", "d": "5", "da": "2", "db": "3"}
UNIT_RATE = variants.LearningRate("fifth", lambda plan, arms, risks: 1.0, "sqrt(K/e_{l-1})")
# C = 3c with g = 1, excess risk ln|F|/n: nobody has proved it.
FIFTH = variants.Variant(
    "fifth",
    variants.BETWEEN_AGENTS,
    UNIT_RATE,
    over_g=lambda c, arms: 3 * c,
    charges=partial(by_lemma, lambda c, q, g2: 3 * c, UNIT_RATE.multiplier_squared),
    finite=variants.FiniteRisk(
        lambda size, n: lem_finite_error.kappa() * lem_finite_error.sharpened_mean(size, n),
        lambda size, n: sympy.log(size),
        "ln|F|/n",
    ),
    ridge=variants.OWN_RIDGE,
    clipped=True,
    hypotheses=lambda row, arms, c: (f"a fifth hypothesis, c = {c:g}",),
)


@pytest.fixture
def fifth(monkeypatch):
    monkeypatch.setitem(variants.VARIANTS, "fifth", FIFTH)
    return FIFTH


def printed(capsys: pytest.CaptureFixture[str], label: str, *more: str) -> dict[str, object]:
    family = theorems()[label]
    words = [f"{name}={PLAIN[name]}" for name in family.required]
    return answered(capsys, "bound", label, "--variant", "fifth", *more, "--set", *words)


@pytest.mark.usefixtures("fifth")
@pytest.mark.parametrize("label", ["thm:global_regret", "col:finite", "col:linear", "col:linear_per"])
def test_every_family_bounds_a_fifth_variant(label, capsys):
    """Value, closed form, LaTeX and hypotheses of the regret; the closed form bounds the value; the counts too."""
    document = printed(capsys, label)
    value, formula = document["value"], sympy.sympify(str(document["closed_form"]))
    at = {str(s): float(PLAIN.get(str(s), 1)) for s in formula.free_symbols}
    assert isinstance(value, float)
    assert 0 < value <= float(formula.subs(at))
    assert r"\sqrt" in str(document["latex"])
    assert document["hypotheses"]
    family = theorems()[label]
    for quantity in family.quantities[1:]:
        assert printed(capsys, label, "--quantity", quantity)["value"]


def test_the_fields_are_what_is_printed(fifth, capsys):
    assert printed(capsys, "thm:global_regret")["hypotheses"] == [
        *thm_global_regret.HYPOTHESES,
        "a fifth hypothesis, c = 1",
    ]
    needs = printed(capsys, "col:finite")["hypotheses"]
    assert isinstance(needs, list)
    assert needs[-1] == "H4 gamma^l = sqrt(K/e_{l-1}), e = ln|F|/n"
    M, K, T, F = (symbol(name) for name in "MKTF")
    stated = 2 * M + 3 * (2 + sympy.sqrt(2)) * sympy.sqrt(K * M * T * sympy.log(F))
    assert sympy.simplify(col_finite.closed_form("fifth") - stated) == 0
    assert lem_finite_error.mean("fifth", 50, 1) == 1.0  # clipped
    assert thm_global_regret.first_epoch("fifth", (2, 2), (4, 5)) == 4.0


@pytest.mark.usefixtures("fifth")
def test_the_theorem_charges_the_plans_of_a_fifth_variant():
    """In step it is the corollary; out of step C grows with c, as the row says."""
    plan = doubling_plan(100, 3)
    risks = [lem_finite_error.mean("fifth", 50, sum(row)) for row in plan.full]
    terms = thm_global_regret.epoch_terms("fifth", plan, (4,) * 3, risks)
    assert sum(terms) == pytest.approx(col_finite.epoch_sum("fifth", 3, 4, 50).value(100), rel=1e-12)
    uneven = asynchronous_plan([[2, 4], [2, 8]], 100)
    (_, term) = thm_global_regret.epoch_terms("fifth", uneven, (4, 4), [0.25, 0.25])
    assert term == pytest.approx(3 * 2 * 12 * 4 * (0.25 / 4) ** 0.5)


def test_a_risk_above_one_is_cut_where_the_proof_may():
    assert {name: row.clip(2.0) for name, row in variants.VARIANTS.items()} == {
        "printed": 2.0, "repaired": 2.0, "sharpened": 1.0, "best": 1.0,
    }  # fmt: skip


def test_an_unknown_variant_is_refused():
    """It used to be charged as the sharpened one."""
    with pytest.raises(InputError, match="variant = sharpend: unknown; did you mean 'sharpened'"):
        thm_global_regret.epoch_terms("sharpend", doubling_plan(10), (2,), [0.1] * 4)


def test_no_formula_asks_for_a_variant_by_name():
    for path in Path(variants.__file__).parent.glob("*.py"):
        text = path.read_text()
        assert "variant ==" not in text, path.name
        assert "variant !=" not in text, path.name
        assert "variant in (" not in text, path.name
