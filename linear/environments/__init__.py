"""Synthetic linear worlds: one file each, offering make(rng, ...) -> LinearInstance and EXAMPLES."""
