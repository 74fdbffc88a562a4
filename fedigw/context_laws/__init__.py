"""Laws of contexts: their probabilities, or how features are drawn. Each file has one frozen dataclass."""
