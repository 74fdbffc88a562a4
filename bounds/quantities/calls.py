"""FL calls."""

from bounds.quantities import Quantity

QUANTITY = Quantity(lambda counted: counted.calls)
