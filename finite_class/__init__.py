"""Simulated environments whose true mean rewards belong to a known finite set of functions, with their models,
protocols and exact probability laws.
"""
