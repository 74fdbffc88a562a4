"""The smallest proved constant of lem:epoch_regret_bound (variant `best`): numbers, proof, barrier."""
