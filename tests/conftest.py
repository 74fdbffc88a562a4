"""Settings for every test: examples are the same in every run, a busy machine is no failure, and byte code is
written.

Byte code is written even if the environment forbids it: this suite starts a hundred Python processes, and each would
compile the same six packages again, which costs more than most of them do. It is what Python writes by default,
__pycache__ next to the sources, ignored by git.
"""

import os
import sys

from hypothesis import HealthCheck, settings

sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # for the workers of xdist and for the processes of the tests

# Neither the time of an example nor of drawing it says anything: others may be using the machine.
settings.register_profile(
    "project",
    max_examples=30,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
# make long: new examples each time, so that what the fixed ones miss is found some day
settings.register_profile("explore", settings.get_profile("project"), derandomize=False, max_examples=500)
settings.load_profile("project")
