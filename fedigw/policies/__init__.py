"""Policies: from scores to arm probabilities. One file each, with one frozen class whose fields are its keys."""
