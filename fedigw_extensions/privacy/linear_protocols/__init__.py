"""Private protocols for linear worlds, one file each."""
