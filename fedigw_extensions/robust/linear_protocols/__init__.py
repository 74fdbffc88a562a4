"""Protocols for linear rewards with lying agents, one file each."""
