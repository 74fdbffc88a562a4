"""Constants in the error bounds of robust aggregation rules, as functions."""
