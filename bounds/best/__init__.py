"""The smallest proved constant of lem:epoch_regret_bound (variant `best`): its value, its proof, and a lower limit on
it.
"""
