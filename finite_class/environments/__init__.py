"""Synthetic finite-class worlds. One file each, with a function make(rng, ...) -> Federation, and EXAMPLES: small
parameter sets for tests.
"""
