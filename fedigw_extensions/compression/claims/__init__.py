"""Claims about compressed messages, one file or folder each."""
