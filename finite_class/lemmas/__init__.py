"""Both sides of the paper's lemmas in exact rationals, and instances that refute misprinted inequalities."""
