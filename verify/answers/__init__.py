"""What the commands answer, as plain values and in words: for the terminal, for Python and for the planner."""
