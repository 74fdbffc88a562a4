"""The labels of the paper (Shi, Zhou, Yang, Shen, TMLR 2024) that a claim may carry."""

from __future__ import annotations

LABELS = (
    "thm:global_regret",
    "col:finite",
    "col:convex_raw",
    "col:convex_raw_full",
    "col:convex",
    "col:linear",
    "col:convex_per",
    "col:linear_per",
    "lem:error_decompose",
    "lem:learning_rate",
    "lem:VE",
    "lem:true_virtual_loss",
    "lem:epoch_regret_bound",
    "lem:q_distribution",
    "lem:loss_decompose",
    "lem:q_loss_bound",
    "lem:V_upper",
    "lem:finite_var",
    "lem:finite_error",
    "lem:rademacher",
    "lem:FedAvg_complete",
    "lem:SCAFFOLD_complete",
    "lem:LSGD-PFL_full",
    "rmk:IGW",
    "rmk:linear",
    "rmk:gen_linear",
    "tab:linear",
    "alg:fedlinear",
    "alg:fedavg",
)

# A statement that the paper prints twice, the second time in full: one claim serves both labels.
RESTATED = {"col:convex_raw_full": "col:convex_raw"}

# Labels of our own: errata of the paper, lemmas that its proofs need and do not state, and appendages: theorems with
# constants where the paper cites an order.
OWN_PREFIXES = ("erratum:", "own:", "app:")


def is_label(label: str) -> bool:
    return label in LABELS or label.startswith(OWN_PREFIXES)


def file_name(label: str) -> str:
    """The module that must hold the claim: lem:V_upper -> lem_V_upper."""
    return label.replace(":", "_").replace("-", "_")
