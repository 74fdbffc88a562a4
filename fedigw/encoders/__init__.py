"""Encoders, which change an agent's message on its way to the server. Each file has one frozen dataclass."""
