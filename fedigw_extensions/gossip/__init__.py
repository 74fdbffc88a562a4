"""Federations without a server: agents on a graph talk to their neighbours."""
