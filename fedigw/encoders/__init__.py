"""Encoders: what happens to an agent's message on its way to the server. One file each, with one frozen class."""
