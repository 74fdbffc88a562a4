"""Limit linear algebra to one thread, in every command and in every program that imports this library.

The number of threads changes the order of sums, and so the last bits of results. On a busy machine more threads take
four to eight times the processor time. A number of threads that the user has set in the environment is left unchanged.
"""

import os
import sys

VARIABLES = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")


def one_thread() -> None:
    """Set the environment variables from which linear algebra libraries read their number of threads to 1, and limit a
    library that is loaded already. Nothing is changed if the user has set one of them."""
    if any(name in os.environ for name in VARIABLES):
        return
    os.environ.update(dict.fromkeys(VARIABLES, "1"))
    if "numpy" in sys.modules:
        from threadpoolctl import threadpool_limits

        threadpool_limits(1)
