"""Runs, random worlds and worst-case searches that the checks of several claims share."""
