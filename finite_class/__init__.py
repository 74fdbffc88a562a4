"""Finite function classes: worlds, environments, the exact minimiser, simulation, and the exact law of a run."""
