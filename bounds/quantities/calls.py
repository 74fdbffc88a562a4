"""Calls of the federated-learning (FL) protocol; each call learns one model."""

from bounds.quantities import Quantity

QUANTITY = Quantity(lambda counted: counted.calls)
