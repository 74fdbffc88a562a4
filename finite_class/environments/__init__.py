"""Provide synthetic finite-class worlds: one file each, with a function make(rng, ...) -> Federation and EXAMPLES,
small parameter sets for tests.
"""
