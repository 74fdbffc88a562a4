"""Synthetic finite-class worlds: one file each, offering make(...) -> FiniteClassInstance and EXAMPLES."""
