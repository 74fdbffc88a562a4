"""Both sides of the lemmas in exact rationals, and the witnesses of the errata."""
