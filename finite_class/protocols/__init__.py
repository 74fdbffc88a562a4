"""Provide the protocols for finite classes: one file each, with one frozen class."""
