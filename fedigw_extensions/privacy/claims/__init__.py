"""Claims about differential privacy, one file or folder each."""
