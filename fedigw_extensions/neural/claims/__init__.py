"""Claims about the paper's experiments, one file or folder each."""
