"""The shares of the level are fixed in advance: nobody's depends on who else is there, and none is spent undeclared."""

from collections.abc import Callable
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest

from fedigw.discovery import CatalogueError
from verify import catalogue as catalogue_module
from verify.campaign import units as campaign
from verify.campaign.units import Settings
from verify.catalogue import catalogue
from verify.claim import Check, Claim, Evidence, Task, Variant, Verdict
from verify.statistics.level import FAMILY_LEVEL, SHARE, SHARES, USERS

YES, NO = Evidence(Verdict.EXACT, "holds"), Evidence(Verdict.REFUTED, "fails")
FULL = catalogue_module.modules


def spends(task: Task) -> Evidence:
    return replace(YES, level=task.level)


def claim(checks: int, statistical: bool, run: Callable[[Task], Evidence] = lambda task: YES) -> Claim:
    made = [Check(f"c{i}", "exact", run, lambda task: NO, statistical=statistical) for i in range(checks)]
    variants = {"exact": Variant("0 = 0", (), Verdict.MEASURED if statistical else Verdict.EXACT)}
    return Claim("alg:fedavg", "a new one", "Own", "It holds.", variants, tuple(made))


def with_claim(monkeypatch: pytest.MonkeyPatch, new: Claim) -> dict[str, Claim]:
    """The catalogue with one more file."""
    module: Any = ModuleType(catalogue_module.file_name(new.label), "One more.")
    module.claim = new

    def modules(package: str, offers: tuple[str, ...]) -> dict[str, ModuleType]:
        return {**FULL(package, offers), catalogue_module.file_name(new.label): module}

    monkeypatch.setattr(catalogue_module, "modules", modules)
    return catalogue_module.catalogue.__wrapped__()


def shares(claims: dict[str, Claim]) -> dict[tuple[str, str], float | None]:
    return {
        (c.label, k.name): campaign.task(Settings(), c.label, k).share
        for c in claims.values()
        for k in c.checks
    }


@pytest.mark.fedigw
@pytest.mark.parametrize("statistical", [True, False])
def test_a_new_check_changes_nobodys_level(monkeypatch, statistical):
    before = shares(catalogue())
    after = shares(with_claim(monkeypatch, claim(3, statistical)))
    assert {unit: after[unit] for unit in before} == before
    assert {after["alg:fedavg", f"c{i}"] for i in range(3)} == {SHARE if statistical else None}
    assert set(before.values()) == {SHARE, None}


@pytest.mark.fedigw
def test_all_shares_together_are_the_level():
    declared = sum(check.statistical for c in catalogue().values() for check in c.checks)
    assert 0 < declared <= SHARES - USERS
    assert pytest.approx(FAMILY_LEVEL) == SHARES * SHARE


@pytest.mark.fedigw
def test_more_checks_than_shares_are_refused(monkeypatch):
    with pytest.raises(CatalogueError, match=r"^[\w/]+\.py: more than 200 statistical checks") as refused:
        with_claim(monkeypatch, claim(SHARES - USERS, True))
    assert "\n" not in str(refused.value)


@pytest.mark.fedigw
def test_any_number_of_other_checks_is_welcome(monkeypatch):
    assert len(with_claim(monkeypatch, claim(SHARES, False))["alg:fedavg"].checks) == SHARES


@pytest.mark.parametrize("where", ["run", "control"])
def test_the_level_is_not_spent_undeclared(monkeypatch, where):
    new = claim(1, False)
    new = replace(new, checks=(replace(new.checks[0], **{where: spends}),))
    monkeypatch.setattr(campaign, "find", lambda label: new)
    found = campaign.run_unit(Settings(), "alg:fedavg", "c0")
    assert found.failure == (
        "UndeclaredStatistics: task.level is read: declare it, @claim.check(..., statistical=True)"
    )


def test_a_declared_check_has_one_share(monkeypatch):
    new = claim(1, True, spends)
    monkeypatch.setattr(campaign, "find", lambda label: new)
    found = campaign.run_unit(Settings(), "alg:fedavg", "c0")
    assert found.failure is None
    assert found.evidence.level == SHARE
