"""The best constants that the structure of an induction allows: optimised, then proved in rationals."""
