"""Protocols for linear models. Each file has one frozen dataclass whose fields are its keys in an instance file."""
