"""Lying agents: attacks, aggregation rules that withstand them, and what these rules guarantee."""
