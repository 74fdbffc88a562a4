"""Federated-learning protocols for any model with local gradients: settings of the engine in fedigw/local_steps.py."""
