"""own:released. The setting of the authors' released code reproduces the FedAvg curves in the pictures shipped with
that code.

The setting is run to 364,543 steps and drawn over the code's own horizontal axis. The released code (ShenGroup/FedIGW
at a7d385e) averages the agents' weights once an epoch. Its network has three layers d-256-256-K with one ReLU and a
tanh, and Kaiming's uniform first weights. It uses batches of 128 and 100 epochs of up to 4,096 steps, of which its
axis counts at most 256. So the experiment behind the pictures is identified. This is a statement about the code and
its pictures, not about the paper's text, which describes other settings.
"""

from fedigw_extensions.neural.figures.released import reproduced
from verify.claim import Claim, Variant, Verdict

claim = Claim(
    title="The released code's curves",
    section="Experiments",
    tags=("experiments",),
    variants={
        "reproduced": Variant(
            r"\text{root mean squared distance from the shipped curves}\le 0.04",
            ("the runs of the record", "curves read off the shipped pictures"),
            Verdict.FLOAT,
        )
    },
)

claim.check("reproduced", control=dict(axis="steps"), name="curves")(reproduced)
