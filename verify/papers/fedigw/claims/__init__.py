"""The catalogue: one claim a file, named after its label in the paper."""
