"""Both sides of the paper's lemmas in exact rationals, and counterexamples to misprinted inequalities."""
