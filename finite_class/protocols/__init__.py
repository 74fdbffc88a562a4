"""Protocols for finite classes of functions. Each file has one frozen dataclass."""
