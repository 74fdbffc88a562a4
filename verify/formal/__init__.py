"""Proofs as evidence: theorems checked by Coq, and inequalities decided by z3."""
