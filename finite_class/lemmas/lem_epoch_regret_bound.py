"""lem:epoch_regret_bound, sharpened. The regret of an epoch given its estimate, S[Reg_Q], against what lemmas before it
give: A1 (sum_m E_m (K_m - 1)/gamma + what epoch l-1 carries over), any splits s, t.
"""

from fractions import Fraction

from finite_class.lemmas.lem_true_virtual_loss import carried
from finite_class.lemmas.sides import Sides
from finite_class.lemmas.two_epochs import TwoEpochs, mixture_regret


def sharpened_epoch_regret(world: TwoEpochs, s: Fraction, t: Fraction) -> Sides:
    """S[Reg_Q] <= A1 (sum_m E_m (K_m - 1)/gamma + 2sw + 2s r ratio_max b_before + (gamma/4s) ratio_max Err)."""
    inflation = 1 / (1 - world.asynchrony * t)
    absorbed = 1 / (1 - world.asynchrony * s * inflation)
    return Sides(mixture_regret(world), absorbed * (explored(world) + carried(world, s, inflation)))


def explored(world: TwoEpochs) -> Fraction:
    """What lem:q_loss_bound, sharpened, leaves of the estimated regret: sum_m E_m (K_m - 1)/gamma."""
    return sum((Fraction(a.length * (a.arms - 1)) for a in world.agents), Fraction(0)) / world.rate
