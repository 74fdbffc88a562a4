"""What every claim, protocol, environment and package must be, found by folder discovery."""

import inspect
import tomllib
from pathlib import Path

import numpy as np
import pytest

from fedigw.discovery import CatalogueError, modules
from fedigw.federation import run
from finite_class.environment import FiniteClassEnvironment
from finite_class.environments import random_table
from verify import catalogue as catalogue_module
from verify.catalogue import catalogue
from verify.claim import Check, Claim, Evidence, Task, Variant
from verify.paper import LABELS, file_name
from verify.verdict import Verdict

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENTS = modules("finite_class.environments", ("make", "EXAMPLES"))
PROTOCOLS = modules("finite_class.protocols", ("build",))


@pytest.mark.parametrize("label", catalogue())
def test_a_claim_states_itself(label: str) -> None:
    claim = catalogue()[label]
    assert label in claim.statement.partition("\n")[0], "the docstring starts with the label"
    assert claim.title
    assert claim.section
    for variant in claim.variants.values():
        assert variant.formula
        assert variant.hypotheses or label.startswith("erratum:")
    for check in claim.checks:
        assert check.about, f"{check.name} says what it does"
        assert check.run is not check.control
    for other in (*claim.depends, *claim.errata):
        assert other in catalogue() or other in LABELS or other.startswith("erratum:")


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_an_environment_makes_valid_instances(name: str) -> None:
    module = ENVIRONMENTS[name]
    for example in module.EXAMPLES:
        instance = module.make(np.random.default_rng(0), **example)
        same = module.make(np.random.default_rng(0), **example)
        assert instance == same, "the generator's seed decides everything"
        from finite_class.instance import parse

        again = parse(
            dict(instance.describe().items()) | {"horizon": sum(r[0] for r in instance.plan.played)}
        )
        assert again == instance, "describe() is an instance file"


@pytest.mark.parametrize("name", PROTOCOLS)
def test_a_protocol_learns_and_is_counted(name: str) -> None:
    instance = random_table.make(np.random.default_rng(1), functions=4, contexts=2, agents=3, horizon=64)
    routine = PROTOCOLS[name].build(instance)
    assert routine.name == name
    rates = [float(r) for r in instance.learning_rates()]
    done = run(FiniteClassEnvironment(instance), routine, instance.plan, rates, np.random.default_rng(0))
    assert all(
        t.calls == 1 and t.rounds >= 1 and t.numbers_up > 0 and t.numbers_down > 0 for t in done.traffic
    )
    assert done.models[0] == "initial"
    assert done.models[-1] == instance.truth


def test_the_version_is_one() -> None:
    from verify.campaign.results import VERSION

    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == VERSION


def good_claim(**changes: object) -> Claim:
    def run_it(task: Task) -> Evidence:
        return Evidence(Verdict.EXACT, "fine")

    fields: dict[str, object] = {
        "label": "col:finite",
        "title": "t",
        "section": "s",
        "statement": "col:finite. s",
        "variants": {"printed": Variant("f", ("H1",), Verdict.EXACT)},
        "checks": (Check("c", "printed", run_it, run_it, "about"),),
    }
    return Claim(**(fields | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "module", "words"),
    [
        ({"label": "lem:invented"}, "lem_invented", "not in the paper's list"),
        ({}, "finite", "must be called col_finite.py"),
        ({"checks": ()}, "col_finite", "has no check"),
        ({"checks": (Check("c", "printed", print, None, "a"),)}, "col_finite", "no negative control"),  # type: ignore[arg-type]
        ({"checks": (Check("c", "other", print, print, "a"),)}, "col_finite", "unknown variant"),  # type: ignore[arg-type]
    ],
)
def test_a_claim_that_breaks_a_rule_is_named(changes: dict[str, object], module: str, words: str) -> None:
    problem = catalogue_module._problem(good_claim(**changes), module)
    assert problem is not None
    assert words in problem


def test_a_cycle_is_found() -> None:
    claims = {
        "lem:VE": good_claim(label="lem:VE", depends=("lem:V_upper",)),
        "lem:V_upper": good_claim(label="lem:V_upper", depends=("lem:VE",)),
    }
    assert catalogue_module._cycle(claims) == ["lem:VE", "lem:V_upper", "lem:VE"]


def test_a_file_that_offers_nothing_is_named() -> None:
    with pytest.raises(CatalogueError, match=r"fedigw/discovery.py|fedigw/\w+\.py: lacks CLAIM"):
        modules("fedigw", ("CLAIM",))


def test_file_names_follow_labels() -> None:
    assert file_name("lem:LSGD-PFL_full") == "lem_LSGD_PFL_full"


def test_no_print_and_no_utils() -> None:
    for path in ROOT.glob("*/**/*.py"):
        if path.is_relative_to(ROOT / ".venv"):
            continue
        assert path.name not in ("utils.py", "helpers.py", "misc.py")


def test_public_functions_are_documented_where_they_are_not_obvious() -> None:
    """Every public module says what it is."""
    for package in ("bounds", "fedigw", "finite_class", "verify"):
        for path in (ROOT / package).rglob("*.py"):
            source = path.read_text()
            assert source.lstrip().startswith('"""'), path
    assert inspect.getdoc(Verdict)
