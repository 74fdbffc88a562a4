"""Compute with bounds: formulas with symbols, tables of variants, the best factor of the policy's learning rate, and
the sizes at which two protocols cost the same."""

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from bounds import theorems
from bounds.arithmetic import first_integer
from bounds.errors import InputError, choose
from bounds.theorem import Theorem
from verify import showing
from verify.catalogue import look_up
from verify.verbs.bound.document import family_of, label_with_number, trivially
from verify.verdict import shown

if TYPE_CHECKING:
    from verify.verbs.bound import Bound, Bounds

LEAST = {"T": 3, "K": 2, "F": 2}
UNUSED = ("delta", "heterogeneous")  # not printed where they are 0


class Operations:
    """The base class of an evaluated bound. It gives the bound's formula, its part for each epoch, a plot, and the
    parameters at which the bound has a given value."""

    claim: str
    variant: str
    quantity: str
    parameters: Mapping[str, Any]
    value: float
    document: Mapping[str, Any]

    @property
    def exact(self) -> Any:
        """Return the bound's closed form as a sympy expression with exact constants. The symbols are those of
        bounds.symbols."""
        protocol = self.document.get("protocol")
        return self._theorem().evaluate(self.variant, self.quantity, protocol, self.parameters).closed_form

    @property
    def expression(self) -> Any:
        """Return the bound's closed form as a sympy expression. Constants of a bound on regret are rounded up to four
        digits; counts of messages are exact."""
        from verify.verbs.bound.readable import readable

        return readable(self.exact) if self.quantity == "regret" else self.exact

    @property
    def sum(self) -> tuple[float, ...]:
        """Return a bound on each epoch's regret. They sum to the whole bound."""
        if "epochs" in self.document:
            return tuple(float(row["bound"]) for row in self.document["epochs"])
        if self.quantity != "regret":
            raise InputError("quantity", self.quantity, "only a bound on the regret is a sum over epochs")
        theorem = self._theorem()
        case = theorem.case(self.variant, self.document.get("protocol"), self.parameters)
        return tuple(theorem.regret(case).terms(int(self.parameters["T"])))

    def solve_for(self, name: str, value: float) -> int | None:
        """Return the largest integer value of the parameter `name` at which the bound is at most `value`. Return None
        if the bound is never above `value` up to 1e15, or always."""
        theorem, protocol = self._theorem(), self.document.get("protocol")
        choose("name", name, theorem.required)

        def above(count: int) -> bool:
            given = {**self.parameters, name: count}
            return theorem.evaluate(self.variant, self.quantity, protocol, given).value > value

        found = first_integer(above, LEAST.get(name, 1))
        return None if found is None or found == LEAST.get(name, 1) else found - 1

    def plot(self, path: str | None = None) -> Any:
        """Draw the bound, and the one that holds without learning, against the horizon; save it if a path is given."""
        return self.over_horizons().plot(path)

    def over_horizons(self) -> "Bounds":
        import numpy as np

        from verify.verbs.bound import bound

        horizons = np.unique(np.geomspace(3, max(64, 100 * self.parameters["T"]), 41).astype(int))
        given = {**self.parameters, "T": horizons}
        names = ("protocol", "risk", "optimisation")
        own = {name: self.document[name] for name in names if self.document.get(name)}
        found: Bounds = bound(self.claim, self.variant, quantity=self.quantity, **own, **given)
        return found

    def _theorem(self) -> Theorem:
        if "epochs" in self.document:
            raise InputError("instance", self.claim, "the bound of a file has no closed form: see `sum`")
        return theorem_of(self.claim, self.document.get("risk"), self.document.get("optimisation"))


@dataclass(frozen=True)
class Formula:
    """A claim's bound as a formula with symbols. expression, exact: with constants rounded up, and with exact ones.
    free: the names of the symbols."""

    claim: str
    variant: str
    quantity: str
    expression: Any
    exact: Any

    @property
    def free(self) -> tuple[str, ...]:
        return tuple(sorted(s.name for s in self.exact.free_symbols))

    @property
    def latex(self) -> str:
        return latex(self.expression)

    def solve_for(self, name: str, value: Any) -> list[Any]:
        """Return the real values of the symbol `name` at which the bound equals `value`, as sympy expressions."""
        import sympy

        choose("name", name, self.free)
        unknown = sympy.Symbol(name, positive=True)
        plain = {s: sympy.Symbol(s.name, positive=True) for s in self.expression.free_symbols}
        return list(sympy.solve(sympy.nsimplify(self.expression.xreplace(plain) - value), unknown))

    def __str__(self) -> str:
        return f"{self.claim} ({self.variant}), {self.quantity}\n  {self.expression}\n  exactly {self.exact}"

    def _repr_latex_(self) -> str:
        return f"${self.latex}$"


@dataclass(frozen=True)
class Variants:
    """A claim's bound in all its variants (printed, repaired, ...) at the same parameters. rows: the bound in each
    variant."""

    rows: tuple["Bound", ...]

    @property
    def document(self) -> dict[str, Any]:
        first = self.rows[0]
        same = {"claim": first.claim, "quantity": first.quantity, "parameters": dict(first.parameters)}
        return same | {"variants": [dict(row.document) for row in self.rows]}

    def _grid(self) -> tuple[tuple[str, ...], list[dict[str, Any]]]:
        columns = ("variant", "value", "trivial", "says something", "from T", "verdict")
        return columns, [
            {
                "variant": row.variant,
                "value": row.value,
                "trivial": row.trivial,
                "says something": "order only" if row.document.get("order_only") else not row.vacuous,
                "from T": row.first_informative_horizon,
                "verdict": shown(row.document),
            }
            for row in self.rows
        ]

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, variant: str) -> "Bound":
        known = {row.variant: row for row in self.rows}
        return known[choose("variant", variant, known)]

    def __str__(self) -> str:
        first = self.rows[0]
        used = {k: v for k, v in first.parameters.items() if v != 0 or k not in UNUSED}
        texts = (f"{k} = {v:g}" if isinstance(v, int | float) else f"{k} = {v}" for k, v in used.items())
        most = max(row.trivial for row in self.rows)
        less = [row.variant for row in self.rows if row.trivial < most]
        more = f" (epoch 1, which is uniform, counts less in {', '.join(less)})" if less else ""
        head = (
            f"{first.claim}, {first.quantity}: {', '.join(texts)}; trivial: {trivially(first.quantity)}{more}"
        )
        given = f"c = {first.parameters.get('c', 1):g} "  # some variants replace it by their own
        said = [(row.variant, h) for row in self.rows for h in row.hypotheses if h.startswith("c = ")]
        own = [f"{variant}: {h}" for variant, h in said if not h.startswith(given)]
        return "\n".join([head, showing.text_grid(*self._grid()).rstrip(), *own])

    def _repr_html_(self) -> str:
        columns, rows = self._grid()
        formulas = [row | {"formula": f"${pasted(b)}$"} for row, b in zip(rows, self.rows, strict=True)]
        return showing.html_grid((*columns, "formula"), formulas)

    def plot(self, path: str | None = None) -> Any:
        """Draw the bound in all variants, and the one that holds without learning, against the horizon. Save the
        picture if a path is given."""
        return draw([row.over_horizons() for row in self.rows], path)


def draw(lines: Sequence["Bounds"], path: str | None) -> Any:
    """Draw several bounds (`lines`) on one quantity against the same parameter; the title is about the last bound. Save
    the picture if a path is given."""
    from verify.pictures import BOUND, BOUND_COLOUR, WITHOUT, colours, complete, finish, logarithmic, picture

    figure, (axes,) = picture()
    last, over = lines[-1], lines[-1].over
    colour_of = colours(BOUND_COLOUR, [line[0].variant for line in lines])
    axes.plot(last.axis, last.trivial, label=trivially(last[0].quantity), **WITHOUT)
    for line in lines:
        name = f"{line[0].variant}: {shown(line[0].document)}"
        axes.plot(line.axis, line.value, color=colour_of[line[0].variant], label=name, **BOUND)
    logarithmic(axes, over, last[0].quantity)
    start = last[0].first_informative_horizon if over == "T" else min(last.axis[~last.vacuous], default=None)
    first = "" if start is None else f"{start:,.0f}" if float(start).is_integer() else f"{start:g}"
    verdict = last[0].document["verdict"]
    says = "would say" if verdict in ("refuted", "undecided") else "says"
    where = f"{says} something from {over} = {first} on" if first else "is vacuous"
    finish(axes, f"The bound of {last[0].claim} ({last[0].variant}, {verdict}) {where}")
    return complete(figure, path)


def pasted(found: "Bound") -> str:
    """Return a bound's closed form as LaTeX to paste into a paper, with constants rounded up."""
    return found.latex if "epochs" in found.document else latex(found.expression)


def theorem_of(claim: str, risk: str | None = None, optimisation: str | None = None) -> Theorem:
    """Return the theorem that evaluates a claim's bound. risk, optimisation: formulas that replace the theorem's excess
    risk and optimisation error."""
    label = label_with_number(claim)
    if risk is not None:
        from bounds import plug_in_family

        return plug_in_family.family(label, risk, optimisation)
    found = family_of(label)
    if found is None or not found.quantities:
        raise InputError("claim", label, "has no numeric bound")
    return found


def with_symbols(claim: str, variant: str, quantity: str, protocol: Any, given: Mapping[str, Any]) -> Formula:
    """Return a claim's bound on `quantity` as a formula. A parameter is a symbol if it is not in `given`, or given as
    its own name (T="T")."""
    import sympy

    from bounds.report import parse_parameter
    from bounds.symbols import symbol
    from verify.verbs.bound.readable import readable

    theorem = theorem_of(claim)
    choose("--variant", variant, theorem.variants)
    choose("--quantity", quantity, theorem.quantities)
    if protocol is not None:
        choose("--protocol", protocol, theorem.protocols)
    for name in given:
        choose("--set", name, (*theorem.required, *theorem.optional))
    numbers = {name: parse_parameter(name, v) for name, v in given.items() if v != name}
    shapes = [float(numbers.get(name, theorem.optional[name])) for name in theorem.shapes]
    exact = theorem.expression(variant, quantity, protocol, *shapes)
    exact = exact.subs({symbol(name): sympy.Rational(str(value)) for name, value in numbers.items()})
    found = readable(exact) if quantity == "regret" else exact
    return Formula(theorem.label, variant, quantity, found, exact)


def latex(expression: Any) -> str:
    import sympy

    from bounds.symbols import LATEX

    names = {s: LATEX[s.name] for s in expression.free_symbols if s.name in LATEX}
    return str(sympy.latex(expression, symbol_names=names, order="grlex"))


def crossing(
    first: str,
    second: str,
    *,
    claim: str = theorems.COUNTED,
    quantity: str = "numbers",
    M: int = 10,
    K: int = 5,
    T: int = 10**6,
    d: int = 10,
) -> dict[str, int | None]:
    """Return where the cheaper one of two protocols, `first` and `second`, changes: the smallest M (agents), d
    (dimension) and T (horizon) at which the order of their costs is reversed, each with the other parameters fixed;
    None if it is not reversed below 1e15. K: arms. quantity: the cost, by default the numbers sent."""
    theorem = theorem_of(claim)
    for name in (first, second):
        choose("protocol", name, theorem.protocols)
    given = {**theorem.optional, "M": M, "K": K, "T": T, "d": d}

    def cheaper(over: str, value: int) -> bool:
        at = given | {over: value}
        one, other = (theorem.evaluate("sharpened", quantity, name, at) for name in (first, second))
        return one.value < other.value

    found: dict[str, int | None] = {}
    for over in ("M", "d", "T"):
        least = LEAST.get(over, 1)
        start = cheaper(over, least)
        found[over] = first_integer(lambda v, o=over, s=start: cheaper(o, v) != s, least)  # type: ignore[misc]
    return found


def optimal(name: str, *, K: int = 10, variant: str = "best") -> dict[str, float]:
    """Return the choice that minimises the proved regret bound for K arms. All agents act at the same steps, and the
    excess risk after n samples is proportional to 1/n.

    name = "g": the factor g in the policy's learning rate g sqrt(K/e), where e is the excess risk and epochs end at
    steps 2^l. name = "schedule": the factor x of epochs that end at steps x^l.
    """
    # with s^2 = x the sum of sqrt(e) E^l over epochs is sqrt(A T) s sqrt((s + 1)/(s - 1)), least at s^2 = s + 1;
    # over_sqrt is C/g times this, doubling its value at x = 2
    choose("name", name, ("g", "schedule"))
    choose("variant", variant, ("sharpened", "best"))
    if K < 2:
        raise InputError("K", K, "must be at least 2: with one arm there is nothing to choose")
    g, over_g = _constant(variant, K, doubling=True)
    if name == "g":
        return {"g": g, "over_g": over_g}
    golden = (1 + 5**0.5) / 2
    doubling, other = (2 + 2**0.5) * over_g, golden**2.5 * _constant(variant, K, doubling=False)[1]
    # the constant of `best` for doubling epochs may outweigh the better growth
    growth = 2.0 if doubling <= other else golden**2
    return {"growth": growth, "over_sqrt": min(doubling, other), "doubling": doubling}


def _constant(variant: str, K: int, doubling: bool) -> tuple[float, float]:
    if variant == "best":
        from bounds.best.constant import best

        constant = best(K, doubling=doubling)
        return float(constant.best_multiplier_squared) ** 0.5, float(constant.over_g)
    from bounds import lem_epoch_regret_bound as lemma

    q = 1 - 1 / K
    return float(lemma.best_multiplier_squared(1.0, q)) ** 0.5, float(lemma.sharpened_over_g(1.0, q))


@dataclass(frozen=True)
class Lemma:
    """Both sides of a lemma for given numbers, as exact fractions. formula: the lemma in LaTeX."""

    claim: str
    variant: str
    left: Fraction
    right: Fraction
    formula: str

    @property
    def holds(self) -> bool:
        return self.left <= self.right

    def __str__(self) -> str:
        sign = "<=" if self.holds else ">"
        return f"{self.claim} ({self.variant}): {self.left} {sign} {self.right}"

    def _repr_html_(self) -> str:
        rows: dict[str, Any] = {"claim": f"{self.claim} ({self.variant})", "formula": f"${self.formula}$"}
        rows |= {side: f"{x} = {float(x):.6g}" for side, x in (("left", self.left), ("right", self.right))}
        return showing.html_table((rows | {"holds": self.holds}).items())


SHAPES = {"contexts": " (X,)", "policy": " (X,), arms"}
SHAPES |= dict.fromkeys(("estimate", "deviation", "probabilities"), " (X, K)")


def sides(claim: str, variant: str = "printed", **given: Any) -> Lemma:
    """Compute both sides of a lemma about one agent in one epoch exactly, e.g. sides(label, contexts=[1],
    estimate=[["1/2", 0]], rate=9, policy=[1]).

    contexts: (X,) probabilities. estimate, deviation, probabilities: (X, K) tables, where deviation is the estimate
    minus the true mean rewards. rate: the learning rate gamma. policy: (X,) arms. If a side of the lemma has a square
    root, both sides are squared.
    """
    from finite_class.lemmas.one_agent import BY_LABEL as known

    found = look_up(claim)
    if found.label not in known:
        raise InputError("claim", claim, f"both sides are computed for {', '.join(known)}; see also bound")
    choose("variant", variant, found.variants)
    if "variant" in inspect.signature(known[found.label]).parameters:
        given["variant"] = variant

    def exact(value: Any) -> Any:
        return tuple(map(exact, value)) if isinstance(value, list | tuple) else Fraction(str(value))

    try:
        given |= {name: exact(value) for name, value in given.items() if name not in ("policy", "variant")}
        compared = known[found.label](**given)
    except (TypeError, ValueError, IndexError, ZeroDivisionError, KeyError):
        takes = ", ".join(
            name + SHAPES.get(name, "") for name in inspect.signature(known[found.label]).parameters
        )
        said = f"takes {takes}; e.g. contexts=[1], estimate=[['1/2', 0]], rate=9, policy=[1]"
        raise InputError("sides", ", ".join(given) or None, said) from None
    return Lemma(found.label, variant, compared.left, compared.right, found.variants[variant].formula)
