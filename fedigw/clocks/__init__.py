"""Clocks, which determine at which global times an agent acts. Each file has one frozen dataclass whose count(t) is the
number of the agent's steps up to global time t.
"""
