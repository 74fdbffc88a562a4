"""Check the statements of the FedIGW paper: one file or folder each, named after the label of the statement."""
