"""Simulated environments whose agents share a part of their parameter: each has coordinates common to all agents and
coordinates of its own.

Learning is one ridge problem, called lifted, in the shared and all agents' personal coordinates. Only the shared ones
are sent.
"""
