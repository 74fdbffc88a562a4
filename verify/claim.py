"""Define what a claim is: a statement in one or more variants, the checks of each variant, and the expected verdicts.

A claim is one file of verify/papers/<paper>/claims/, or of an extension. Its docstring is the statement and begins with
the label ("lem:main. Probabilities ..."). The file defines

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
BY_COQ = "coq-"  # prefix of the names of checks that look up a Coq theorem
PROOF_FILE = (
    "proof_file"  # the figure of a check that names a file in a paper's proofs/ (verify.formal.proof_files)
)
# How a Coq theorem compares with the claim. part: a step or a number of it; beside: neither implies the other.
SAME = ("yes", "stronger", "weaker", "part", "beside")


class ClosedClaim(RuntimeError):
    """Raised when a check or plot is added to a claim after the catalogue of all claims has read it."""


class UndeclaredStatistics(RuntimeError):
    """Raised when a check reads task.level, its probability of error, without being declared statistical."""


@dataclass(frozen=True)
class Task:
    """The input of a check of a claim. profile: "quick" or "full", how much to compute. seed: of all its random
    numbers. share: the probability with which a statistical check may err, None for other checks."""

    profile: str
    seed: np.random.SeedSequence
    share: float | None = None

    @property
    def level(self) -> float:
        """Return the largest probability with which a statistical check may err, in all its comparisons together. Raise
        UndeclaredStatistics for other checks."""
        if self.share is None:
            raise UndeclaredStatistics("task.level is read: declare it, @claim.check(..., statistical=True)")
        return self.share

    @property
    def full(self) -> bool:
        return self.profile == "full"

    def rng(self) -> np.random.Generator:
        import numpy as np

        return np.random.default_rng(self.seed)


TYPES: dict[str, Any] = {"kind": Verdict, "summary": str, "figures": Mapping, "vacuous": bool, "ran": bool}
TYPES |= {"replay": str | None, "instance": Mapping | None, "level": float | int | None}


@dataclass(frozen=True)
class Evidence:
    """What one check of a claim found.

    * kind: the verdict; summary: a sentence
    * figures: the numbers behind it, as JSON values (measured, bound, ratio, witness, series for plots)
    * vacuous: the comparison was with a bound that says nothing, so it confirms nothing
    * replay: the command that shows a witness or worst instance again; instance: an instance file (as JSON) to save
    * level: the largest probability that this finding is wrong, for statistics that guarantee one; None for proofs,
      exact arithmetic, deterministic computations and asymptotic intervals
    * ran: False if something that the check needs is missing, so that nothing was checked

    In a user's claim the verdict must follow from `figures`: the SMT-LIB text of `prove(...).evidence`, the numbers of
    verify.statistics.compared, or a witness.
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
        for name, kinds in TYPES.items():
            if not isinstance(value := getattr(self, name), kinds):
                raise TypeError(
                    f"Evidence: {name} = {value!r:.40}: must be {getattr(kinds, '__name__', kinds)}"
                )


def fields(verdict: Verdict, evidence: Sequence[Evidence]) -> dict[str, Any]:
    """Return a verdict as JSON fields, with details from the evidence on which it rests.

    They are `verdict` and `by` (the method). A measurement adds its error level, exact checks the number of
    `instances`, a Coq proof how its theorem `differs` from the claim, floating-point and measured numbers their
    smallest `margin` below the bound.
    """
    found = verdict.fields
    figures = [e.figures for e in evidence]
    if verdict is Verdict.MEASURED:  # a level in the figures is that of a family of its own
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
    if verdict in (Verdict.FLOAT, Verdict.MEASURED) and (
        margins := [m for f in figures for m in _margins(f)]
    ):
        found["margin"] = max(0.0, round(min(margins), 6))  # a tolerance allows for rounding
    return found


def _margins(figures: Mapping[str, Any]) -> Iterable[float]:
    """Yield how far measured values in `figures` stay below their bounds, relative to the bound (0.1: 10 % below)."""
    if isinstance(worst := figures.get("worst_ratio"), (int, float)):
        yield 1 - worst
    tables = [figures.get(name) for name in ("series", "rows")]
    for row in (figures, *(row for table in tables if isinstance(table, list) for row in table)):
        if isinstance(row, Mapping) and not row.get("vacuous"):
            for bound, names in (("bound", ("mean", "regret")), ("limit", ("high",))):
                most, value = row.get(bound), next((row[name] for name in names if name in row), None)
                if isinstance(most, (int, float)) and isinstance(value, (int, float)) and most:
                    yield (most - value) / abs(most)


@dataclass(frozen=True)
class Check:
    """One check of one variant of a claim: a function from Task to Evidence.

    * control: the same function applied to a false statement (a smaller constant, a dropped hypothesis), which it must
      refute. If the check refutes an erratum, the control is the repaired statement, which it must confirm
    * about: what is checked, in words
    * statistical: whether the check may err, with probability at most task.level
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
    """One form of a claim's statement, such as "printed" or "repaired".

    * formula: LaTeX; tight: whether equality is attained
    * expects: the weakest acceptable verdict (REFUTED for a printed error)
    * vacuous: where the statement says nothing ("on R^d"), because no instance meets its hypotheses or its bound is
      infinite; its checks then show exactly that
    * covers: the numbers, computed by a theorem, that this variant's verdict is about, as (variant, quantity) or
      (variant, quantity, protocol). By default it is the regret in the variant of the same name, if a theorem has the
      claim's label. The verdict on a number that no variant covers is undecided
    * added: a hypothesis that a printed statement needs and does not state, and the sentence of the paper that suggests
      it. A confirming verdict holds with this hypothesis, a refuting one without it
    """

    formula: str
    hypotheses: tuple[str, ...]
    expects: Verdict
    tight: bool = False
    vacuous: str = ""
    covers: tuple[Key, ...] | None = None
    added: tuple[str, ...] = ()


@dataclass(frozen=True)
class MainResult:
    """A main result of a campaign. label, variant: of its claim. row: the entry of this variant in results.json. title,
    formula: a heading and the result in LaTeX. words: the formula's meaning."""

    label: str
    variant: str
    row: dict[str, Any]
    title: str
    formula: str
    words: str


def needed(hypothesis: str) -> str:
    return hypothesis if hypothesis.startswith(("remark:", "checked:")) else f"needs {hypothesis}"


def is_part(name: str) -> bool:
    """Return whether `name` names a part of a claim's statement, such as the number of rounds or a step of the proof:
    whether it is none of "printed", "repaired", "sharpened" and "best"."""
    return name not in ROWS


def listed(verdicts: Mapping[str, str]) -> str:
    variants = ", ".join(f"{name} {text}" for name, text in verdicts.items() if not is_part(name))
    parts = ", ".join(f"{name} {text}" for name, text in verdicts.items() if is_part(name))
    return "; ".join(filter(None, [variants, f"parts: {parts}" if parts else ""]))


def counts(protocol: str, *quantities: str) -> tuple[Key, ...]:
    """Return the keys, for Variant.covers, of the given quantities of `protocol`, by default its rounds and numbers
    sent, in all variants except the printed one. A key is (variant, quantity, protocol)."""
    wanted = quantities or ("rounds", "numbers")
    return tuple((variant, quantity, protocol) for quantity in wanted for variant in ROWS[1:])


class Severity(StrEnum):
    """How serious an error of the paper is, worst first. The last member, a remark, is not an error."""

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
    found = list(severities)
    remarks = found.count(Severity.REMARK)
    return (
        f"{len(found) - remarks} errata (errors in printed lines, each with a witness) and {remarks} remarks"
    )


@dataclass(frozen=True)
class Erratum:
    """An error in a printed line of the paper, or a remark (severity REMARK), which is counted separately.

    * place: section of the paper; about: labels of the statements concerned
    * order_survives: whether the order of the result still holds; repair: what to write instead
    * printed: whether the paper prints the refuted line. If its text only suggests the line, this is a remark
    * regime: where the printed line fails, if not everywhere
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
            raise ValueError(f"an erratum names a section or appendix and labels, not {self.place!r}")
        if not self.printed and not self.remark:
            raise ValueError("an erratum is about a printed line; what the text only suggests is a remark")

    @property
    def remark(self) -> bool:
        return self.severity is Severity.REMARK

    @property
    def kind(self) -> str:
        return "remark" if self.remark else "erratum"


_PLACE = re.compile(r"\b(Section \d|Appendix [A-G])")


@dataclass(frozen=True)
class Plot:
    """A plot of what some checks of a claim found. draw(axes, {check: its numbers}) draws it on matplotlib axes. title:
    its heading. caption: a sentence that says what it shows."""

    name: str
    title: str
    checks: tuple[str, ...]
    draw: Callable[[Any, Mapping[str, Mapping[str, Any]]], None]
    caption: str = ""


@dataclass(frozen=True)
class Search:
    """A search for the instance on which a variant's measured value comes closest to its bound.

    * start(rng) returns a random instance; neighbour(instance, rng) changes one coordinate
    * ratio(instance, rational) returns measured/bound, in rational arithmetic if asked; None if the bound is not below
      the trivial one or a hypothesis fails
    * quick, full: number of evaluations in each profile; exact_bound: whether the bound, too, is rational
    * control_shrink, control_budget, small: in the negative control the bound is multiplied by control_shrink; a search
      from random instances with small(instance) must exceed it within control_budget evaluations
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
    """A claim: a statement with its variants and checks. label and statement are by default read from the file's
    docstring. depends: labels of claims that the proof uses. errata: labels of the errata about this claim. notes: a
    function that returns further lines for the command `show`. erratum: for an erratum, its description."""

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
        """Decorator: add a function, which takes a Task and returns Evidence, as a check of `variant`.

        * control: parameters for the negative control, which make the statement false (they replace those in `given`),
          or another function
        * name: by default the function's, with - for _
        * given: parameters of the check; `variant` is passed if the function has such a parameter
        * about: by default the first paragraph of the function's docstring
        * statistical: whether the check may err, with probability at most task.level

        Decorators may be stacked, each with a name; claim.check(...)(function) adds an imported function.
        """
        place = len(self.checks)  # stacked decorators are applied from below, but listed from the top

        def enter(function: Function) -> Function:
            defaults = {key: p.default for key, p in inspect.signature(function).parameters.items()}
            own = dict(given or {})
            if defaults.get("variant") is inspect.Parameter.empty:
                own = {"variant": variant, **own}
            false: Any = control
            called = name or function.__name__.replace("_", "-")
            run = partial(function, **own) if own else function
            same = control is function
            if isinstance(control, Mapping):
                changed = {**own, **control}
                false, same = partial(function, **changed), defaults | changed == defaults | own
            if not callable(false):
                raise ValueError(f"check {called!r} has no negative control")
            if same:
                raise ValueError(f"check {called!r}: its control is the check itself")
            words = about or _paragraph(function).removesuffix(".")
            self._enter("checks", Check(called, variant, run, false, words, statistical), place)
            return function

        return enter

    def plot(
        self, title: str, *checks: str, name: str = "", caption: str = ""
    ) -> Callable[[Function], Function]:
        """Decorator: add a function draw(axes, {check: its numbers}) as a plot of what the named checks found. title:
        its heading. name: by default the function's, with - for _. caption: by default the first paragraph of the
        function's docstring."""
        place = len(self.plots)

        def enter(function: Function) -> Function:
            called = name or function.__name__.replace("_", "-")
            made = Plot(called, title, checks, function, caption or _paragraph(function))
            self._enter("plots", made, place)
            return function

        return enter

    def search(self, *searches: Search) -> None:
        """Add searches for the instances that come closest to a bound. Each becomes a check named worst-<variant>."""
        for search in searches:
            self._enter("searches", search, len(self.searches))

    def covered(self) -> list[tuple[Key, str]]:
        """Return which computed numbers each variant's verdict is about, as pairs (key, variant). A key is (variant,
        quantity) or (variant, quantity, protocol), of the theorem that has the claim's label."""
        found, bounded = [], theorems.exists(self.label)
        for name, variant in self.variants.items():
            usual = ((name, "regret"),) if bounded and name in ROWS else ()
            found += [(key, name) for key in (usual if variant.covers is None else variant.covers)]
        return found

    def close(self, document: str | None = None) -> None:
        """Read label and statement from `document`, the docstring of the claim's file. From now on, adding to the claim
        raises ClosedClaim."""
        first, text = (document or "").partition(". ")[0], self.statement or document or ""
        for key, value in {"label": self.label or first, "statement": text, "_closed": True}.items():
            object.__setattr__(self, key, value)

    def _enter(self, field: str, made: object, place: int) -> None:
        if self._closed:
            raise ClosedClaim(f"{self.label}: the catalogue is built; no more {field} can be entered")
        parts = getattr(self, field)
        object.__setattr__(self, field, (*parts[:place], made, *parts[place:]))


def _paragraph(function: Callable[..., Any]) -> str:
    return " ".join((inspect.getdoc(function) or "").partition("\n\n")[0].split())


def inconsistency(claim: Claim) -> str | None:
    """Return the rule that a claim breaks, in words, such as a variant without a check; None if it breaks none. The
    label is not examined."""
    if not (claim.title and claim.section and claim.checks):
        return "has no title, no section or no check" if claim.checks else "has no check"
    for check in claim.checks:
        if check.variant not in claim.variants:
            return f"check {check.name!r} is about an unknown variant {check.variant!r}"
        if not callable(check.control):
            return f"check {check.name!r} has no negative control"
    if unchecked := sorted(set(claim.variants) - {check.variant for check in claim.checks}):
        return f"no check bears on variant {unchecked[0]!r}"
    for name, variant in claim.variants.items():
        if variant.vacuous and not variant.expects.confirms:
            return f"variant {name!r} says nothing, which its checks show: it cannot expect {variant.expects}"
        bearing = [check for check in claim.checks if check.variant == name]
        if variant.expects.at_least(Verdict.FLOAT) and all(check.statistical for check in bearing):
            return f"variant {name!r} states {variant.expects}, and all its checks are statistical: measured at most"
    keys = [key for key, _ in claim.covered()]
    if twice := sorted(key for key in set(keys) if keys.count(key) > 1):
        return f"two variants cover {' '.join(twice[0])}: one number has one verdict"
    names = [check.name for check in claim.checks]
    if len(set(names)) != len(names):
        return "two checks have the same name"
    for plot in claim.plots:
        if unknown := sorted(set(plot.checks) - set(names)):
            return f"plot {plot.name!r} draws an unknown check {unknown[0]!r}"
    return None
