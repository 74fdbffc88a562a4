"""Aggregators of this topic, one file each."""
