"""Laws of contexts: with which probabilities contexts occur, or how features are drawn. Each file has one frozen
dataclass derived from ContextLaw.
"""
