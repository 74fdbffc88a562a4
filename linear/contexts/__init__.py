"""Provide the laws of an agent's features: finite contexts and the sphere."""
