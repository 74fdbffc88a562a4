"""Theorems of this topic, one file each."""
