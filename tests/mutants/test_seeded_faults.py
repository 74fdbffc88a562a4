"""The list of seeded faults follows the code: every fault still applies. Whether each is noticed is `make mutants`."""

import ast

import pytest
from seeded_faults import CHECKOUT, Fault, FaultError, load, who_could_notice

FAULTS = load()


@pytest.mark.fedigw
def test_every_fault_applies_once_and_leaves_a_program():
    for file in {fault.file for fault in FAULTS}:
        text = (CHECKOUT / file).read_text(encoding="utf-8")
        meaning = ast.dump(ast.parse(text))
        for fault in FAULTS:
            if fault.file == file:  # not a comment, not a syntax error
                assert ast.dump(ast.parse(fault.applied(text))) != meaning, fault.name


def test_there_are_enough_of_them_in_every_room():
    assert len(FAULTS) >= 60
    assert {fault.listed for fault in FAULTS} == {"bounds", "fedigw", "finite_class", "linear", "verify"}
    assert sum(fault.seven for fault in FAULTS) == 7
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)


def test_the_tests_that_are_asked_exist():
    for fault in FAULTS:
        tests = who_could_notice(fault.file)
        for path in (*tests.nearest, *tests.wider):
            assert (CHECKOUT / path.partition("::")[0]).exists(), path


def test_a_fault_that_does_not_apply_is_refused():
    """Negative control: text that is absent, text that is there twice, a change that changes nothing."""
    for old, new, says in (
        ("x", "y", "occurs 0 times"),
        ("a", "b", "occurs 2 times"),
        ("c", "c", "the old one"),
    ):
        with pytest.raises(FaultError, match=says):
            Fault("bounds", "file.py", "what", old, new).applied("a a c")
