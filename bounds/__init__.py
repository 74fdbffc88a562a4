"""Formulas of the theory: epoch schedules, excess risks, and bounds on regret and communication.

Every formula accepts numbers or sympy symbols. Nothing is simulated in this package.
"""
