"""Synthetic worlds with partly shared parameters. One file each, with a function make(rng, ...) -> Federation, and
EXAMPLES.
"""
