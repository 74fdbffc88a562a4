"""Losses of a score and a reward. One file each, with one frozen class derived from fedigw.interfaces.Loss."""
