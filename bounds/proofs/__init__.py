"""Proofs as objects: steps with a checker each, chains of steps whose assumptions are accounted for."""

from bounds.proofs.engine.calculus import Chord, Tangent
from bounds.proofs.engine.chain import BadChain, check_chain, discover_chains, link, without
from bounds.proofs.engine.model import (
    At,
    Chain,
    Checked,
    Decision,
    Hypothesis,
    Point,
    Report,
    Step,
    Total,
    reals,
)
from bounds.proofs.engine.rules import (
    Cases,
    Discharge,
    Identity,
    Induction,
    Smt,
    Summation,
    Supremum,
)

__all__ = [
    "At",
    "BadChain",
    "Cases",
    "Chain",
    "Checked",
    "Chord",
    "Decision",
    "Discharge",
    "Hypothesis",
    "Identity",
    "Induction",
    "Point",
    "Report",
    "Smt",
    "Step",
    "Summation",
    "Supremum",
    "Tangent",
    "Total",
    "check_chain",
    "discover_chains",
    "link",
    "reals",
    "without",
]
