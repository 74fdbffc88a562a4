"""Errata say where they stand, what they cost and whether the order survives; no number is missing unexplained."""

from verify.catalogue import catalogue
from verify.claim import Severity
from verify.papers.fedigw.errata import RESERVED
from verify.verdict import Verdict

ERRATA = {label: claim for label, claim in catalogue().items() if label.startswith("erratum:")}


def test_every_erratum_has_place_severity_order_and_repair() -> None:
    for label, claim in ERRATA.items():
        record = claim.erratum
        assert record is not None, label
        assert all((record.place, record.order_survives, record.repair, record.about)), label
        wrong = "printed" if record.printed else "implied"
        assert claim.variants[wrong].expects is Verdict.REFUTED, label
        assert record.severity in set(Severity)
    assert all(claim.erratum is None for label, claim in catalogue().items() if label not in ERRATA)


def test_numbers_have_no_unexplained_hole() -> None:
    numbers = {int(label.removeprefix("erratum:E")) for label in ERRATA}
    assert numbers | set(RESERVED) == set(range(1, max(numbers | set(RESERVED)) + 1))


def test_lines_that_the_paper_does_not_print_are_not_called_printed() -> None:
    implied = {label for label, claim in ERRATA.items() if claim.erratum and not claim.erratum.printed}
    assert implied == {f"erratum:E{k}" for k in (8, 10, 15, 17, 21)}
    assert "15.5" not in ERRATA["erratum:E3"].statement


def test_a_true_lemma_and_a_theorem_that_lacks_a_hypothesis_are_not_refuted() -> None:
    for label in ("lem:true_virtual_loss", "thm:global_regret"):
        assert catalogue()[label].variants["printed"].expects is Verdict.KERNEL
    false = {k for k, c in ERRATA.items() if c.erratum and c.erratum.severity is Severity.FALSE}
    assert false >= {"erratum:E9", "erratum:E13", "erratum:E14", "erratum:E16"}
