"""Protocols of this topic, one file each."""
