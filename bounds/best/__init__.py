"""The smallest proved constant in the regret bound of one epoch (variant `best`): its value, the numbers of its
proof, and a lower limit that no proof of this kind can pass.
"""
