"""Attacks: what lying agents send. One file each, with one frozen class; `agents` says who they are."""
