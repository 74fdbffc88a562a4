"""Generators of environments with a finite class of functions. Each file has a function make(rng, ...) -> Federation,
and EXAMPLES, small arguments for tests.
"""
