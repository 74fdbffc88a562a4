"""Encoders that compress messages, one file each."""
