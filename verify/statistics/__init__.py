"""Confidence bounds for means, tails and slopes, sequential tests, and their calibration."""
