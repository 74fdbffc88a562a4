"""Real numbers sent, up and down."""

from bounds.quantities import Quantity

QUANTITY = Quantity(lambda counted: counted.numbers)
