"""Compute the privacy loss of a whole FedIGW run from that of the single model fits (app:epochs_do_not_compose).

A fit is one execution of the federated-learning protocol; the code calls it a call. FedIGW fits each model to the data
of one epoch, and the next epoch's data are drawn afresh. So a sample loses privacy only by the fits that use it, and
the whole run is as private as one fit. If several fits use the same data, their losses add up: the Gaussian-privacy
parameter mu (bounds/app_gaussian_mechanism.py) becomes the root of the sum of their mu^2.
"""

from collections.abc import Collection, Sequence

from bounds.app_gaussian_mechanism import together


def of_run(calls: Sequence[tuple[float, Collection[int]]]) -> float:
    """Return the Gaussian-privacy parameter mu of a whole run (larger means less private). For every epoch, the mu of
    all model fits that use its data are combined to the root of their sum of squares; the result is the largest.
    `calls` lists, for each fit, its own mu and the epochs whose data it uses."""
    epochs = {epoch for _, used in calls for epoch in used}
    return max((together(mu for mu, used in calls if epoch in used) for epoch in epochs), default=0.0)


def uses(calls: Sequence[Collection[int]]) -> int:
    """Return the largest number of model fits that use one sample. `calls` lists, for each fit, the epochs whose data
    it uses."""
    epochs = {epoch for used in calls for epoch in used}
    return max((sum(epoch in used for used in calls) for epoch in epochs), default=0)
