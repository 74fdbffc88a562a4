"""Provide losses of a score and a reward: one file each, with one frozen class derived from fedigw.interfaces.Loss."""
