"""Provide the protocols for ridge regression: one file each, with one frozen class whose fields are keys of instance
files."""
