"""Claims about lying agents, one file or folder each."""
