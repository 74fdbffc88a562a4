"""Confidence: bounds for means, tails and slopes, when to stop, and how often all of it errs."""
