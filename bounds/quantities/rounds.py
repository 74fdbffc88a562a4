"""Rounds of all calls of the protocol."""

from bounds.quantities import Quantity

QUANTITY = Quantity(lambda counted: counted.rounds)
