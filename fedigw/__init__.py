"""The algorithm: policies, the loop over epochs, the channel with its ledger, and records."""

from fedigw.threads import one_thread

one_thread()
