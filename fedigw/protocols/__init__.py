"""Provide federated learning protocols for any model that offers local gradients: one file each, with one frozen class
(fedigw.local_steps)."""
