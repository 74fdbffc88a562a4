"""Differential privacy: noise on statistics and gradients, the privacy that a run spends, and its regret."""
