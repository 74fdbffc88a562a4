"""Multi-label data as bandits, with networks or linear models as reward functions: the paper's experiments."""
