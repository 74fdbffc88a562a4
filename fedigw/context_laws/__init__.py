"""Laws of contexts: one file each, with one frozen class derived from ContextLaw."""
