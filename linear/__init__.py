"""Provide linear rewards: worlds, and federated ridge regression."""
