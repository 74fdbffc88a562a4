"""Synthetic linear worlds: one file each, offering make(rng, ...) -> Federation and EXAMPLES."""
