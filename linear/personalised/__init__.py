"""Worlds whose agents share a part of their parameter: each parameter has a block common to all agents and a block of
its own.

Learning is one ridge problem, called lifted, in the shared and all agents' personal coordinates. Only the shared ones
are sent.
"""
