"""Clocks: when an agent acts. One file each, with one frozen class offering count(t): its steps up to global time t."""
