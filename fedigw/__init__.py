"""The algorithm: inverse gap weighting, the federation loop, the communication ledger, records."""

from fedigw.threads import one_thread

one_thread()
