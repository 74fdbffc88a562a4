"""fig:exp_main. Figure 2, sentence by sentence, repeated on Bibtex and Delicious with ten agents.

fl_choices: SCAFFOLD and FedProx collect more rewards than FedAvg. fn_ucb: after convergence, FedIGW collects about
twice the rewards of FN-UCB, for which a stand-in runs here, so the sentence is not tested. igw: with FedAvg, FedIGW is
above greedy and softmax. Each sentence is a set of paired differences over seeds, for two interpretations of "100
communications". It holds here if all have its sign at the stated family-wise level, and is contradicted in a setting if
one has the opposite sign there. The result is about these settings and proves no sentence of the paper false.
docs/experiments.md lists them, with what could have been seen and what turns the verdict. look_alike: the same program
on generated data.
"""

from fedigw_extensions.neural.figures.paired import OPEN, UNTESTED
from fedigw_extensions.neural.figures.sentences import LOOK_ALIKE, SETTING, enter
from verify.claim import Claim, Variant, Verdict

METHODS = ("fedavg", "fedprox", "scaffold", "greedy", "softmax", "fn_ucb")
IGW = "contradicted in 1 of 4 settings"

claim = Claim(
    title="FedIGW with three FL protocols, and its rivals",
    section="Experiments",
    tags=("experiments",),
    variants={
        "fl_choices": Variant(
            r"\text{mean reward: SCAFFOLD and FedProx above FedAvg}", SETTING, Verdict.UNDECIDED
        ),
        "fn_ucb": Variant(
            r"\text{last tenth of the steps: reward of FedIGW above 1.5 times FN-UCB}",
            (*SETTING, "a stand-in for FN-UCB, with the last layer of its features"),
            Verdict.UNDECIDED,
        ),
        "igw": Variant(
            rf"\text{{{IGW}: mean reward of IGW above greedy and above softmax}}", SETTING, Verdict.MEASURED
        ),
        "look_alike": LOOK_ALIKE,
    },
)

enter(
    claim,
    {
        "fl_choices": (OPEN, dict(exchanged=("scaffold", "falcon"))),
        "fn_ucb": (UNTESTED, dict(stand_in=True)),
        "igw": (IGW, dict(reshuffle=1)),
    },
    "Figure 2, sentence by sentence",
    given=dict(methods=METHODS),
    control=dict(methods=("greedy", "fn_ucb"), step_size=1e-9),
)
