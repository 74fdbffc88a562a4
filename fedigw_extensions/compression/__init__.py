"""Compressed messages: encoders that shorten messages, protocols that correct the error this causes, and their proved
convergence rates."""
