"""Linear rewards: environments and federated ridge regression."""
