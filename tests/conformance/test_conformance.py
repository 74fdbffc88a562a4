"""What every claim, protocol, environment and package must be, found by folder discovery."""

import re
import tomllib
from pathlib import Path

import numpy as np
import pytest

from fedigw.discovery import CatalogueError, modules
from verify import catalogue as catalogue_module
from verify.campaign.results import VERSION
from verify.catalogue import catalogue
from verify.claim import Check, Claim, ClosedClaim, Evidence, Task, Variant, Verdict
from verify.paper import LABELS, file_name

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("label", catalogue())
def test_a_claim_states_itself(label):
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
    return Claim(**(fields | changes))


def test_checks_stand_as_written_and_a_read_claim_is_closed():
    claim = good_claim(checks=())

    @claim.check("printed", control=dict(total=3), name="first")
    @claim.check("printed", control=dict(total=4), given=dict(total=5), name="second", about="two")
    def add_up(task: Task, total: int = 2) -> Evidence:
        """Add up.

        More.
        """
        return Evidence(Verdict.EXACT, str(total))

    claim.check("printed", control=dict(total=3))(add_up)
    said = {c.name: c.about for c in claim.checks}
    assert list(said.items()) == [("first", "Add up"), ("second", "two"), ("add-up", "Add up")]
    task = Task("quick", np.random.SeedSequence(0))
    found = [(c.run(task).summary, c.control(task).summary) for c in claim.checks[:2]]
    assert found == [("2", "3"), ("5", "4")]
    for control in (dict(total=2), add_up, None):
        with pytest.raises(ValueError, match="control"):
            claim.check("printed", control=control)(add_up)
    claim.close()
    with pytest.raises(ClosedClaim, match="col:finite: the catalogue is built"):
        claim.check("printed", control=dict(total=3), name="late")(add_up)


SOURCE = '''"""lem:VE. One and one is two."""

from verify.claim import Claim, Evidence, Task, Variant, Verdict

claim = Claim(title="t", section="s", variants={
    "stated": Variant("1+1=2", ("H1",), Verdict.EXACT),
})


@claim.check("stated", control=dict(total=3))
def adds(task: Task, total: int = 2) -> Evidence:
    return Evidence(Verdict.EXACT.unless(1 + 1 != total), f"1 + 1 = {total}")
'''
STATES = "line 6: variant 'stated' states"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("lem:VE", "lem:invented", "line 1: label 'lem:invented' is not in the paper's list"),
        ("lem:VE", "col:finite", "line 5: the file of col:finite must be called col_finite.py"),
        ("@claim.check", "@(lambda *a, **b: lambda f: f)", "line 5: has no check"),
        ('title="t"', 'title=""', "line 5: has no title, no section or no check"),
        ("dict(total=3)", "None", "line 10: ValueError: check 'adds' has no negative control"),
        ("total=3", "total=2", "line 10: ValueError: check 'adds': its control is the check itself"),
        ('check("stated"', 'check("other"', "line 11: check 'adds' is about an unknown variant 'other'"),
        ("Verdict.EXACT)", "Verdict.COQ)", f"{STATES} proved (Coq), and no theorem"),
        ("total=3)", "total=3), statistical=True", f"{STATES} checked (exact), and all its checks are"),
    ],
)
def test_a_claim_that_breaks_a_rule_is_refused_with_file_and_line(old, new, words, tmp_path, monkeypatch):
    assert old in SOURCE
    package = tmp_path / tmp_path.name
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "lem_VE.py").write_text(SOURCE.replace(old, new))
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(CatalogueError, match=re.escape(f"{package.name}/lem_VE.py, {words}")):
        catalogue_module._checked("lem_VE", modules(package.name, ("claim",))["lem_VE"])


def test_a_cycle_is_found():
    claims = {
        "lem:VE": good_claim(label="lem:VE", depends=("lem:V_upper",)),
        "lem:V_upper": good_claim(label="lem:V_upper", depends=("lem:VE",)),
    }
    assert catalogue_module._cycle(claims) == ["lem:VE", "lem:V_upper", "lem:VE"]


def test_a_file_that_offers_nothing_is_named():
    with pytest.raises(CatalogueError, match=r"fedigw/discovery.py|fedigw/\w+\.py: lacks claim"):
        modules("fedigw", ("claim",))


def test_every_module_says_what_it_is_and_none_is_for_everything():
    for package in ("bounds", "fedigw", "fedigw_extensions", "finite_class", "linear", "verify", "tests"):
        for path in (ROOT / package).rglob("*.py"):
            assert package == "tests" or path.read_text().lstrip().startswith('"""'), path
            assert path.name not in ("utils.py", "helpers.py", "misc.py")
    assert file_name("lem:LSGD-PFL_full") == "lem_LSGD_PFL_full"
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == VERSION


PART = """from dataclasses import dataclass
from typing import ClassVar
from fedigw.interfaces import Policy

@dataclass(frozen=True)
class Mine(Policy):
    name: ClassVar[str] = "mine"

    def probabilities(self, scores, rate, widths=None):
        return scores
"""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("class Mine(Policy)", "class Mine", "Mine must derive from fedigw.interfaces.Policy"),
        ("@dataclass(frozen=True)\n", "", "Mine must be a frozen dataclass"),
        ('"mine"', "3", "Mine must have a name: ClassVar[str]"),
        ("def probabilities", "def chances", "Mine lacks probabilities(scores, rate, widths=None)"),
        (
            "(self, scores, rate, widths=None)",
            "(self, scores)",
            "Mine has probabilities(scores), must be probabilities(scores, rate, widths=None)",
        ),
        (
            '"mine"\n',
            '"mine"\n    keys = 3\n    check_positive = 3\n',
            "must be the method check_positive(*keys",
        ),
    ],
)
def test_a_users_part_is_told_what_it_lacks(old, new, said, tmp_path, monkeypatch):
    from fedigw import outside
    from fedigw.interfaces import Policy

    monkeypatch.setattr(outside, "_allowed", True)
    path = tmp_path / "mine.py"
    path.write_text(PART)
    assert outside.part(f"{path}:Mine", Policy).name == "mine"
    path.write_text(PART.replace(old, new))
    with pytest.raises(CatalogueError) as caught:
        outside.part(f"{path}:Mine", Policy)
    assert said in str(caught.value)
