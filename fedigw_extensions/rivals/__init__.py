"""Other federated bandit systems as programs, those of the tables tab:summary and tab:linear of the paper, compared
with FedIGW."""
