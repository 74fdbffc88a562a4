"""Encoders, which change an agent's message on its way to the server. One file each, with one frozen class."""
