"""The commands of python -m verify: one file each, imported only when called."""
