"""Protocols for partly shared parameters. One file each, with one frozen class."""
