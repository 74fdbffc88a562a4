"""lem:epoch_regret_bound. The regret of an epoch given its estimate, S[Reg_Q], against what the lemmas before it give:

repaired    2 sum_m E_m (K_m - 1)/gamma + the bound on a of lem:true_virtual_loss
sharpened   A1 (sum_m E_m (K_m - 1)/gamma + what epoch l-1 carries over), any splits s, t
"""

from __future__ import annotations

from fractions import Fraction

from finite_class.lemmas.lem_true_virtual_loss import carried, first_half
from finite_class.lemmas.sides import Sides
from finite_class.lemmas.two_epochs import TwoEpochs, mixture_regret


def repaired_epoch_regret(world: TwoEpochs) -> Sides:
    """S[Reg_Q] <= 2 S[Reghat_Q] + a, each by its bound: lem:epoch_regret_bound, repaired."""
    return Sides(mixture_regret(world), 2 * explored(world) + first_half(world).right)


def sharpened_epoch_regret(world: TwoEpochs, s: Fraction, t: Fraction) -> Sides:
    """S[Reg_Q] <= A1 (sum_m E_m (K_m - 1)/gamma + 2sw + 2s r ratio_max b_before + (gamma/4s) ratio_max Err)."""
    inflation = 1 / (1 - world.asynchrony * t)
    absorbed = 1 / (1 - world.asynchrony * s * inflation)
    return Sides(mixture_regret(world), absorbed * (explored(world) + carried(world, s, inflation)))


def explored(world: TwoEpochs) -> Fraction:
    """What lem:q_loss_bound, sharpened, leaves of the estimated regret: sum_m E_m (K_m - 1)/gamma."""
    return sum((Fraction(a.length * (a.arms - 1)) for a in world.agents), Fraction(0)) / world.rate
