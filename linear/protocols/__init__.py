"""FL routines for ridge regression: one file each, offering build(instance) -> FLRoutine.

A routine has `accuracy`: delta with norm(w - w_S)^2 <= delta^2 e(n), 0 for an exact solver.
"""
