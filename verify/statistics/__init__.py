"""Statistics with stated error levels: confidence bounds for means, probabilities and growth exponents, sequential
tests, and a check of the levels by simulation."""
