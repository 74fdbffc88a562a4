"""Protocols for ridge regression. One file each, with one frozen class whose fields are keys of instance files."""
