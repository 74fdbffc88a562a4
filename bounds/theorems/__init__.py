"""Theorems with numbers: one file each, found by the label of its statement."""
