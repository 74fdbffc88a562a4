"""Compute the smallest proved constant in the bound on FedIGW's regret of one epoch (variant `best`), check the
numbers of its proof, and compute a lower limit that no proof from the same hypotheses can pass."""
