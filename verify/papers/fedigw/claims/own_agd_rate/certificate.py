"""What a gradient certifies: the true excess and distance against n norm(grad)^2/4 and n norm(grad)/2."""

import numpy as np

from bounds import linear_communication, own_agd_rate
from fedigw.channel import Channel
from linear.model import Ridge
from linear.protocols.agd import AcceleratedGradient, descend
from linear.ridge import RidgeProblem, exact_minimiser, loss_gap
from verify.claim import Evidence, Task, Verdict
from verify.formal.scalar_steps import check_steps, written
from verify.papers.fedigw.claims.own_agd_rate.convergence import problems

ROUNDING = 1e-12  # iterates are known to 1e-16 times norms up to sqrt(n)


def certificate(task: Task, factor: float = 1.0) -> Evidence:
    """Early stopping: the true excess against the one that the gradient certifies, n norm(grad)^2/4, in every run.

    At fixed rounds, and where the protocol itself stops for accuracies delta = 1, 0.1, 0.01: then what it certifies is
    the target delta^2 e(n) for the squared distance and a share 1/n of it for the loss.
    """
    worst, count, saved = 0.0, 0, []
    for _, datasets in problems(task.rng(), task.full):
        agents, best = RidgeProblem(datasets, 1), exact_minimiser(datasets)
        n = agents.samples
        for rounds in (0, 1, 3, 10, 30, 100):
            point = descend(agents, Channel(len(datasets), 1), rounds)
            gradient = agents.gradients(point).sum(axis=0) + agents.shrinkage * point
            norm = float(np.linalg.norm(gradient))
            allowed = factor * own_agd_rate.certified_loss_gap(n, norm) + 1e-15
            far = factor * own_agd_rate.certified_distance(n, norm) + ROUNDING * n
            worst = max(worst, loss_gap(datasets, point) / allowed, float(np.linalg.norm(point - best)) / far)
            count += 1
        for accuracy in (1.0, 0.1, 0.01):
            routine, channel = AcceleratedGradient(accuracy, early_stopping=True), Channel(len(datasets), 1)
            problem = Ridge(agents.dimension).problem(datasets, 1)
            point = routine.fit(problem, channel, None, task.rng()).parameters
            target = factor * linear_communication.target(n, agents.dimension, accuracy)
            far = float(np.sum((point - best) ** 2))
            worst = max(
                worst, far / (target + ROUNDING * n), loss_gap(datasets, point) / (target / n + 1e-15)
            )
            scheduled = linear_communication.rounds_of_call("agd", n, agents.dimension, accuracy)
            saved.append(1 - channel.traffic.rounds / scheduled)
            count += 1
    kind = Verdict.FLOAT if worst <= 1 + 1e-9 else Verdict.REFUTED
    said = f"true excess at most {worst:.3f} of the certified one in {count} stops;"
    said += f" stopping saves {min(saved):.0%} to {max(saved):.0%} of the rounds"
    return Evidence(kind, said, {"worst": worst, "saved": [min(saved), max(saved)]})


def certificate_steps(task: Task, least: int = 1) -> Evidence:
    """The certificate on every eigenvalue h >= 1/n of Sigma_hat + I/n, where the gap is h e^2 and the gradient 2he; the
    control allows h >= 1/(2n), as if strong convexity were half of what lambda = 1/n gives."""

    curved = f"n >= 1, h > 0, {least}*n*h >= 1"
    return check_steps(
        written(f"""
        h e^2 <= n (2he)^2/4
            {curved} => h*e*e <= n*(2*h*e)*(2*h*e)/4
        e^2 <= (n 2he/2)^2
            {curved} => e*e <= (n*h*e)*(n*h*e)
        """)
    )
