"""Bits sent, up and down, at 64 a number: a link that sends every number as a float."""

from bounds.quantities import Quantity

QUANTITY = Quantity(lambda counted: 64 * (counted.numbers_up + counted.numbers_down))
