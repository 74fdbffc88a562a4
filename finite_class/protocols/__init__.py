"""Protocols for finite classes. One file each, with one frozen class."""
