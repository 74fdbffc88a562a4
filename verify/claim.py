"""What a claim is: a statement in variants, the checks that bear on it, and what is expected of them.

A claim is one file of verify/papers/<paper>/claims/, or of an extension. Its docstring is the statement and begins with
the label ("lem:V_upper. Probabilities ..."); the file defines

    claim = Claim(title="Inverse probabilities", section="General theorem", variants={"printed": Variant(...)})

    @claim.check("printed", control=dict(saving=1))  # with saving=1 the statement is false: it must be refuted
    def ratio(task: Task, saving: int = 0) -> Evidence:
        '''Say in the first paragraph what is checked: it is shown next to the result.'''
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from bounds import theorems
from verify.verdict import ASSERTED
from verify.verdict import Verdict as Verdict  # claims import it from here, with the rest

if TYPE_CHECKING:
    import numpy as np

Function = TypeVar("Function", bound=Callable[..., Any])
# A theorem of Coq compared with the claim. part: used in its proof, or a number of it; beside: of its own, neither
# implies the other.
BY_COQ = "coq-"  # how the names of checks begin that look up a theorem of Coq
SAME = ("yes", "stronger", "weaker", "part", "beside")


class ClosedClaim(RuntimeError):
    """A claim was to be changed after the catalogue had been built."""


class UndeclaredStatistics(RuntimeError):
    """A check would spend a part of the level that it has not declared."""


@dataclass(frozen=True)
class Task:
    """What a check is given. share: the level of a check that is declared statistical, None for all others."""

    profile: str
    seed: np.random.SeedSequence
    share: float | None = None

    @property
    def level(self) -> float:
        """Return the probability with which the check's statistics may err, all its comparisons together."""
        if self.share is None:
            said = "the check reads task.level: declare it, @claim.check(..., statistical=True)"
            raise UndeclaredStatistics(said)
        return self.share

    @property
    def full(self) -> bool:
        return self.profile == "full"

    def rng(self) -> np.random.Generator:
        import numpy as np

        return np.random.default_rng(self.seed)


@dataclass(frozen=True)
class Evidence:
    """One finding. figures: JSON values behind it (measured, bound, ratio, witness, series for plots). A user's finding
    has the verdict that they give: smt2 of `prove(...).evidence`, numbers of verify.statistics.compared, or a witness.

    vacuous: the numeric comparison was made against a bound that says nothing; it confirms nothing.
    replay: the command that shows a witness or worst instance again. instance: an instance file (JSON form) to save.
    level: the probability, at most, with which this finding is wrong, where statistics that keep a level made it; None
    where no level applies: proofs, exact arithmetic, deterministic runs in floating point, asymptotic intervals.
    ran: False where what the check needs is not there (Coq's record of other sources): nothing was checked.
    """

    kind: Verdict
    summary: str
    figures: Mapping[str, Any] = field(default_factory=dict)
    vacuous: bool = False
    replay: str | None = None
    instance: Mapping[str, Any] | None = None
    level: float | None = None
    ran: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.kind, Verdict) or not isinstance(self.summary, str):
            raise TypeError(f"Evidence({self.kind!r}, {self.summary!r}): needs a Verdict and a text")


def fields(verdict: Verdict, evidence: Sequence[Evidence]) -> dict[str, Any]:
    """Return the fields that show a verdict which rests on this evidence: `verdict` and `by`, with the level of a
    measurement; `instances` of exact arithmetic, where counted; `differs`, where Coq's statement is not the claim's."""
    found = verdict.fields
    figures = [e.figures for e in evidence]
    if verdict is Verdict.MEASURED:
        # in the figures: of a family of its own
        stated = [e.level or e.figures.get("level") for e in evidence]
        levels = [float(level) for level in stated if level is not None]
        found["by"] = f"level {sum(levels):.2g}" if levels else "no level"
    elif verdict is Verdict.EXACT:
        counts = [f["instances"] for f in figures if isinstance(f.get("instances"), int)]
        found |= {"instances": sum(counts)} if counts else {}
    elif verdict is Verdict.COQ:
        same = min((f.get("same", "yes") for f in figures), key=SAME.index, default="yes")
        found |= {"differs": same} if same != "yes" else {}
    elif verdict is Verdict.UNDECIDED and any(f.get("asserted") for f in figures):
        found["by"] = ASSERTED
    return found


@dataclass(frozen=True)
class Check:
    """One unit of work on one variant.

    control: the same checker applied to a false variant (a smaller constant, a dropped hypothesis), which it must
    refute. For a check that refutes an erratum it is the repaired statement, which it must confirm.
    statistical: it may err with the probability task.level, one of the shares of verify.statistics.level.
    """

    name: str
    variant: str
    run: Callable[[Task], Evidence]
    control: Callable[[Task], Evidence]
    about: str = ""
    statistical: bool = False


# (variant, quantity) or (variant, quantity, protocol) of the theorem with the claim's label
Key = tuple[str, ...]
ROWS = ("printed", "repaired", "sharpened", "best")


@dataclass(frozen=True)
class Variant:
    """formula: LaTeX. expects: the weakest verdict that meets the expectation (REFUTED for a printed error).
    tight: equality is attained; otherwise an upper bound. vacuous: where the statement says nothing ("on R^d"; if only
    of some problems, "for ..."), because no instance meets its hypotheses or its bound is infinite; then its checks
    show just that, and `expects` is theirs.
    covers: the numbers of the theorem that its checks bear on, as keys; by default, where a theorem has the
    claim's label, the regret of the variant of the same name. A number that no variant covers is undecided.
    added: of a printed statement that is true with a hypothesis that it does not state: that hypothesis, and the
    sentence of the paper that suggests it. Its verdict is with the hypothesis where it confirms, without it if refuted.
    """

    formula: str
    hypotheses: tuple[str, ...]
    expects: Verdict
    tight: bool = False
    vacuous: str = ""
    covers: tuple[Key, ...] | None = None
    added: tuple[str, ...] = ()


def is_part(name: str) -> bool:
    """Return whether this is the name of a part of a claim (a count, a step of the proof), not of a variant of it."""
    return name not in ROWS


def listed(verdicts: Mapping[str, str]) -> str:
    """Return verdicts in a line: of the variants, then of the parts of the claim."""
    variants = ", ".join(f"{name} {text}" for name, text in verdicts.items() if not is_part(name))
    parts = ", ".join(f"{name} {text}" for name, text in verdicts.items() if is_part(name))
    return "; ".join(([variants] if variants else []) + ([f"parts: {parts}"] if parts else []))


def counts(protocol: str, *quantities: str) -> tuple[Key, ...]:
    """Return the keys of what `protocol` sends, which is the same number in every variant but the printed one."""
    wanted = quantities or ("rounds", "numbers")
    return tuple((variant, quantity, protocol) for quantity in wanted for variant in ROWS[1:])


class Severity(StrEnum):
    """What an error of the paper costs, worst first; last, what is no error."""

    FALSE = "false"
    VACUOUS = "vacuous"
    GAP = "gap"
    HYPOTHESIS = "hypothesis"
    CONSTANT = "constant"
    TYPO = "typo"
    REMARK = "remark"

    @property
    def meaning(self) -> str:
        return {
            Severity.FALSE: "the result fails as printed",
            Severity.VACUOUS: "its hypotheses exclude each other or its bound is infinite: it says nothing",
            Severity.GAP: "the argument does not give it; another one does",
            Severity.HYPOTHESIS: "it needs a condition that is not stated",
            Severity.CONSTANT: "only a constant, or how soon a bound says something, changes",
            Severity.TYPO: "a slip of the pen: the lines around it are right",
            Severity.REMARK: "no error of its own: on wording, small samples, a repetition, or what the text suggests",
        }[self]


def errata_words(severities: Iterable[str]) -> str:
    """Return how many errata and how many remarks there are, in the same words on every page."""
    found = list(severities)
    remarks = found.count(Severity.REMARK)
    return f"{len(found) - remarks} errata, each of a printed line and with a witness, and {remarks} remarks"


@dataclass(frozen=True)
class Erratum:
    """An error of a printed line, or a remark (severity REMARK), which has the same form and is counted separately.

    place: where it stands in the paper. order_survives: whether the order of the result it belongs to stands. repair:
    what to write instead. about: labels. printed: the paper prints the refuted line; if not, the line is what its text
    suggests, the variant that states it is called `implied`, and it is a remark. regime: where the printed line fails,
    if it holds elsewhere.
    """

    place: str
    severity: Severity
    order_survives: str
    repair: str
    about: tuple[str, ...]
    printed: bool = True
    regime: str = ""

    def __post_init__(self) -> None:
        if not _PLACE.search(self.place) or not self.about:
            raise ValueError(
                f"an erratum names a section or appendix of the paper and what it is about, not {self.place!r}"
            )
        if not self.printed and not self.remark:
            raise ValueError("an erratum is about a printed line; what the text only suggests is a remark")

    @property
    def remark(self) -> bool:
        """Return whether it is counted as a remark."""
        return self.severity is Severity.REMARK

    @property
    def kind(self) -> str:
        """Return what it is called, which is also its tag."""
        return "remark" if self.remark else "erratum"


_PLACE = re.compile(r"\b(Section \d|Appendix [A-G])")


@dataclass(frozen=True)
class Plot:
    """A picture drawn only from saved evidence: draw(axes, {check: its figures}) for the named checks.
    caption: what to see in it, in a sentence or two."""

    name: str
    title: str
    checks: tuple[str, ...]
    draw: Callable[[Any, Mapping[str, Mapping[str, Any]]], None]
    caption: str = ""


@dataclass(frozen=True)
class Search:
    """Where the worst case of a variant is looked for.

    start(rng): a random instance. neighbour(instance, rng): one coordinate moved. ratio(instance, rational): measured
    over bound, None where the bound is vacuous or a hypothesis fails; in rationals where they stay small if asked to.
    control_shrink: the share of the bound that a climb from random starts, kept to `small` instances, exceeds within
    control_budget evaluations. quick, full: evaluations of a campaign in each profile. exact_bound: both sides of the
    ratio are rational; else the bound has roots, evaluated in floating point.
    """

    variant: str
    start: Callable[[np.random.Generator], Any]
    neighbour: Callable[[Any, np.random.Generator], Any]
    ratio: Callable[[Any, bool], float | None]
    control_shrink: float
    quick: int = 40
    full: int = 400
    control_budget: int = 3000
    small: Callable[[Any], bool] = lambda _: True
    exact_bound: bool = False


@dataclass(frozen=True)
class Claim:
    """label: as in the paper; the first word of the file's docstring, if none is given. statement: that docstring, if
    none is given. depends: labels of the claims its proof uses. errata: labels erratum:E<k> about it. notes: lines that
    `show` adds, computed when asked for. erratum: what an erratum says of the paper."""

    label: str = ""
    title: str = ""
    section: str = ""
    statement: str = ""
    variants: Mapping[str, Variant] = field(default_factory=dict)
    checks: tuple[Check, ...] = ()
    tags: tuple[str, ...] = ()
    depends: tuple[str, ...] = ()
    errata: tuple[str, ...] = ()
    plots: tuple[Plot, ...] = ()
    reference: str = ""
    notes: Callable[[], tuple[str, ...]] | None = None
    searches: tuple[Search, ...] = ()
    erratum: Erratum | None = None
    _closed: bool = field(default=False, init=False, repr=False, compare=False)

    def check(
        self,
        variant: str,
        *,
        control: Mapping[str, Any] | Callable[[Task], Evidence],
        name: str = "",
        given: Mapping[str, Any] | None = None,
        about: str = "",
        statistical: bool = False,
    ) -> Callable[[Function], Function]:
        """Enter the decorated function, called with a Task, as a check of `variant`.

        control: the parameters that make the statement false (to be refuted), on top of `given`; or another function.
        given: parameters of the check itself; `variant` is given where the function asks for it. name: the function's,
        with - for _. about: the first paragraph of its docstring. Decorators may be stacked, each with a name;
        claim.check(...)(function) enters an imported function.
        """
        place = len(self.checks)  # as decorators are written, from the top; they are applied from below

        def enter(function: Function) -> Function:
            defaults = {key: p.default for key, p in inspect.signature(function).parameters.items()}
            own = dict(given or {})
            if defaults.get("variant") is inspect.Parameter.empty:
                own = {"variant": variant, **own}
            false: Callable[[Task], Evidence]
            called = name or function.__name__.replace("_", "-")
            run = partial(function, **own) if own else function
            if isinstance(control, Mapping):
                changed = {**own, **control}
                false, same = partial(function, **changed), defaults | changed == defaults | own
            elif callable(control):
                false, same = control, control is function
            else:
                raise ValueError(f"check {called!r} has no negative control")
            if same:
                raise ValueError(f"check {called!r}: its control is the check itself")
            made = Check(
                called, variant, run, false, about or _paragraph(function).removesuffix("."), statistical
            )
            self._enter("checks", made, place)
            return function

        return enter

    def plot(
        self, title: str, *checks: str, name: str = "", caption: str = ""
    ) -> Callable[[Function], Function]:
        """Enter the decorated function, draw(axes, figures), as a picture of the named checks.

        name: the function's, with - for _. caption: the first paragraph of its docstring.
        """
        place = len(self.plots)

        def enter(function: Function) -> Function:
            called = name or function.__name__.replace("_", "-")
            made = Plot(called, title, checks, function, caption or _paragraph(function))
            self._enter("plots", made, place)
            return function

        return enter

    def search(self, *searches: Search) -> None:
        """Enter where worst cases are looked for; the catalogue adds a check worst-<variant> of each."""
        for search in searches:
            self._enter("searches", search, len(self.searches))

    def covered(self) -> list[tuple[Key, str]]:
        """Return each key of the theorem that a variant covers, with the variant's name."""
        found, bounded = [], theorems.exists(self.label)
        for name, variant in self.variants.items():
            usual = ((name, "regret"),) if bounded and name in ROWS else ()
            found += [(key, name) for key in (usual if variant.covers is None else variant.covers)]
        return found

    def close(self, document: str | None = None) -> None:
        """Refuse what is entered from now on: the catalogue has read the claim. document: its file's docstring."""
        first, text = (document or "").partition(". ")[0], self.statement or document or ""
        for key, value in (("label", self.label or first), ("statement", text), ("_closed", True)):
            object.__setattr__(self, key, value)

    def _enter(self, field: str, made: object, place: int) -> None:
        if self._closed:
            raise ClosedClaim(f"{self.label}: the catalogue is built; no more {field} can be entered")
        parts = getattr(self, field)
        object.__setattr__(self, field, (*parts[:place], made, *parts[place:]))


def _paragraph(function: Callable[..., Any]) -> str:
    """Return the first paragraph of a docstring in one line."""
    return " ".join((inspect.getdoc(function) or "").partition("\n\n")[0].split())


def inconsistency(claim: Claim) -> str | None:
    """Return what is wrong with a claim by itself, whatever it is called."""
    if not (claim.title and claim.section and claim.checks):
        return "has no title, no section or no check" if claim.checks else "has no check"
    for check in claim.checks:
        if check.variant not in claim.variants:
            return f"check {check.name!r} is about an unknown variant {check.variant!r}"
        if not callable(check.control):
            return f"check {check.name!r} has no negative control"
    unchecked = set(claim.variants) - {check.variant for check in claim.checks}
    if unchecked:
        return f"no check bears on variant {sorted(unchecked)[0]!r}"
    for name, variant in claim.variants.items():
        if variant.vacuous and not variant.expects.confirms:
            return f"variant {name!r} says nothing, which its checks show: it cannot expect {variant.expects}"
        bearing = [check for check in claim.checks if check.variant == name]
        if variant.expects is Verdict.COQ and not any(check.name.startswith(BY_COQ) for check in bearing):
            return f"variant {name!r} states {variant.expects}, and no theorem of proofs/statements.toml is about it"
        if variant.expects.at_least(Verdict.FLOAT) and all(check.statistical for check in bearing):
            return f"variant {name!r} states {variant.expects}, and all its checks are statistical: measured at most"
    keys = [key for key, _ in claim.covered()]
    twice = sorted(key for key in set(keys) if keys.count(key) > 1)
    if twice:
        return f"two variants cover {' '.join(twice[0])}: one number has one verdict"
    names = [check.name for check in claim.checks]
    if len(set(names)) != len(names):
        return "two checks have the same name"
    for plot in claim.plots:
        unknown = sorted(set(plot.checks) - set(names))
        if unknown:
            return f"plot {plot.name!r} draws an unknown check {unknown[0]!r}"
    return None
