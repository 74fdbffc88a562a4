"""DisLinUCB (Wang, Hu, Chen and Wang 2019, section 5, arXiv:1904.06309): LinUCB with synchronised covariance matrices.

Every agent plays LinUCB with all shared data and its own. When (t - t_last) ln(det V_now/det V_last) > D for some
agent, all agents upload their new data (a covariance matrix and a reward vector) and download the sum. Here t is the
step, t_last that of the last exchange, and V_now and V_last are the agent's covariance matrices at these steps.
Contexts may be chosen by an adversary.

The paper (M agents, T steps, d dimensions): regret O~(d sqrt(MT)) with D = T ln(MT)/(dM), and O(M^{3/2} d^3) numbers.

Simplified: nothing. Agents act at the same times, and an exchange takes no time.
"""

# Proved for this program: let R = d ln(1 + MT/d). At most T/a intervals between exchanges are longer than a. In each of
# the others ln det of some agent grew by more than D/a, and these growths add up to at most R. With a = sqrt(DT/R)
# there are at most 2 sqrt(TR/D) + 1 exchanges, each of 2M(d(d+1)/2 + d) numbers.
#
# Checked: the trigger, what is sent and the radius against a program of later authors (cyrilli/FedGLB-UCB on GitHub,
# lib/DisLinUCB.py), O(M^{3/2} d^3) numbers against the abstract of the first version on arXiv. From memory of the
# paper: D, which is the value that removes the logarithms from M^{3/2} d^3. Later authors use T/(dM ln T), T the steps
# of all agents.

from dataclasses import dataclass
from typing import ClassVar

from fedigw_extensions.rivals.optimism import Synchronised


@dataclass(frozen=True)
class DisLinUCB(Synchronised):
    """LinUCB whose agents share all data from time to time (DisLinUCB). delta: the probability that any confidence set
    ever fails, by default 1 over the steps of all agents. threshold: agents communicate when (steps since the last
    exchange) x (growth of ln det of an agent's Gram matrix) exceeds it; by default as in the paper."""

    name: ClassVar[str] = "dislinucb"
    paper: ClassVar[str] = "Wang et al. 2019"
    regret_order: ClassVar[str] = "d sqrt(MT)"
