"""Engines that play steps whose features are (1, u)/sqrt2 with u uniform on the unit sphere, at different cost."""
