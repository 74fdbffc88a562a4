"""Statistics with stated error levels: confidence bounds for means, tails and slopes, sequential tests, and a check
of the levels."""
