"""Find theorems with computable bounds by their label. Each has a file that defines THEOREM; col:finite stands in
col_finite.py."""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from bounds.extensions import packages

if TYPE_CHECKING:
    from bounds.theorem import Applied, Setting, Theorem

USUAL = "thm:global_regret"
COUNTED = "col:linear"  # counts what each of several protocols sends
CALLS = ("col:finite", "calls")  # floor(log2 T) calls, the same for any estimator


@cache
def stems() -> dict[str, str]:
    """Return, for the file name of every theorem (without suffix), the package that contains the file."""
    found = {
        module.name: package
        for package in packages(__name__)
        for module in pkgutil.iter_modules(importlib.import_module(package).__path__)
    }
    return dict(sorted(found.items()))


def exists(label: str) -> bool:
    """Return whether there is a theorem with computable bounds of that label. No theorem is imported."""
    return _stem(label) in stems()


def find(label: str) -> Theorem | None:
    if not exists(label):
        return None
    return _load(_stem(label))


def _load(stem: str) -> Theorem:
    found: Theorem = importlib.import_module(f"{stems()[stem]}.{stem}").THEOREM
    return found


def _stem(label: str) -> str:
    return label.replace(":", "_", 1).replace("-", "_")


@cache
def theorems() -> dict[str, Theorem]:
    return {theorem.label: theorem for theorem in map(_load, stems())}


def expression(label: str, variant: str, quantity: str, protocol: str | None, *shapes: float) -> Any:
    found = find(label)
    assert found is not None
    return found.expression(variant, quantity, protocol, *shapes)


def applicable(setting: Setting) -> Applied:
    """Return the regret bound for a federation, by the theorem that its policy names or by one that applies in its
    place. If the federation lacks hypotheses, the result lists them and has no number."""
    from bounds.theorem import Applied

    named = setting.theorem or USUAL
    base = find(named) if isinstance(named, str) else named
    assert base is not None, f"no theorem {named}"
    if wrong := _misnamed(setting, base):
        return Applied({}, setting.claim, (wrong,))
    others = (t for t in theorems().values() if t.replaces == base.label and t.concerns(setting))
    chosen = next(others, base)
    missing = chosen.missing(setting)
    if missing:
        return Applied({}, setting.claim, missing)
    return replace(chosen.applied(setting), theorem=chosen.label)  # its verdict is that of this label


def _misnamed(setting: Setting, named: Theorem) -> str:
    if isinstance(setting.theorem, str):
        about = named.policies if setting.theorem else ()
        wrong = about and setting.policy not in about
        return f"policy {setting.policy}: {named.label} is about {', '.join(about)}" if wrong else ""
    taken = exists(named.label) and find(named.label) != named
    return f"policy {setting.policy}: {named.label} is the label of another theorem" if taken else ""
