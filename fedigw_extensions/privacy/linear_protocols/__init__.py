"""Differentially private protocols for ridge regression, one file each."""
