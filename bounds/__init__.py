"""Compute the formulas of the theory of FedIGW (federated contextual bandits with inverse gap weighting): epoch
schedules, excess risks, and bounds on regret and communication.

Every formula accepts numbers or sympy symbols. Nothing is simulated in this package.
"""
