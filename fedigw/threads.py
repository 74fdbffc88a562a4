"""One thread of linear algebra, for every command and for whoever imports this library.

The number of threads changes the order of sums, and with it the last bits; on a busy machine more of them cost four to
eight times the CPU. A number that the user has set in the environment is left alone; a campaign is strict.
"""

import os
import sys

VARIABLES = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")


def one_thread() -> None:
    """By the environment, read when a library of linear algebra is loaded; one already loaded is limited too."""
    if any(name in os.environ for name in VARIABLES):
        return
    os.environ.update(dict.fromkeys(VARIABLES, "1"))
    if "numpy" in sys.modules:
        from threadpoolctl import threadpool_limits

        threadpool_limits(1)
