"""Verbs of this topic, one file each."""
