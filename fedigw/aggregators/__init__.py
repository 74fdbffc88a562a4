"""Aggregators: rules by which the server combines the agents' messages. One file each, with one frozen class."""
