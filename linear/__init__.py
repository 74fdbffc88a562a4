"""Worlds whose mean rewards are linear in features, or a link function of a linear score, and the protocols that
learn them.
"""
