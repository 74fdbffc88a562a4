"""A theorem is a value: found by its label, and asked about a federation."""

from pathlib import Path

from bounds import theorems
from fedigw.applicable import applicable
from verify.catalogue import index
from verify.instances import parse, read_with

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def test_a_theorem_is_found_by_the_label_of_its_claim() -> None:
    for label, theorem in theorems.theorems().items():
        assert theorems.find(label) is theorem
        assert label in index(), "a theorem without a claim would have no verdict"
        assert not theorem.replaces or theorems.exists(theorem.replaces)
    assert theorems.find("lem:VE") is None


def test_what_a_federation_lacks_is_said_and_no_number_is_given() -> None:
    for policy, words in (("greedy", "inverse gap weighting"), ("igw", "")):
        found = applicable(parse(read_with(EXAMPLES / "federation.toml", policy=policy)))
        assert bool(found.values) is not bool(found.missing)
        assert words in " ".join(found.missing)
