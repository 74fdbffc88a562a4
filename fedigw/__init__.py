"""Run FedIGW: federations and their parts, the loop over epochs, the channel that counts what is sent, and records of
runs.
"""

from fedigw.threads import one_thread

one_thread()
