"""exact, simulate, fit, run: what the commands of these names answer, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bounds.errors import InputError
from verify.library.arguments import in_arguments
from verify.library.showing import html_grid, html_table, text_grid

Instance = str | Path | Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Simulation:
    """Replications of a run. regret: (R,) of each. bound: the smallest bound that nothing refutes, None where no
    theorem applies (missing: why). interval: approximate (Student's t); guaranteed: whatever the law of a run is."""

    regret: np.ndarray
    mean: float
    standard_error: float | None
    interval: tuple[float, float] | None
    guaranteed: tuple[float, float]
    bound: float | None
    vacuous: bool | None
    verdict: str | None
    missing: tuple[str, ...]
    traffic: Mapping[str, float]
    violated: bool
    document: Mapping[str, Any]

    def __str__(self) -> str:
        from verify.answers.simulation_text import text

        return text(dict(self.document)).rstrip()

    def _repr_html_(self) -> str:
        rows = [
            ("regret", f"{self.mean:.6g}" + (f" ± {self.standard_error:.3g}" if self.standard_error else "")),
            ("bound", self.bound if self.bound is not None else "; ".join(self.missing)),
            ("verdict", self.verdict),
            *self.traffic.items(),
        ]
        return html_table(rows)


@dataclass(frozen=True, eq=False)
class Fit:
    """One FL call. gap: (rounds+1,) F - F* before the first round and after each. estimate, minimiser: (d,)."""

    protocol: str
    gap: np.ndarray
    estimate: np.ndarray
    minimiser: np.ndarray
    traffic: Mapping[str, int]
    document: Mapping[str, Any]

    def __str__(self) -> str:
        from verify.answers.fit import text

        return text(dict(self.document)).rstrip()

    def _repr_html_(self) -> str:
        return html_table([("protocol", self.protocol), ("gap", self.gap[-1]), *self.traffic.items()])


@dataclass(frozen=True)
class ExactRun:
    """The exact law of a tiny run. epochs: as in `exact --json`; total_regret: float; fraction: exactly, or None."""

    total_regret: float
    fraction: str | None
    epochs: tuple[Mapping[str, Any], ...]
    document: Mapping[str, Any]

    def __str__(self) -> str:
        from verify.answers.exact import text

        return text(dict(self.document)).rstrip()

    def _repr_html_(self) -> str:
        rows = [
            {"epoch": e["epoch"], "lengths": e["lengths"], "regret": e["regret"]["value"]}
            for e in self.epochs
        ]
        return html_grid(("epoch", "lengths", "regret"), rows)


@dataclass(frozen=True)
class Verdicts:
    """What a campaign found. verdicts: (claim, variant) -> verdict. met: every expectation held. problems: if not."""

    verdicts: Mapping[tuple[str, str], str]
    met: bool
    problems: tuple[str, ...]

    def _rows(self) -> list[dict[str, Any]]:
        return [{"claim": c, "variant": v, "verdict": word} for (c, v), word in self.verdicts.items()]

    def __str__(self) -> str:
        return "\n".join([text_grid(("claim", "variant", "verdict"), self._rows()).rstrip(), *self.problems])

    def _repr_html_(self) -> str:
        return html_grid(("claim", "variant", "verdict"), self._rows())


def place(instance: Instance) -> Path | Mapping[str, Any]:
    """A file, or a mapping with the keys of one. Parts from one's own files are loaded: the process is one's own."""
    from fedigw import outside

    outside.allow()
    if not isinstance(instance, (str, Path, Mapping)):
        raise InputError("instance", repr(instance), "must be a path, or a mapping with the keys of a file")
    return Path(instance) if isinstance(instance, (str, Path)) else instance


def settings_of(given: Mapping[str, Any]) -> list[str]:
    """Python values as the command line's KEY=VALUE."""
    words = []
    for key, value in given.items():
        plain = str(value).lower() if isinstance(value, bool) else str(value)
        words.append(f"{key.replace('__', '.')}={plain}")
    return words


@in_arguments
def simulate(
    instance: Instance,
    *,
    protocol: str | None = None,
    policy: str | None = None,
    system: str | None = None,
    replications: int = 100,
    seed: int = 0,
    **settings: Any,
) -> Simulation:
    """Replications of a run, beside the bounds that apply. system: a rival of FedIGW. settings: keys of the file, or
    fields of the protocol or the system; a dot is written as two underscores (link__participants=5)."""
    from verify.answers import simulation
    from verify.answers.runs import simulated
    from verify.instances import read_with

    if not isinstance(replications, int) or not 1 <= replications <= simulation.MOST_REPLICATIONS:
        allowed = f"must be between 1 and {simulation.MOST_REPLICATIONS}"
        raise InputError("replications", replications, allowed)
    table = read_with(place(instance), protocol, policy, settings_of(settings), system=system)
    found = simulated(table, replications, seed)
    document = found.document
    regret, bound = document["regret"], document["bounds"]["regret"]
    return Simulation(
        regret=np.asarray(found.record.total_regret),
        mean=regret["mean"],
        standard_error=regret["standard_error"],
        interval=None if regret["interval"] is None else tuple(regret["interval"]),
        guaranteed=tuple(regret["guaranteed"]),
        bound=None if bound is None else bound["value"],
        vacuous=None if bound is None else bound["vacuous"],
        verdict=None if bound is None else bound["verdict"],
        missing=tuple(document["no_bound"]),
        traffic=document["traffic"],
        violated=simulation.any_violation(document),
        document=document,
    )


@in_arguments
def fit(data: Instance, *, protocol: str | None = None, seed: int = 0, **settings: Any) -> Fit:
    """One FL call on given data (a file with kind = "dataset", or a mapping with its keys)."""
    from linear.dataset import parse
    from verify.answers.fit import fitted
    from verify.instances import read_with

    table = read_with(place(data), protocol, None, settings_of(settings), "direct")
    document = fitted(parse(table), seed)
    return Fit(
        document["protocol"],
        np.asarray(document["gap"]),
        np.asarray(document["estimate"]),
        np.asarray(document["minimiser"]),
        document["traffic"],
        document,
    )


@in_arguments
def exact(instance: Instance) -> ExactRun:
    """The exact law of a tiny run."""
    from verify.answers.exact import document_of
    from verify.instances import read_with

    document = document_of(read_with(place(instance), None, None, ()))
    total = document["total_regret"]
    return ExactRun(total["value"], total["fraction"], tuple(document["epochs"]), document)


def run(*claims: str, profile: str = "quick", seed: int = 0) -> Verdicts:
    """Check claims, by label, by number in print, or a file of your own; in this process, one after the other."""
    from bounds.errors import choose
    from fedigw import outside
    from verify.campaign.judgement import judge
    from verify.campaign.units import PROFILES, Settings, run_campaign
    from verify.catalogue import find

    choose("profile", profile, PROFILES)
    for name in claims:
        if not isinstance(name, str):
            raise InputError("claims", repr(name), "must be labels, numbers in print, or files")
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        raise InputError("seed", repr(seed), "must be a non-negative integer")
    if not claims:
        raise InputError("claims", "none", 'give at least one, e.g. run("lem:V_upper")')
    files = tuple(name for name in claims if outside.is_file(name))
    if files:
        outside.allow()
    labels = list(dict.fromkeys(find(name).label for name in claims))
    judgements = judge(run_campaign(labels, Settings(profile, seed, files=files), None))
    return Verdicts(
        {(j.claim, j.variant): str(j.verdict) for j in judgements},
        all(j.met for j in judgements),
        tuple(f"{j.claim} {j.variant}: {problem}" for j in judgements for problem in j.problems),
    )
