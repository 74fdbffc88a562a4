"""Protocols of this topic for linear worlds, one file each."""
