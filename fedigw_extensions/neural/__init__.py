"""Multi-label data as bandits, with networks as reward functions: the paper's experiments."""
