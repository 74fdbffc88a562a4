"""The systems of the paper's tables as programs, compared with FedIGW."""
