"""Synthetic linear worlds. One file each, with a function make(rng, ...) -> Federation, and EXAMPLES."""
