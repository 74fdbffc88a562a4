"""Protocols for partly shared parameters. Each file has one frozen dataclass."""
