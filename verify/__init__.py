"""Claims, evidence, verdicts, report and command line (python -m verify)."""
