"""Protocols without a server for linear rewards, one file each."""
