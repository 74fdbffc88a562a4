"""How curves and points are drawn: shared by the claims' own plots."""
