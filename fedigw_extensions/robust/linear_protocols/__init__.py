"""Protocols for linear worlds with lying agents, one file each."""
