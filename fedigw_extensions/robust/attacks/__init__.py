"""Attacks: what lying agents send. Each file defines one frozen class whose field `agents` lists the lying agents."""
