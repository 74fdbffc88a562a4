"""Provide clocks, which determine when an agent acts. One file each, with one frozen class that offers count(t): the
agent's steps up to global time t."""
