"""Formulas with constants of this topic."""
