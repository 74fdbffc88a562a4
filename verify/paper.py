"""The labels of the paper (Shi, Zhou, Yang, Shen, TMLR 2024): what each is called in print, and why one has no claim.

Numbers were derived by hand from the paper's TeX: theorems, lemmas, corollaries, definitions, assumptions and remarks
share one counter, which starts anew in every section; a restatement in the appendix has a number of its own.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

NUMBERED = ("theorem", "corollary", "lemma")  # the statements that a proof is given or cited for


@dataclass(frozen=True)
class Statement:
    """label, and its number in print. also: labels and numbers of its restatements.
    missing: why no claim is about it, as long as none is; rests_on: labels that would have to be covered first."""

    label: str
    number: str
    title: str
    also: tuple[str, ...] = ()
    missing: str = "no claim has been written for it yet"
    rests_on: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        return self.number.partition(" ")[0].lower()

    @property
    def numbered(self) -> bool:
        return self.kind in NUMBERED

    @property
    def labels(self) -> tuple[str, ...]:
        return (self.label, *(name for name in self.also if ":" in name))

    @property
    def numbers(self) -> tuple[str, ...]:
        return (self.number, *(name for name in self.also if ":" not in name))

    def covered(self, claimed: Collection[str]) -> bool:
        return any(label in claimed for label in self.labels)

    def reason(self, claimed: Collection[str]) -> str:
        """Why it is not covered, given the labels that have a claim."""
        first = [label for label in self.rests_on if not BY_LABEL[label].covered(claimed)]
        rest = f"; it rests on {' and '.join(first)}, not covered either" if first else ""
        return self.missing + rest


_WORDS = "says nothing that could be checked: "
_ALGORITHM = "an algorithm, not a statement: "
_NO_WORLD = "no claim has been written for it yet: no world here has general strongly convex losses"

STATEMENTS = (
    Statement(
        "asp:realizable",
        "Assumption 3.1",
        "Realizability",
        missing="an assumption, not a statement: hypothesis H1 of the claims",
    ),
    Statement(
        "alg:FedIGW_agent",
        "Algorithm 1",
        "FedIGW (agent m)",
        missing="the algorithm itself, not a statement: `simulate` runs it, the claims are about it",
    ),
    Statement(
        "rmk:IGW",
        "Remark 3.2",
        "Why inverse gap weighting",
        missing=_WORDS + "the reason for a choice",
    ),
    Statement("thm:global_regret", "Theorem 4.1", "Regret of FedIGW with any FL routine", ("Theorem C.6",)),
    Statement("col:finite", "Corollary 4.2", "A finite function class", ("Corollary D.3",)),
    Statement(
        "lem:error_decompose",
        "Lemma 4.3",
        "Excess risk by optimisation and generalisation error",
        ("Lemma D.4",),
        f"{_NO_WORLD} (its inequality, with the right sign, is in proofs/ErrorDecompose.v)",
    ),
    Statement(
        "col:convex_raw",
        "Corollary 4.4",
        "Modular plug-in of FL analyses",
        ("col:convex_raw_full", "Corollary D.6"),
        rests_on=("lem:error_decompose", "lem:rademacher"),
    ),
    Statement("rmk:linear", "Remark 4.5", "A linear reward function class"),
    Statement(
        "rmk:gen_linear",
        "Remark 4.6",
        "Beyond linear reward functions",
        missing=_WORDS + "it refers to other papers' rates for neural networks",
    ),
    Statement(
        "asp:local",
        "Assumption 6.1",
        "Local realizability",
        missing="an assumption, not a statement: part of the hypotheses of col:linear_per",
    ),
    Statement(
        "asp:per",
        "Assumption 6.2",
        "Partially shared parameters",
        missing="an assumption, not a statement: part of the hypotheses of col:linear_per",
    ),
    Statement(
        "tab:comparison",
        "Table 1",
        "Existing designs and FedIGW",
        missing=_WORDS + "a comparison in words",
    ),
    Statement("tab:summary", "Table 2", "Investigations on FCB", missing=_WORDS + "a list of references"),
    Statement(
        "tab:tasks",
        "Table 3",
        "Bibtex and Delicious",
    ),
    Statement("fig:exp_main", "Figure 2", "FedIGW with three FL protocols, and its rivals"),
    Statement(
        "alg:fedlinear",
        "Algorithm 2",
        "One-shot aggregation of compressed local data",
        missing=f"{_ALGORITHM}protocols direct and direct_printed run it, col:linear is about it",
    ),
    Statement(
        "alg:fedavg",
        "Algorithm 3",
        "FedAvg, simplified",
        missing=f"{_ALGORITHM}protocols fedavg and fedavg_printed run it, erratum:E13 is about its sign",
    ),
    Statement("tab:linear", "Table 4", "Comparison of federated linear bandits"),
    Statement(
        "def:error_general",
        "Definition C.1",
        "Excess risk",
        missing="a definition, not a statement: hypothesis H3 of the claims",
    ),
    Statement("lem:learning_rate", "Lemma C.2", "Error under the learning rate"),
    Statement("lem:VE", "Lemma C.3", "Estimation error of a policy's reward"),
    Statement("lem:true_virtual_loss", "Lemma C.4", "True and virtual regret"),
    Statement("lem:epoch_regret_bound", "Lemma C.5", "Regret of an epoch"),
    Statement("lem:q_distribution", "Lemma C.7", "A kernel is a mixture of policies"),
    Statement("lem:loss_decompose", "Lemma C.8", "Regret as a mixture of policies' regrets"),
    Statement("lem:q_loss_bound", "Lemma C.9", "Virtual regret of inverse gap weighting"),
    Statement("lem:V_upper", "Lemma C.10", "Decisional divergence"),
    Statement("lem:finite_var", "Lemma D.1", "Variance of the excess loss"),
    Statement("lem:finite_error", "Lemma D.2", "Excess risk over a finite class"),
    Statement("lem:rademacher", "Lemma D.5", "Generalisation error by Rademacher complexity", (), _NO_WORLD),
    Statement(
        "col:convex",
        "Corollary D.7",
        "Strongly convex losses with FedAvg or SCAFFOLD",
        rests_on=("col:convex_raw", "lem:FedAvg_complete", "lem:SCAFFOLD_complete"),
    ),
    Statement("col:linear", "Corollary D.8", "A linear reward function class"),
    Statement(
        "col:convex_per",
        "Corollary E.1",
        "Personalised strongly convex losses with LSGD-PFL",
        rests_on=("lem:LSGD-PFL_full",),
    ),
    Statement("col:linear_per", "Corollary E.2", "Personalised linear rewards"),
    Statement(
        "lem:FedAvg_complete",
        "Lemma F.1",
        "Convergence of FedAvg, quoted",
    ),
    *(
        Statement(label, number, title, missing="a definition, not a statement")
        for label, number, title in (
            ("def:strongly_convex", "Definition F.2", "Strongly convex"),
            ("def:smooth", "Definition F.3", "Smooth"),
            ("def:bounded_variance", "Definition F.4", "Bounded variance"),
            ("def:bounded_dissimilarity", "Definition F.5", "Bounded dissimilarity"),
        )
    ),
    Statement(
        "lem:SCAFFOLD_complete",
        "Lemma F.6",
        "Convergence of SCAFFOLD, quoted",
    ),
    Statement(
        "lem:LSGD-PFL_full",
        "Lemma F.7",
        "Convergence of LSGD-PFL, quoted",
    ),
    Statement(
        "tab:hyper",
        "Table 5",
        "Hyperparameters",
    ),
    Statement("fig:exp_single", "Figure 3", "FedIGW and single agents"),
)

BY_LABEL = {label: statement for statement in STATEMENTS for label in statement.labels}
BY_NUMBER = {number.lower(): statement for statement in STATEMENTS for number in statement.numbers}
LABELS = tuple(
    label for label in BY_LABEL if not label.startswith(("asp:", "def:"))
)  # that a claim may carry

# Labels of our own: errata of the paper, lemmas that its proofs need and do not state, and appendages: theorems with
# constants where the paper cites an order.
OWN_PREFIXES = ("erratum:", "own:", "app:")
USER_PREFIX = "user:"  # of claims in users' files

_SHORT = {"thm": "theorem", "cor": "corollary", "lem": "lemma", "rmk": "remark", "rem": "remark"}
_NUMBER = re.compile(r"([a-z]+)\.?\s*([a-z]\.\d+|\d+(?:\.\d+)?)")
_ERRATUM = re.compile(r"[Ee]\d+")


def is_label(label: str) -> bool:
    return label in LABELS or label.startswith(OWN_PREFIXES)


def file_name(label: str) -> str:
    """The module that must hold the claim: lem:V_upper -> lem_V_upper."""
    return label.replace(":", "_").replace("-", "_")


def number_of(text: str) -> str | None:
    """What is written like a number of the paper ("Theorem 4.1", "cor. D.8"), in full words and small letters."""
    found = _NUMBER.fullmatch(" ".join(text.lower().split()))
    kinds = {statement.kind for statement in STATEMENTS}
    if found is None or (kind := _SHORT.get(found[1], found[1])) not in kinds:
        return None
    return f"{kind} {found[2]}"


def erratum_label(text: str) -> str | None:
    """E6 -> erratum:E6."""
    return f"erratum:{text.upper()}" if _ERRATUM.fullmatch(text) else None
