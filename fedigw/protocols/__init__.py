"""Federated-learning protocols for any model that offers local gradients. Each file has one frozen dataclass; the
engine is fedigw/local_steps.py.
"""
