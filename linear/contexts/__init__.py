"""Contexts of an agent: how features are drawn and how an epoch is played. Finitely many, on the sphere, or by a
user's law.
"""
