"""Generators of environments with linear mean rewards. Each file has a function make(rng, ...) -> Federation, and
EXAMPLES, small arguments for tests.
"""
