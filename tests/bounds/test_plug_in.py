"""The plug-in calculus: formulas read safely, refused when they are no excess risk, and turned into bounds."""

import json
import math
from functools import cache

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from refused import refused

from bounds import plug_in, plug_in_family, plug_in_pair, variants
from bounds.errors import InputError
from bounds.plug_in_text import read
from bounds.symbols import symbol
from bounds.theorem import check_parameters
from bounds.theorems import thm_global_regret
from verify.cli import main

VALUES = {"M": 10, "K": 5, "T": 10**6, "d": 5, "F": 100}
UNSAFE = [
    "__import__('os').system('true')",
    "().__class__.__bases__",
    "n.real",
    "open('x')",
    "lambda: 1",
    "[1, 2]",
    "'text'",
    "d if n else 1",
    "d/n and 1",
    "n < d",
    "log(n, 2)",
    "log(x=n)",
    "True/n",
    "1e999/n",
    "1j/n",
    "d^2/n",
    "d/",
    "",
    "n" * 301,
    "+".join(["n"] * 130),
    "(" * 200 + "n" + ")" * 200,
]


@pytest.mark.parametrize("text", UNSAFE)
def test_only_formulas_are_read(text):
    with pytest.raises(InputError) as caught:
        read(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["9**9**9/n", "((2**60)**60)**60/n", "(1/2)**(10**9)/n"])
def test_a_tower_of_powers_ends_in_an_error_not_in_memory(text):
    with pytest.raises(InputError, match="not a finite number"):
        read(text).symbolic()


def test_a_formula_is_the_same_as_a_number_and_as_an_expression():
    expression = read("min(1, (25*log(F*n) + 1)/n) + 0.5*sqrt(d)/n**1.5 - exp(-n)/4")
    values = {"F": 100.0, "d": 5.0, "n": 700.0}
    exact = expression.symbolic().subs({symbol(k): sympy.Rational(str(v)) for k, v in values.items()})
    assert expression.value(values) == pytest.approx(float(exact), rel=1e-14)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("thm:global_regret --risk log(d/n) --set d=5", "is negative: -1.38629 at n = 20"),
        ("thm:global_regret --risk d*log(d/n)/n --set d=5", "is negative"),
        ("thm:global_regret --risk q/n", "unknown symbol 'q'"),
        ("thm:global_regret --risk dd/n", "unknown symbol 'dd'; did you mean 'd'?"),
        ("thm:global_regret --risk n/d --set d=5", "increases with n: 4 at n = 20, 8 at n = 40"),
        ("thm:global_regret --risk d/n-1/1000 --set d=5", "is negative"),
        ("thm:global_regret --risk exp(n)", "increases with n"),
        ("thm:global_regret --risk sqrt(n)*log(d/n) --set d=5", "is negative"),
        ("thm:global_regret --risk R/n", "may not depend on R"),
        ("thm:global_regret --risk d/n --optimisation 1/R", "is taken by col:convex_raw only"),
        ("col:finite --risk d/n", "is taken by thm:global_regret and col:convex_raw only"),
        ("col:convex_raw --optimisation 1/R", "needs --risk"),
        ("col:convex_raw --risk d/n --optimisation R/n --set d=5", "increases with R"),
        ("col:convex_raw --risk d/n --optimisation 1+1/R --set d=5", "stays above the generalisation error"),
        ("col:convex_raw --risk d/n --optimisation 1/R-1 --set d=5", "is negative"),
        ("thm:global_regret --risk d/n", "give d"),
    ],
)
def test_what_is_no_error_bound_is_refused_on_one_line(words, message, capsys):
    given_words = words.split()
    if "--set" not in given_words:
        given_words.append("--set")
    refused(capsys, ["bound", *given_words, "M=10", "K=5", "T=1e6"], message)


@pytest.mark.parametrize("variant", list(variants.VARIANTS))
def test_d_over_n_is_the_theorem_with_coefficient_d(variant):
    family = plug_in_family.family("thm:global_regret", "d/n", None)
    parameters = {"M": 10, "K": 5, "T": 10**6, "d": 5, "c": 1.0}
    found = family.evaluate(variant, "regret", None, parameters)
    theirs = thm_global_regret.GeneralRegret().evaluate(variant, "regret", None, {**parameters, "A": 5.0})
    assert found.value == pytest.approx(theirs.value, rel=1e-12)
    given_values = {symbol(k): v for k, v in {**VALUES, "A": 5, "c": 1}.items()}
    ours, other = (float(x.closed_form.subs(given_values)) for x in (found, theirs))
    assert ours == pytest.approx(other, rel=1e-9)


def test_best_under_doubling_is_not_used_where_it_is_not_proved():
    """Its smaller constant is proved for e = A/n; (d/4+1)/(n+1) falls a little more slowly."""
    assert plug_in.is_inverse(read("d/n"), VALUES)
    assert not plug_in.is_inverse(read("(d/4+1)/(n+1)"), VALUES)
    assert plug_in.constant("best", 5, 1.0, False) > plug_in.constant("best", 5, 1.0, True)
    with pytest.raises(InputError, match="agents in step"):
        plug_in.constant("best", 5, 2.0, False)


RISKS = [
    "d/n", "(25*log(F*n)+1)/n", "(d/4+1)/(n+1)", "4*d/sqrt(n)", "d/n+1/sqrt(n)", "min(1, d/n)", "1/n**1.5",
    "1/8",
]  # fmt: skip


@pytest.mark.parametrize("text", RISKS)
@pytest.mark.parametrize("variant", ["repaired", "best"])
def test_the_closed_form_bounds_the_sum(text, variant):
    family = plug_in_family.family("thm:global_regret", text, None)
    form = family.evaluate(variant, "regret", None, {**VALUES, "c": 1.0}).closed_form
    for M, K, T in ((1, 2, 3), (10, 5, 2**20 + 2**18), (3, 50, 10**9)):
        parameters = {**VALUES, "c": 1.0, "M": M, "K": K, "T": T}
        value = family.evaluate(variant, "regret", None, parameters).value
        closed = float(form.subs({symbol(k): v for k, v in parameters.items()}).doit())
        assert value <= closed * (1 + 1e-9), (M, K, T)


@given(st.floats(0, 1.99), st.integers(2, 2**60), st.sampled_from([1.0, 0.97]))
def test_sums_of_powers_over_doubling_epochs(p, horizon, share):
    """sum E^l_cut (E^{l-1})^{-p/2} <= c_p T^{1-p/2}; at complete epochs little is left, so 0.97 of it fails."""
    start, previous, total = 2, 2, 0.0
    while start < horizon:
        total += min(start, horizon - start) * previous ** (-p / 2)
        start, previous = 2 * start, start
    bound = float(plug_in.doubling_constant(p)) * horizon ** (1 - p / 2)
    assert total <= bound * (1 + 1e-9)
    complete = float(plug_in.doubling_constant(0.5)) * (2.0**60) ** 0.75
    exact = sum(2.0 ** (j + 1) * 2.0 ** (-j / 4) for j in range(1, 59)) + 2 * 2**-0.25
    assert (exact <= share * complete) == (share == 1.0)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("d/n", "sqrt(T)"),
        ("(25*log(F*n)+1)/n", "sqrt(T)*sqrt(log(T))"),
        ("4/sqrt(n)", "T**(3/4)"),
        ("d*log(n)**2/n", "sqrt(T)*log(T)"),
        ("exp(-n)", ""),
    ],
)
def test_orders(text, order):
    assert plug_in_family.order(text) == order


PRINTED_FEDAVG = "sigma2/(mu*R*local_steps*M) + beta*G2/(mu**2*R**2)"


@settings(max_examples=10)
@given(
    st.integers(1, 100),
    st.floats(1e-3, 1e3),
    st.floats(1e-3, 1.0),
    st.integers(1, 10**9),
    st.sampled_from([PRINTED_FEDAVG, PRINTED_FEDAVG + " + D2*exp(-mu*R/(16*beta))", "sigma2/sqrt(R)"]),
)
def test_balanced_rounds_are_the_least_and_below_the_closed_bound(agents, noise, mu, n, text):
    generalisation, optimisation = read("4/sqrt(n)"), read(text, "--optimisation")
    known = {"beta": 2.0, "G2": 1.0, "D2": 3.0, "local_steps": 5.0, "n": float(n)}
    values = known | {"M": agents, "sigma2": noise, "mu": mu}
    rounds = plug_in_pair.balanced_rounds(generalisation, optimisation, n, values)
    target = generalisation.value(values)
    assert optimisation.value(values | {"R": float(rounds)}) <= target
    if rounds > 1:
        assert optimisation.value(values | {"R": rounds - 1.0}) > target
    assert closed_rounds("1/R").subs({symbol("n"): 1}) == 2  # one round would do: 1/1 <= 4
    closed = closed_rounds(text)
    assert rounds <= float(closed.subs({symbol(k): v for k, v in values.items()})) * (1 + 1e-9)


@cache
def closed_rounds(text: str) -> sympy.Expr:
    """The closed form for 4/sqrt(n) and an optimisation error: the same for all numbers."""
    return plug_in_pair.closed_rounds(read("4/sqrt(n)").symbolic(), read(text, "--optimisation").symbolic())


def test_a_pair_on_the_command_line(capsys):
    words = ["--set", "M=10", "K=5", "T=1e6", "d=5", "sigma2=1", "mu=1", "beta=2", "G2=1", "local_steps=10"]
    found = {}
    for quantity in ("regret", "calls", "rounds", "numbers"):
        command = ["bound", "col:convex_raw", "--risk", "d/n", "--optimisation", PRINTED_FEDAVG]
        assert main([*command, "--quantity", quantity, "--json", *words]) == 0
        found[quantity] = json.loads(capsys.readouterr().out)
    assert found["calls"]["value"] == 19
    assert found["numbers"]["value"] == 100 * found["rounds"]["value"]
    assert found["regret"]["order"] == "sqrt(T)"
    assert found["regret"]["variant"] == "repaired"
    exact = plug_in_family.family("col:convex_raw", "d/n", None)
    alone = exact.evaluate("repaired", "regret", None, check_parameters(exact, {**PAIR}))
    ratio = (found["regret"]["value"] - 20) / (alone.value - 20)
    assert ratio == pytest.approx(math.sqrt(2)), "the optimisation error at most doubles e"


PAIR = {"M": 10, "K": 5, "T": 10**6, "d": 5}


@pytest.mark.parametrize("optimisation", [PRINTED_FEDAVG, "d**2/(n**2*R)", "100/(n*R)", "n/R**2"])
def test_the_closed_rounds_bound_the_sum_whether_calls_grow_or_shrink(optimisation):
    family = plug_in_family.family("col:convex_raw", "d/n", optimisation)
    extra = {"sigma2": 1.0, "mu": 0.5, "beta": 2.0, "G2": 1.0, "local_steps": 10, "mu_f": 2.0}
    for T in (2, 3, 100, 10**6):
        parameters = {"M": 2, "K": 5, "T": T, "d": 50, **extra}
        report = family.evaluate("repaired", "rounds", None, parameters)
        assert report.value <= float(report.closed_form.subs({symbol(k): v for k, v in parameters.items()}))
