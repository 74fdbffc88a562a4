"""Generators of environments with partly shared parameters. Each file has a function make(rng, ...) -> Federation, and
EXAMPLES, small arguments for tests.
"""
