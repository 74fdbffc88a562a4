"""Count the bits sent by the agents (up) and by the server (down), if every number is sent as a float of 64 bits."""

from bounds.quantities import Quantity

QUANTITY = Quantity(lambda counted: 64 * (counted.numbers_up + counted.numbers_down))
