"""FL protocols for networks only, one file each, with one frozen class."""
