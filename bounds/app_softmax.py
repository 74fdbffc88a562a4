"""Softmax with temperature z: what a step loses at most, and what it loses for ever."""

import math

FLOOR = 0.27846454276107374  # max_u u/(1 + e^u), at u = 1.2784645...


def step(temperature: float, arms: int, risk: float) -> float:
    """Return z ln K + sqrt(2 K e e^{1/z}): at most this much a step, for scores in [0,1] and excess risk e of the last
    epoch."""
    return temperature * math.log(arms) + math.sqrt(2 * arms * risk) * math.exp(1 / (2 * temperature))


def floor(temperature: float, gap: float) -> float:
    """Return gap/(1 + e^{gap/z}): what two arms with this gap cost a step although f* is known."""
    return gap / (1 + math.exp(min(gap / temperature, 700.0)))


def worst_gap(temperature: float) -> float:
    """Return the gap at which the floor is largest, FLOOR times z (if it is at most 1)."""
    return (1 + FLOOR) * temperature
