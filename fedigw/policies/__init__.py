"""Policies, which turn estimated rewards (scores) into arm probabilities. Each file has one frozen dataclass whose
fields are its keys in an instance file.
"""
