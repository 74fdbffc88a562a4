"""Provide the protocols for partially shared parameters: one file each, with one frozen class."""
