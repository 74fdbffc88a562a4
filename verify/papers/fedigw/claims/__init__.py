"""The claims about the paper: one file or folder each, named after the label of the statement."""
