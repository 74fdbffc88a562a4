"""What is printed beside a number is what it rests on: learning rates, one arm, one smallest guarantee, verdicts."""

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any, ClassVar

import pytest

import verify
from bounds import theorems
from bounds.best.constant import best, proved_over
from bounds.errors import InputError
from bounds.theorem import Theorem
from fedigw.applicable import applicable_bounds
from fedigw.replications import simulate as replicate
from finite_class.protocols.exact_minimiser import ExactMinimiser
from linear.protocols.direct import Direct
from verify.cli import main
from verify.instances import parse, read_with
from verify.verbs.bound.document import evaluated
from verify.verbs.simulate.summary import any_violation, summarise
from verify.verbs.simulate.text import text

TABLE = {
    "kind": "finite_class",
    "horizon": 64,
    "truth": 0,
    "functions": [[["1/2", "2/5"]], [["2/5", "1/2"]]],
    "agents": [{"contexts": ["1"]}] * 2,
}
VALUES = {"M": 10, "K": 5, "T": 100_000, "A": 7, "F": 30, "d": 5, "da": 3, "db": 2, "f": 2}
THEOREMS = [theorem for theorem in theorems.theorems().values() if theorem.required]
ROOT = Path(__file__).resolve().parents[3]


def documents(theorem: Theorem, **changes: Any) -> list[dict[str, Any]]:
    """Every regret bound of a theorem, for all variants and protocols that it has."""
    given = {name: (VALUES | changes)[name] for name in theorem.required}
    found = []
    for variant, protocol in product(theorem.variants, (None, *theorem.protocols)):
        try:
            found.append(evaluated(theorem.label, variant, given, "regret", protocol, formula=False))
        except InputError:
            continue  # a combination that the theorem is not about
    return found


@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda theorem: theorem.label)
def test_the_hypotheses_name_the_learning_rate_and_its_g(theorem):
    for document in documents(theorem):
        if document.get("order_only"):
            continue
        text = "\n".join(document["hypotheses"])
        if theorem.label == "app:epsilon_greedy":
            assert "eps_l = min(1, (K e_{l-1}/2)^{1/3})" in text
            continue
        assert "gamma^l = " in text, document
        assert "g sqrt" not in text or "g^2 = " in text or "g of " in text, document


@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda theorem: theorem.label)
def test_one_arm_has_no_regret(theorem):
    for document in documents(theorem, K=1):
        assert document["trivial"] == 0
        assert document["vacuous"]
        assert document["first_informative_horizon"] is None
        assert theorem.label == "app:interleaved" or "one arm has regret 0" in document["hypotheses"][-1]


def test_an_agent_with_one_arm_counts_nothing_in_what_is_known():
    agents = [{"contexts": ["1"]}, {"contexts": ["1"], "arms": [1]}]
    table = TABLE | {"functions": [[["1", "0"]], [["0", "1"]]], "agents": agents}
    found = verify.simulate(table, replications=3)
    assert found.document["bounds"]["regret"]["trivial"] == 2 / 2 + 62
    for rate, variants in (("printed", {"printed", "repaired"}), ("sharpened", {"sharpened"})):
        assert set(applicable_bounds(parse(table | {"learning_rate": rate}))) == variants


def test_plan_has_one_smallest_guarantee_and_prints_verdicts(few_worlds):
    """98,849.7 everywhere, and the rates that belong to it."""
    plan = verify.plan(50, 5, 10**5, dimension=10)
    found = plan.document
    smallest = found["smallest"]["value"]
    assert smallest == min(row["value"] for row in found["guaranteed"])
    assert found["three_rates"][0]["bound"] == pytest.approx(smallest, rel=1e-9)
    assert next(row for row in found["protocols"] if row["protocol"] == "direct")["regret"] == smallest
    g2 = (1 - 2 / 5 + 0.472547) / 2.321695
    assert found["rates"][1] == pytest.approx((g2 * 5 / min(1, (10 / 4 + 1) / 100)) ** 0.5, rel=1e-5)
    rows = {line.split()[0].strip("*"): line for line in str(plan).splitlines() if line.strip()}
    assert rows["chebyshev"].endswith("  undecided")
    assert rows["fedavg"].endswith("  proved (z3)")


def test_sweep_and_fit_print_verdicts_with_their_bounds():
    instance = str(ROOT / "examples" / "linear.toml")
    table = verify.sweep(instance, {"horizon": [16]}, protocol=["direct", "chebyshev"], replications=2)
    assert [(row["verdict"], row["by"]) for row in table.rows] == [("proved", "coq"), ("undecided", None)]
    found = verify.fit(str(ROOT / "examples" / "dataset.toml"), protocol="agd")
    assert found.document["guarantee"]["by"] == "coq"


@pytest.mark.parametrize("label", ["own:covering", "col:convex", "col:convex_per", "col:convex_raw"])
def test_a_corollary_has_the_verdict_of_what_it_rests_on(label):
    theorem = theorems.find(label)
    assert theorem is not None
    for document in documents(theorem):
        assert document["verdict"] != "undecided" or document["statement_vacuous"], document["variant"]


def test_the_closed_form_of_epsilon_greedy_is_the_one_that_is_proved():
    expression = theorems.expression("app:epsilon_greedy", "tuned", "regret", None)
    assert "511" in str(expression)
    from bounds.theorems import app_epsilon_greedy

    assert 0 < 5.11 - app_epsilon_greedy.closed_constant() < 0.003


@dataclass(frozen=True)
class Boastful(ExactMinimiser):
    """The exact minimiser that promises a thousandth of its excess risk."""

    name: ClassVar[str] = "boastful"

    def guarantee(self, setting: Any) -> Any:
        promised = super().guarantee(setting)
        return replace(promised, risk=lambda variant, n: promised.risk(variant, n) / 1000)


def test_an_excess_risk_above_its_guarantee_is_a_violation():
    """Where the mean excess risk is certainly above what is guaranteed, no bound holds."""
    federation = parse(TABLE | {"learning_rate": 3})
    honest = summarise(federation, replicate(federation, 200, 0, audit=True))
    assert not any_violation(honest)
    assert not any(row.get("risk_violated") for row in honest["epochs"])
    assert "VIOLATED" not in text(honest)
    boasting = replace(federation, protocol=Boastful())
    found = summarise(boasting, replicate(boasting, 200, 0, audit=True))
    assert any(row["excess_risk"] > row["guaranteed_risk"] for row in found["epochs"] if "excess_risk" in row)
    assert any_violation(found)
    assert found["bounds"]["regret"]["violated"]
    assert "VIOLATED: the mean excess risk of what epoch 1 taught is" in text(found)


def test_an_excess_risk_has_its_own_verdict_not_that_of_a_corollary():
    """lem:finite_error is proved as printed; what is refuted in col:finite as printed is another sentence."""
    table = TABLE | {"learning_rate": "printed"}
    found = verify.bound("thm:global_regret", variant="printed", instance=table)
    assert found.by == "coq"
    rows = verify.simulate(table, replications=2).document["bounds"]["regret"]["variants"]
    assert {row["variant"]: row["by"] for row in rows} == {"printed": "coq", "repaired": "coq"}
    greedy = table | {"policy": {"name": "epsilon_greedy", "epsilon": 0.3}, "learning_rate": "sharpened"}
    assert verify.simulate(greedy, replications=2).by == "coq"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            "col:linear --variant all --quantity numbers --protocol agd --set M=10 K=5 T=1e6 d=5",
            "delta = 0.1,",
        ),
        (
            "col:finite --variant all --set M=1 K=2 T=64 F=5",
            "(epoch 1, which is uniform, counts less in sharpened, best)",
        ),
        (
            "thm:global_regret --risk d/n --variant printed --set M=9 K=5 T=99 d=5",
            "needs c = 2 (over all epochs",
        ),
        (
            "col:convex --variant printed --set M=100 K=10 T=1000 d=10",
            "by a statement that is vacuous on R^d: no guarantee.",
        ),
        ("thm:global_regret --risk exp(-n) --set M=2 K=5 T=1e5", "the learning rate would be infinite"),
        ("app:robust_predictions --set M=10 K=2 d=2 f=2 T=65536", "undecided: no guarantee"),
        ("col:finite --variant printed --set M=10 K=2 T=1024 F=3", "NO GUARANTEE: its statement is refuted"),
    ],
)
def test_an_answer_states_what_its_number_uses(words, said, capsys):
    main(["bound", *words.split()])
    text = "".join(capsys.readouterr())
    assert said in text
    assert "refuted" not in text or "within a factor" not in text


def test_a_table_of_an_instance_shows_arms_of_each_agent():
    rows = [[["1/2", "1/4", "0"]], [["1/4", "1/2", "1"]]]
    agents = [
        {"contexts": ["1"], "arms": [0, 1], "clock": {"period": 2}},
        {"contexts": ["1"], "arms": [0, 1, 2]},
    ]
    given = TABLE | {"functions": rows, "agents": agents}
    assert "K = [2, 3]" in str(verify.bound("thm:global_regret", "all", instance=given))


class Silent(Direct):
    """Overrides what is run by messages, and not the shortcut for all replications."""

    def fit(self, *given: Any) -> Any:
        raise RuntimeError("fit was run")


def test_a_protocol_that_overrides_fit_is_run_by_it():
    with pytest.raises(RuntimeError, match="fit was run"):
        replicate(replace(parse(read_with(ROOT / "examples" / "linear.toml")), protocol=Silent()), 2, 0)


def test_the_constant_of_doubling_is_not_used_beyond_its_multiplier():
    assert proved_over(10, Fraction(8)) == float(best(10).over(Fraction(8))) > 20
    assert proved_over(10, Fraction(1)) == float(best(10, doubling=True).over(Fraction(1))) < 3.6
