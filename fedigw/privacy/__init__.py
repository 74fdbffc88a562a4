"""Differential privacy of a run: noise, what a call spends, the ledger. Neighbouring data differ in one sample."""
