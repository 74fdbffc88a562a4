"""Claims of this topic, one file or folder each."""
