"""FL protocols for ridge regression: one file each, with one frozen class whose fields are its keys in a file."""
