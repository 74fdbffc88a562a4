"""Count how often the federated-learning (FL) protocol is called; each call learns one model."""

from bounds.quantities import Quantity

QUANTITY = Quantity(lambda counted: counted.calls)
