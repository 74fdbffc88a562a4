"""The verbs as a library: the same answers as the commands, arrays, tables, and one type of error."""

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from refused import answered

import verify
from verify import InputError, bound, crossing, exact, fit, optimal, plan, prove, run, sides, simulate, sweep
from verify.cli import main

WORLD = {
    "kind": "linear",
    "horizon": 64,
    "environment": {"name": "finite_contexts", "agents": 2, "dimension": 3, "arms": 3},
}
DATA = {
    "kind": "dataset",
    "agents": [
        {"features": [[1.0, 0.0], [0.0, 1.0]], "rewards": [1.0, 0.0]},
        {"features": [[0.6, 0.8]], "rewards": [0.5]},
    ],
}


def test_bound_is_the_command(capsys):
    words = ("bound", "col:finite", "--variant", "best", "--set", "M=100", "K=10", "T=1e6", "F=1000")
    found = bound("Corollary 4.2", "best", M=100, K=10, T=1e6, F=1000)
    assert dict(found.document) == answered(capsys, *words)
    assert float(found) == found.value
    assert not found.vacuous
    assert "proved (Coq)" in str(found)
    assert "<table>" in found._repr_html_()
    assert found._repr_latex_().startswith("$")


def test_bound_along_an_axis(tmp_path):
    found = bound("col:finite", "best", M=100, K=10, T=np.logspace(3, 9, 4), F=1000)
    assert found.axis.tolist() == [10**3, 10**5, 10**7, 10**9]
    assert found.value.tolist() == [
        bound("col:finite", "best", M=100, K=10, T=t, F=1000).value for t in found.axis.tolist()
    ]
    assert found[2].value == found.value[2]
    found.plot(f"{tmp_path}/b.svg")
    with pytest.raises(InputError, match="only one parameter may be an array"):
        bound("col:finite", M=[1, 2], K=10, T=[10, 20], F=3)


def test_latex_to_paste(capsys):
    words = ["bound", "col:finite", "--variant", "best", "--set", "M=1", "K=2", "T=9", "F=3", "--latex"]
    assert main(words) == 0
    pasted, exact = capsys.readouterr().out.splitlines()
    assert pasted == r"2 M + 18.55 \sqrt{K M T \log{\left(\left|\mathcal{F}\right| \right)}}"
    assert exact == "% exactly: " + bound("col:finite", "best", M=1, K=2, T=9, F=3).latex


def test_a_bound_with_symbols():
    found = bound("col:finite", "best", T="T")
    assert str(found.expression) == "2*M + 18.55*sqrt(K*M*T*log(F))"
    assert found.free == ("F", "K", "M", "T")
    for arms in (2, 3, 7, 1000):
        at = {"M": 4, "K": arms, "T": 5000, "F": 30}
        exact = float(found.exact.subs({s: at[s.name] for s in found.exact.free_symbols}))
        assert bound("col:finite", "best", **at).value <= exact <= float(found.expression.subs(at))
    line = bound("col:finite", "best", M=10, K=5, T="T", F=100)
    assert str(line.expression) == "240.2*sqrt(T) + 16"
    (solved,) = line.solve_for("T", 10**5)
    assert float(line.expression.subs("T", solved)) == pytest.approx(10**5)
    with pytest.raises(InputError):
        bound("col:finite", "best", T="T", d=3)
    with pytest.raises(InputError):
        bound("col:finite", "best", M="x", K=2, T=9, F=3)


def test_a_bound_is_solved_summed_and_drawn(tmp_path):
    given = {"M": 10, "K": 5, "F": 100}
    found = bound("col:finite", "best", T=10**6, **given)
    assert math.fsum(found.sum) == pytest.approx(found.value)
    most = found.solve_for("T", 10**5)
    values = [bound("col:finite", "best", T=most + more, **given).value for more in (0, 1)]
    assert values[0] <= 10**5 < values[1]
    assert found.solve_for("M", 0.1) is None
    found.plot(str(tmp_path / "bound.svg"))
    assert (tmp_path / "bound.svg").stat().st_size > 1000
    sent = bound("col:linear", "best", quantity="numbers", protocol="agd", M=10, K=5, T=10**4, d=3)
    assert sent.expression == sent.exact


def test_all_variants_are_one_table(capsys):
    found = bound("col:finite", "all", M=10, K=5, T=10**6, F=100)
    words = ("bound", "col:finite", "--variant", "all", "--set", "M=10", "K=5", "T=1e6", "F=100")
    assert found.document == answered(capsys, *words)
    assert found["best"].value == bound("col:finite", "best", M=10, K=5, T=10**6, F=100).value
    assert len(found) == 4
    assert len(str(found).splitlines()) == 6
    with pytest.raises(InputError, match="give F"):
        bound("col:finite", "all", M=10, K=5, T=10**6)


@pytest.mark.fedigw
def test_where_protocols_cross_and_the_best_multiplier():
    given = {"M": 10, "K": 5, "T": 1000}
    at = crossing("agd", "direct", **given)["d"]
    costs = [
        [
            bound("col:linear", "sharpened", quantity="numbers", protocol=name, d=d, **given).value
            for d in (at - 1, at)
        ]
        for name in ("agd", "direct")
    ]
    assert costs[0][0] >= costs[1][0]
    assert costs[0][1] < costs[1][1]
    assert optimal("g", K=2)["g"] == pytest.approx((2 / 9) ** 0.5)
    assert optimal("g", variant="sharpened")["over_g"] > optimal("g")["over_g"]
    found = optimal("schedule", variant="sharpened")
    assert found["growth"] == pytest.approx(2.618, abs=1e-3)
    assert found["over_sqrt"] < found["doubling"]
    assert optimal("schedule")["growth"] == 2
    lemma = sides("Lemma C.10", contexts=[1], estimate=[["1/2", 0]], rate=9, policy=[1])
    assert lemma.left == lemma.right == Fraction(13, 2)
    at = {"contexts": [1], "probabilities": [["1/2", "1/2"]], "deviation": [[1, 0]]}
    assert sides("lem:VE", **at, policy=[0]).left == 1
    assert sides("Lemma C.9", contexts=[1], estimate=[[0, 1]], rate=2).right == 1
    for misuse in (
        lambda: optimal("h"),
        lambda: optimal("g", K=1),
        lambda: crossing("agd", "nobody"),
        lambda: sides("Lemma C.5"),
        lambda: sides("lem:V_upper"),
        lambda: sides("lem:VE", policy=[7], **at),
    ):
        with pytest.raises(InputError):
            misuse()


def test_prove_and_its_counterexample():
    assert prove("(a + b)/2 >= sqrt(a*b)", given=["a >= 0", "b >= 0"])
    found = prove("a**2 >= a", given="a >= 0")
    assert not found
    assert found.verdict == "refuted"
    value = eval(found.counterexample["a"])
    assert value >= 0
    assert value**2 < value
    assert "check-sat" in found.smt2[-1]
    assert prove("0 <= x**2 + y**2")
    with pytest.raises(InputError, match="contradict each other"):
        prove("1 >= 2", given=["a > 1", "a < 0"])
    two = ("sum(D[b] for a in arms) >= 0", "sum(sum(D[a] for a in arms) for b in arms) >= 0", "D[a] >= 0")
    for bad in ("__import__('os')", "a + b", "a !! b", "f(a) >= 0", "a[0] >= 1", *two):
        with pytest.raises(InputError):
            prove(bad)


@pytest.mark.fedigw
def test_simulate_fit_exact_run():
    found = simulate(WORLD, replications=6, seed=1)
    assert found.regret.shape == (6,)
    assert found.mean == pytest.approx(found.regret.mean())
    assert not found.violated
    assert "regret" in str(found)
    other = simulate(WORLD, replications=2, protocol="agd", horizon=32)
    assert other.document["protocol"] == "agd"
    fitted = fit(DATA, protocol="fedavg", rounds=50, step_size=0.1)
    assert fitted.gap.shape == (51,)
    assert fitted.gap[-1] < fitted.gap[0]
    law = exact(
        {
            "kind": "finite_class",
            "horizon": 4,
            "truth": 0,
            "functions": [[["1/2", "0"]], [["1/2", "1"]]],
            "agents": [{"contexts": ["1"], "arms": [0, 1]}],
        }
    )
    assert law.fraction is not None
    assert law.total_regret > 0
    found = run("lem:q_distribution").verdicts[("lem:q_distribution", "printed")]
    assert found == {"verdict": "proved", "by": "coq", "differs": "stronger"}
    with pytest.raises(InputError, match="replications"):
        simulate(WORLD, replications=0)
    with pytest.raises(InputError, match="horizon"):
        simulate(WORLD, horizon=-1)


def test_sweep(tmp_path, capsys):
    found = sweep(WORLD, {"horizon": [16, 64]}, protocol=["direct", "cg"], replications=3)
    asked = [(row["horizon"], row["protocol"]) for row in found.rows]
    assert asked == [(horizon, protocol) for horizon in (16, 64) for protocol in ("direct", "cg")]
    assert found.rows[2]["regret"] == simulate(WORLD, replications=3, horizon=64, protocol="direct").mean
    assert found.csv().startswith("horizon,protocol,regret")
    assert found.latex().startswith(r"\begin{tabular}")
    words = ["sweep", "examples/linear.toml", "--vary", "horizon=16,32", "--replications", "2"]
    assert main([*words, "--out", f"{tmp_path}/s"]) == 0
    assert main([*words, "--out", f"{tmp_path}/s"]) == 2
    assert "exists already" in capsys.readouterr().err
    with pytest.raises(InputError, match="at most 1000"):
        sweep(WORLD, {"horizon": list(range(1, 2000))})
    with pytest.raises(InputError, match="give a key"):
        sweep(WORLD, {})


def test_every_public_name_says_what_it_is_and_every_result_shows_itself():
    """Completion finds the verbs only; in a notebook a result is a table or a formula, an error one line."""
    offered = {name: getattr(verify, name) for name in dir(verify) if not name.startswith("_")}
    assert set(offered) == set(verify.__all__)
    assert all(found.__doc__ for found in offered.values())
    results = [kind for kind in offered.values() if isinstance(kind, type) and kind is not InputError]
    assert all({"_repr_html_", "_repr_latex_"} & set(dir(kind)) for kind in results)
    plain = {kind.__name__ for kind in results if not hasattr(kind, "plot")}
    assert plain == {"Checked", "Claims", "Formula", "Lemma", "Proof", "Shown"}
    assert InputError("M", 0, "must be 1")._render_traceback_() == ["InputError: M = 0: must be 1"]
    with pytest.raises(AttributeError, match="known: Bound, "):
        verify.nothing  # noqa: B018


@pytest.mark.parametrize(
    ("name", "value"),
    [("epsilon", "1"), ("delta", None), ("price", "x"), ("malicious", True), ("malicious", "3")],
)
def test_plan_names_the_argument_of_another_type(name, value):
    """A text for epsilon was blamed on the horizon."""
    with pytest.raises(InputError, match=f"^{name} = .*: must be a number"):
        plan(50, 5, 10**5, dimension=10, **{name: value})


def test_plan_says_what_bound_says(few_worlds):
    found = plan(50, 5, 10**5, dimension=10)
    for row in found.guaranteed:
        assert row["value"] == bound("col:linear", row["variant"], M=50, K=5, T=10**5, d=10).value
    direct = next(row for row in found.protocols if row["protocol"] == "direct")
    given = {"quantity": "numbers", "protocol": "direct", "M": 50, "K": 5, "T": 10**5, "d": 10}
    assert direct["numbers"] == bound("col:linear", "sharpened", **given).value
    assert found.cheapest == "direct"
    assert found.document["lower_bound"] < min(
        row["value"] for row in found.guaranteed if row["variant"] == "best"
    )
    assert "plan: agents 50" in str(found)


def _title(found: Any) -> str:
    return str(found.plot().axes[0].get_title(loc="left"))


def test_plan_with_a_price_and_a_limit(few_worlds):
    from verify.verbs.plan.question import Question

    free = plan(20, 3, 512, dimension=40)
    assert "joining is worthwhile" in str(free)
    assert "joining" not in str(plan(20, 3, 512, dimension=40, epsilon=1.0))
    assert f"at most {free.document['smallest']['value']:,.0f} is guaranteed" in _title(free)
    assert not Question(**free.document["question"]).asynchronous
    dear = plan(20, 3, 512, dimension=40, price=100.0)
    assert dear.break_even is None or dear.break_even > free.break_even
    none = plan(10, 2, 10**4, class_size=100, rounds_limit=3)
    assert none.cheapest is None
    assert none.document["why"] == "the nearest is exact_minimiser: 13 rounds are more than the 3 allowed"
    assert none.file is None
    near = plan(20, 10, 10**5, dimension=16, malicious=3, bytes_limit=500_000).answer
    assert (
        "The nearest is robust_predictions (trimmed_mean): 860160 bytes are more than the 500000 allowed"
        in near
    )
    assert plan(10, 2, 10**4, dimension=3, bytes_limit=12480).cheapest == "direct"
    assert plan(10, 2, 10**4, dimension=3, bytes_limit=12479).cheapest is None


@pytest.mark.parametrize(
    ("asked", "chosen"),
    [
        ({}, "direct"),
        ({"epsilon": 1.0}, "noisy_statistics (central)"),
        ({"malicious": 1}, "robust_predictions (trimmed_mean)"),
        ({"asynchronous": True}, "direct"),
        ({"epsilon": 1.0, "asynchronous": True}, "noisy_statistics (central)"),
        ({"epsilon": 1.0, "malicious": 1}, None),
        ({"malicious": 1, "asynchronous": True}, None),
    ],
)
def test_plan_recommends_what_meets_the_request_and_its_file_runs(asked, chosen, few_worlds):
    found = plan(6, 3, 2**8, dimension=4, **asked)
    assert found.cheapest == chosen
    assert [line for line in str(found).splitlines() if line.startswith("*")] == [
        line for line in str(found).splitlines() if chosen and line.startswith(f"* {chosen}")
    ]
    if chosen is None:
        both = {"epsilon", "malicious"} <= asked.keys()
        nearest = "The nearest is robust_predictions (trimmed_mean): no guarantee "
        assert ("; without --epsilon: robust_" if both else nearest) in found.answer
        assert found.file is None
        return
    row = next(row for row in found.protocols if row["protocol"] == chosen)
    ran = simulate(dict(found.file), replications=2).document
    assert ran["bounds"]["regret"]["value"] == pytest.approx(row["regret"], rel=1e-9)
    rates = [epoch["learning_rate"] for epoch in ran["epochs"]]
    assert rates[1:] == pytest.approx(found.document["rates"][1:], rel=1e-9)
    assert ran["bounds"]["numbers"]["value"] == row["numbers"]
    assert found.document["three_rates"][0]["regret"] == pytest.approx(row["expected"])


def test_plan_writes_the_file_that_simulate_runs(few_worlds, tmp_path, capsys):
    words = ["plan", "--agents", "4", "--arms", "3", "--horizon", "300", "--class-size", "5"]
    path = str(tmp_path / "plan.toml")
    assert main([*words, "--asynchronous", "--write", path]) == 0
    assert main(["simulate", path, "--replications", "2"]) == 0
    assert "bound sharpened" in capsys.readouterr().out
    assert main([*words, "--rounds-limit", "1", "--write", str(tmp_path / "none.toml")]) == 2
    assert "The nearest is exact_minimiser: " in capsys.readouterr().err


def test_one_agent_with_longer_epochs_has_the_law_of_many():
    """The planner's shortcut against the federation itself: means over the same number of worlds, 1 % level."""
    from scipy.stats import ttest_ind

    from fedigw.replications import simulate as replicate
    from finite_class.environments.random_table import make
    from verify.verbs.plan import expectation
    from verify.verbs.plan.question import Question

    question = Question(6, 3, 256, class_size=5)
    short, long = [], []
    for i in range(60):
        long.append(replicate(make(np.random.default_rng(i), 5, 5, 3, 6, 256, "best"), 1, i).total_regret[0])
        short.append(
            replicate(expectation._world(question, np.random.default_rng(i)), 1, 1000 + i).total_regret[0]
        )
    assert ttest_ind(short, long).pvalue > 0.01
    assert np.mean(short) == pytest.approx(np.mean(long), rel=0.1)


@pytest.mark.parametrize(
    ("sizes", "more", "said"),
    [
        ((0, 2, 9), {"dimension": 2}, "agents"),
        ((1, 2, 9), {}, "give dimension for linear rewards, or class_size"),
        ((1, 2, 9), {"dimension": 2, "class_size": 2}, "give dimension for linear rewards, or class_size"),
        ((1, 2, 9), {"dimension": 2, "price": -1.0}, "price"),
        *(((6, 3, 64), {"dimension": 4, "epsilon": bad}, "epsilon") for bad in (0.0, -1.0)),
        ((6, 3, 64), {"dimension": 4, "epsilon": 1.0, "delta": 2.0}, "delta"),
        ((6, 3, 64), {"dimension": 4, "malicious": 7}, "malicious"),
    ],
)
def test_plan_refuses(sizes, more, said):
    with pytest.raises(InputError, match=said):
        plan(*sizes, **more)


@pytest.mark.parametrize(
    ("sizes", "more", "said"),
    [
        ((1, 1, 9), {"dimension": 2}, "one arm"),
        ((2, 2, 1), {"class_size": 5}, "a horizon below 3"),
        ((3, 2, 5), {"dimension": 100}, "the dimension is above the number of samples"),
        ((3, 2, 500), {"class_size": 1}, "one function"),
        ((3, 2, 5), {"dimension": 10}, "no proved bound says more"),
    ],
)
def test_plan_says_what_is_not_guaranteed(sizes, more, said, few_worlds):
    notes = plan(*sizes, **more).notes
    assert any(said in note for note in notes)
    assert sizes[1] > 1 or len(notes) == 1, "of one arm nothing else is worth saying"


def coverage(cases: int) -> int:
    """How often the mean of other worlds lies in the interval."""
    from verify.verbs.plan import expectation
    from verify.verbs.plan.question import Question

    inside = 0
    for seed in range(cases):
        question = Question(1 + seed % 7, 2 + seed % 4, 256 << (seed % 5), class_size=3 + seed % 9)
        low, high = expectation.expected(question, seed)["interval"]
        inside += low <= expectation.expected(question, 10_000 + seed)["mean"] <= high
    return inside


@pytest.mark.long
def test_expected_values_come_again_95_times_of_100():
    assert coverage(100) >= 95


def test_pictures_of_simulate_and_plan(few_worlds, tmp_path, capsys):
    simulated = ["simulate", "examples/linear.toml", "--set", "horizon=64", "--replications", "3", "--plot"]
    planned = ["plan", "--agents", "3", "--arms", "2", "--horizon", "100", "--dimension", "2", "--plot"]
    for words in (simulated, planned):
        path = f"{tmp_path}/{words[0]}.svg"
        assert main([*words, path]) == 0
        assert main([*words, path]) == 2
        assert main([*words, f"{tmp_path}/x.doc"]) == 2
        errors = capsys.readouterr().err.splitlines()
        assert errors[0] == f"written: {path}"
        assert "exists already" in errors[1]
        assert "must end in .svg, .png or .pdf" in errors[2]


def test_simulations_and_sweeps_show_their_bounds_in_a_notebook():
    """Regret and numbers sent, each with its bound over epochs or horizons, its verdict in the name."""
    alone = simulate(WORLD, replications=3, horizon=256, learning_rate="printed")
    several = sweep(WORLD, {"horizon": [16, 64]}, protocol=["direct", "cg"], replications=3)
    for found in (alone, several):
        figure = found.plot()
        assert figure._repr_png_().startswith(b"\x89PNG")
        regret, numbers = figure.axes
        assert "vacuous" in regret.get_title(loc="left")
        names = [text.get_text() for text in regret.texts]
        assert any(name.startswith("bound") and "proved" in name for name in names), names
        assert any(name.startswith("measured") for name in names), names
        sent = [text.get_text().replace("\n", " ") for text in numbers.texts]
        assert any(name.startswith("bound") and "proved (Coq)" in name for name in sent), sent
        assert any(name.startswith("sent") for name in sent), sent
    drawn = [list(line.get_ydata()) for line in figure.axes[1].get_lines()]
    for name in ("direct", "cg"):
        assert [row["sent_at_most"] for row in several.rows if row["protocol"] == name] in drawn
    curves = {str(line.get_label()): line for line in alone.plot().axes[0].get_lines()}
    for row in alone.document["bounds"]["regret"]["variants"]:
        (curve,) = (line for name, line in curves.items() if f"bound, {row['variant']}:" in name)
        assert len(curve.get_ydata()) == len(alone.document["epochs"])
        assert curve.get_ydata()[-1] == pytest.approx(row["value"])
    agd = simulate(WORLD, replications=3, horizon=256, protocol="agd").plot().axes[1]
    orders = {str(line.get_label()): line.get_ydata()[-1] for line in agd.get_lines()}
    given = {"quantity": "numbers", "protocol": "agd", "M": 2, "K": 3, "T": 256, "d": 3}
    assert orders["bound: checked (exact)"] == bound("col:linear", "repaired", **given).value
    assert (
        orders["printed order, without its constant: refuted (witness)"]
        == bound("col:linear", "printed", **given).value
    )
    fedavg = simulate(WORLD, replications=3, horizon=16, protocol="fedavg").plot().axes[1]
    assert fedavg.get_title(loc="left") == "No proved bound on what FedAvg sends"


def test_plan_with_privacy_and_liars(few_worlds):
    """The planner's numbers are those of whole federations."""
    from fedigw.applicable import applicable
    from fedigw_extensions.privacy.linear_protocols.noisy_statistics import NoisyStatistics
    from linear.environments.finite_contexts import make

    found = plan(6, 3, 2**14, dimension=4, epsilon=1.0, malicious=2).document
    for row in found["private"]:
        world = make(np.random.default_rng(0), dimension=4, arms=3, agents=6, horizon=2**14)
        private = replace(world, protocol=NoisyStatistics(1.0, 1e-5, row["where"]))
        assert row["value"] == pytest.approx(applicable(private).values["sharpened"], rel=1e-12), row
    given = {"M": 6, "K": 3, "T": 2**14, "d": 4, "f": 2}
    assert found["robust"][0]["value"] == bound("app:robust_predictions", "sharpened", **given).value
    assert plan(6, 3, 64, class_size=4, epsilon=1.0).document["private"][0]["value"] is None


def test_plan_has_no_mean_of_bounds_where_a_run_has_none(few_worlds):
    """The data of a run may exclude every function: its bound is then infinite."""
    from verify.verbs.plan import expectation
    from verify.verbs.plan.text import text

    assert expectation._mean_bound([1.0, math.inf]) is None
    assert expectation._clearly_less([1.0, 2.0, 3.0], [11.0, 12.5, 13.0])
    assert not expectation._clearly_less([1.0, 2.0, 3.0], [9.0, 0.0, 1.0])
    document = dict(plan(3, 2, 100, class_size=4).document)
    document["three_rates"] = [{"rates": "adaptive", "regret": 1.0, "bound": None}]
    assert "the data of a run excluded every function" in text(document)


@pytest.mark.parametrize("size", [{"dimension": 4}, {"class_size": 8}])
def test_plan_shows_three_rates(size):
    rows = {row["rates"]: row for row in plan(5, 3, 2**10, **size).document["three_rates"]}
    cautious, bold, adaptive = rows["smallest guarantee"], rows["g = 8"], rows["adaptive"]
    assert bold["bound"] > cautious["bound"]  # its price
    assert bold["regret"] < cautious["regret"]
    assert adaptive["regret"] < cautious["regret"]
    assert all(row["regret"] <= row["bound"] * (1 + 1e-9) for row in rows.values())


def test_plan_plays_no_rival_in_a_world_that_is_too_large(few_worlds):
    """A rival is played step by step, on features of every arm: with a million arms that took minutes."""
    assert plan(10, 10**6, 1000, dimension=4).document["rival"] is None
    assert plan(2, 2, 1000, dimension=2).document["rival"] is not None


def test_a_protocol_of_ones_own_from_python_and_misuse(tmp_path, monkeypatch):
    import resource

    before = resource.getrlimit(resource.RLIMIT_AS)
    monkeypatch.chdir(tmp_path)
    assert main(["new", "protocol", "my_protocol"]) == 0
    found = simulate(WORLD, protocol="./my_protocol.py", replications=2, learning_rate=9)
    assert found.document["protocol"] == "my_protocol"
    for misuse in (
        lambda: bound(3),
        lambda: bound("col:finite", variant=7, M=1),
        lambda: simulate(5),
        lambda: exact(None),
        lambda: run(5),
        lambda: run("lem:VE", seed=-1),
        lambda: prove("a >= 0", given=3),
        lambda: sweep(WORLD, {"horizon": "64"}),
        lambda: sweep(WORLD, {"horizon": 64}),
        lambda: sweep(WORLD, {"horizon": [64]}, protocol="direct"),
    ):
        with pytest.raises(InputError):
            misuse()
    assert main(["list"]) == 0
    assert resource.getrlimit(resource.RLIMIT_AS) == before  # one's own process is not limited
