"""Proofs as evidence: chains of checked steps, the best constant, theorems of Coq."""
