"""The verbs of the command line as a library:

from verify import bound, exact, simulate, fit, sweep, plan, run, prove

Bad input is `InputError`, with field, value and what is allowed, as on the command line.
"""
