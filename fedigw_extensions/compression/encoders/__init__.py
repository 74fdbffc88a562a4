"""Encoders of this topic, one file each."""
