"""Environments whose true mean rewards belong to a known finite set of functions, with their models and protocols."""
