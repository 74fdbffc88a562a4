"""Protocols without a server for linear worlds, one file each."""
