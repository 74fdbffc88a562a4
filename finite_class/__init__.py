"""Finite function classes: environments, the exact minimiser, the exact law of a run, simulators."""
