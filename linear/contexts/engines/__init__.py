"""Play steps with contexts on the sphere, by engines that draw from the same distribution at different cost."""
