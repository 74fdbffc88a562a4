"""Differential privacy of a run: noise, what a call spends, the ledger. Neighbours differ in one sample, replaced."""
