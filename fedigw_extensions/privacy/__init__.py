"""Privacy: noise on statistics and gradients, what a run spends, and its regret."""
