"""Compressed messages: encoders, protocols that correct their error, and their rates."""
