"""Claims that compare FedIGW with other systems, one file or folder each."""
