"""lem:true_virtual_loss. With a = sup S[Reg - 2 Reghat] and b = sup S[Reghat - 2 Reg] over policies:

repaired    a and b of epoch l from b of epoch l-1, each with the sup inside the induction
sharpened   b = sup S[Reghat - A2 Reg], A2 = 1/(1 - ct), any split t
"""

from fractions import Fraction

from finite_class.lemmas.sides import Sides
from finite_class.lemmas.two_epochs import TwoEpochs, squared_error, supremum


def first_half(world: TwoEpochs) -> Sides:
    """a <= (4/3)(w/(4c) + (ratio_max r/(4c)) b_before + 4 c gamma ratio_max Err): lem:true_virtual_loss, repaired."""
    largest, c = world.growth[0], world.asynchrony
    before = supremum(world, True, Fraction(-2), Fraction(1))
    right = _leading(world) + largest * world.rate_before / (4 * c * world.rate) * before
    return Sides(supremum(world, False, Fraction(1), Fraction(-2)), Fraction(4, 3) * right)


def second_half(world: TwoEpochs) -> Sides:
    """b <= w/(4c) + a/4 + (ratio_max r/(4c)) b_before + 4 c gamma ratio_max Err: the other half."""
    largest, c = world.growth[0], world.asynchrony
    before = supremum(world, True, Fraction(-2), Fraction(1))
    a = supremum(world, False, Fraction(1), Fraction(-2))
    right = _leading(world) + a / 4 + largest * world.rate_before / (4 * c * world.rate) * before
    return Sides(supremum(world, False, Fraction(-2), Fraction(1)), right)


def sharpened_induction(world: TwoEpochs, t: Fraction) -> Sides:
    """b <= 2tw + 2t r ratio_max b_before + (gamma/4t) ratio_max Err with b = sup S[Reghat - A2 Reg]."""
    inflation = 1 / (1 - world.asynchrony * t)
    return Sides(supremum(world, False, -inflation, Fraction(1)), carried(world, t, inflation))


def _leading(world: TwoEpochs) -> Fraction:
    c = world.asynchrony
    return world.arms_per_rate / (4 * c) + 4 * c * world.rate * world.growth[0] * squared_error(world)


def carried(world: TwoEpochs, split: Fraction, inflation: Fraction) -> Fraction:
    """What epoch l-1 carries over at a split s: 2sw + 2s r ratio_max b_before + (gamma/4s) ratio_max Err."""
    largest = world.growth[0]
    before = supremum(world, True, -inflation, Fraction(1))
    return (
        2 * split * world.arms_per_rate
        + 2 * split * world.rate_before / world.rate * largest * before
        + world.rate / (4 * split) * largest * squared_error(world)
    )
