"""Laws of contexts: with which probabilities, or how, contexts occur. One file each, with one frozen class derived
from ContextLaw.
"""
