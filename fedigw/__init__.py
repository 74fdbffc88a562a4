"""The algorithm: inverse gap weighting, the federation loop, the communication ledger, records."""
