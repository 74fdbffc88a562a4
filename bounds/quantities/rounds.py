"""Count the communication rounds of all calls of the federated learning (FL) protocol."""

from bounds.quantities import Quantity

QUANTITY = Quantity(lambda counted: counted.rounds)
