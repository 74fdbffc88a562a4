"""Functions that the checks of several claims share: simulated runs, random worlds and searches for worst cases."""
