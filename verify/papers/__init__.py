"""Hold one folder for each paper, with its claims, errata and main results."""
