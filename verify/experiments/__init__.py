"""Functions that the checks of several claims share: runs, random worlds and searches for worst cases."""
