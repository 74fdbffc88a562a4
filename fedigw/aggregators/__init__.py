"""Aggregators: rules by which the server combines the agents' messages. Each file has one frozen dataclass."""
