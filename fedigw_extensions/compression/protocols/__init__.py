"""Protocols that send compressed messages, one file each."""
