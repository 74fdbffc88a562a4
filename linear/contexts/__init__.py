"""The contexts of an agent in a linear world: how features are drawn and how an epoch is played. There are finitely
many contexts, or contexts on the sphere, or contexts drawn by a user's law.
"""
