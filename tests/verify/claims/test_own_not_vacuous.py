"""own:not_vacuous states the corollary's own numbers at its two examples."""

import math

from bounds.best.constant import best
from verify.catalogue import find

STEPS, FUNCTIONS = 2**14, 2
CASES = {  # variant: arms, C/g, kappa
    "sharpened": (2, 28 * math.sqrt(2) / 9, 1 - math.exp(-1 / 2)),
    "best": (3, best(3, doubling=True).over_g, 0.46368),
}


def test_the_statement_has_the_bounds_of_the_corollary() -> None:
    for variant, (arms, constant, kappa) in CASES.items():
        root = math.sqrt(arms * STEPS * math.log(FUNCTIONS) / kappa)
        bound = 2 * (1 - 1 / arms) + constant * (2 + math.sqrt(2)) * root
        line = next(
            row for row in find("own:not_vacuous").statement.splitlines() if row.split()[:1] == [variant]
        )
        assert f"= {bound:.1f} < T/2" in line
