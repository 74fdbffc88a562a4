"""Run FedIGW (federated contextual bandits with inverse gap weighting): the parts of a federation, the loop over
epochs, the channel that counts every message, and the records of runs.
"""

from fedigw.threads import one_thread

one_thread()
