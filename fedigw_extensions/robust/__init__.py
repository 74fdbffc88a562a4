"""Lying agents: attacks, aggregators that withstand them, and what they guarantee."""
