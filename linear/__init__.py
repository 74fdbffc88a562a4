"""Simulated environments whose mean rewards are linear in features, or a link function of a linear score, with their
models and the protocols that learn them.
"""
