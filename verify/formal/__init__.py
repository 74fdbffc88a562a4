"""Use formal proofs as evidence for claims: theorems checked by Coq, and inequalities decided by z3."""
