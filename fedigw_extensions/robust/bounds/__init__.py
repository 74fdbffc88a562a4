"""Formulas with constants about lying agents."""
