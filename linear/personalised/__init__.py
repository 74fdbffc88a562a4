"""Define worlds with partially shared parameters: omega_m = [omega^a, omega^b_m] with omega^a common to all agents.

Learning is one ridge problem, called lifted, in the dtilde = d^a + sum_m d^b_m shared and personal coordinates of all
agents. Only the d^a shared ones are sent.
"""
