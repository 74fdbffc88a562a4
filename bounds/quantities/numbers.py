"""Count the real numbers sent by the agents (up) and by the server (down)."""

from bounds.quantities import Quantity

QUANTITY = Quantity(lambda counted: counted.numbers)
