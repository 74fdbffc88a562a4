"""Provide policies, which turn scores into arm probabilities. One file each, with one frozen class whose fields are its
keys."""
