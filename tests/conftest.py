"""Byte code is written also where the environment says not to: this suite starts a hundred Python processes.

Each would compile the same six packages again, which costs it more than all else that it does. What is written is what
Python writes by default: __pycache__ beside the sources, ignored by git.
"""

import os
import sys

sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # for the workers of xdist and for the processes of the tests
