"""The best constants that the structure of an induction allows, found by optimisation and proved in rationals."""
