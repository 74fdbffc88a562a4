"""Repeat the paper's figures 2 and 3: the runs, the record of their results, and the judgement of its sentences."""
