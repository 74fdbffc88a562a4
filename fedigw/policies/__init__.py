"""Policies, which turn estimated rewards (scores) into arm probabilities. One file each, with one frozen class whose
fields are its keys.
"""
