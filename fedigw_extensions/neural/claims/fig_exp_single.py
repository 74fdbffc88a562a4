"""fig:exp_single. Figure 3: FedIGW with ten agents and FedAvg outperforms the single agents FALCON and AGR.

falcon: FALCON is the same design without communication. agr: adaptive greedy with a logistic regression per arm, by
the package that the authors used. Each sentence is tested by differences in reward between methods on the same seeds,
as in fig:exp_main. look_alike: the same program on generated data.
"""

from fedigw_extensions.neural.figures.paired import OPEN
from fedigw_extensions.neural.figures.sentences import LOOK_ALIKE, SETTING, enter
from verify.claim import Claim, Variant, Verdict

claim = Claim(
    title="FedIGW and single agents",
    section="Experiments",
    tags=("experiments",),
    variants={
        "falcon": Variant(r"\text{mean reward: FedIGW above FALCON}", SETTING, Verdict.UNDECIDED),
        "agr": Variant(r"\text{mean reward: FedIGW above AGR}", SETTING, Verdict.UNDECIDED),
        "look_alike": LOOK_ALIKE,
    },
)

enter(
    claim,
    {
        "falcon": (OPEN, dict(exchanged=("fedavg", "falcon"))),
        "agr": (OPEN, dict(exchanged=("agr", "falcon"))),
    },
    "Figure 3, sentence by sentence",
    given=dict(methods=("falcon",), horizon=1023),  # a single agent learns later
    control=dict(methods=("falcon",), step_size=1e-9),
)
