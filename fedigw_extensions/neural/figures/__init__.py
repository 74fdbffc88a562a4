"""Repeat the paper's figures 2 and 3: the runs, their recorded results, and the test of the paper's sentences about
them."""
