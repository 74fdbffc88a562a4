"""Add up the privacy loss of a run (app:epochs_do_not_compose): a sample pays only for the calls that use it.

A call is one run of the federated-learning protocol. FedIGW learns each model from the data of one epoch, and later
data are drawn afresh given the model. So the whole run is as private as one call. If several calls use the same data,
their losses add up: the Gaussian-privacy parameter mu (bounds/app_gaussian_mechanism.py) becomes the root of the sum
of their mu^2.
"""

from collections.abc import Collection, Sequence

from bounds.app_gaussian_mechanism import together


def of_run(calls: Sequence[tuple[float, Collection[int]]]) -> float:
    """Return the Gaussian-privacy parameter mu of a whole run: the largest loss of the data of any epoch. `calls`
    lists, for each call of the protocol, its own mu and the epochs whose data it uses."""
    epochs = {epoch for _, used in calls for epoch in used}
    return max((together(mu for mu, used in calls if epoch in used) for epoch in epochs), default=0.0)


def uses(calls: Sequence[Collection[int]]) -> int:
    """Return the largest number of calls of the protocol that use the same sample. `calls` lists, for each call, the
    epochs whose data it uses."""
    epochs = {epoch for used in calls for epoch in used}
    return max((sum(epoch in used for used in calls) for epoch in epochs), default=0)
