"""Theorems about lying agents, one file each."""
