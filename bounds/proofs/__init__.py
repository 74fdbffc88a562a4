"""Proofs as objects: steps with a checker each, chains of steps whose assumptions are accounted for."""

from bounds.proofs.chain import BadChain, check_chain, discover_chains, without
from bounds.proofs.model import At, Chain, Checked, Hypothesis, Outcome, Point, Report, Step, Total, reals
from bounds.proofs.rules import Enumeration, Identity, Induction, Smt, Summation, Supremum

__all__ = [
    "At",
    "BadChain",
    "Chain",
    "Checked",
    "Enumeration",
    "Hypothesis",
    "Identity",
    "Induction",
    "Outcome",
    "Point",
    "Report",
    "Smt",
    "Step",
    "Summation",
    "Supremum",
    "Total",
    "check_chain",
    "discover_chains",
    "reals",
    "without",
]
