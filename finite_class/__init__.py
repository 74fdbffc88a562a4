"""Worlds whose true mean rewards belong to a known finite set of functions: environments, protocols, simulation,
exact law.
"""
