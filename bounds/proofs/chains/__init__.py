"""The chains: one proof of the paper per file, each file with CHAINS."""
