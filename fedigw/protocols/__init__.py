"""Federated-learning protocols for any model that offers local gradients. One file each, with one frozen class; the
engine is fedigw/local_steps.py.
"""
