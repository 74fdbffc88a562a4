"""Worlds with partially shared parameters: omega_m = [omega^a, omega^b_m] with omega^a common to all agents.

The lifted problem has dtilde = d^a + sum_m d^b_m coordinates. Only the d^a shared ones are sent.
"""
