"""Synthetic finite-class worlds: one file each, offering make(rng, ...) -> Federation and EXAMPLES."""
