"""FL protocols that only a network offers what they need for: one file each, with one frozen class."""
