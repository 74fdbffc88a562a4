"""Losses of a score and a reward. Each file has one frozen dataclass derived from fedigw.interfaces.Loss."""
