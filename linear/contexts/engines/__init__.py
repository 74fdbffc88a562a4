"""Engines that play steps with contexts on the sphere. They draw from the same distribution at different cost."""
