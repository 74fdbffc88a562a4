"""Clocks, which determine at which global times an agent acts. One file each, with one frozen class whose count(t) is
the number of the agent's steps up to global time t.
"""
