"""Robust aggregation rules, one file each."""
