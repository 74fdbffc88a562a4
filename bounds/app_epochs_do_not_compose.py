"""app:epochs_do_not_compose: what a whole run spends on one sample is what the calls that use this sample spend.

mu is the parameter of Gaussian differential privacy (bounds/app_gaussian_mechanism.py). A call of FedIGW uses the data
of one epoch, and later data are drawn afresh given its model, so the run is as private as one call. If calls use old
data again, their privacy losses on these data compose: mu = sqrt(sum of mu^2 over the calls that use them).
"""

from collections.abc import Collection, Sequence

from bounds.app_gaussian_mechanism import together


def of_run(calls: Sequence[tuple[float, Collection[int]]]) -> float:
    """Return mu, the Gaussian-privacy parameter, of a whole run: the largest that it spends on the data of one epoch.
    calls: for each call of the protocol its mu and the epochs whose data it uses."""
    epochs = {epoch for _, used in calls for epoch in used}
    return max((together(mu for mu, used in calls if epoch in used) for epoch in epochs), default=0.0)


def uses(calls: Sequence[Collection[int]]) -> int:
    """Return the largest number of calls that use the same sample. calls: for each call, the epochs whose data it
    uses."""
    epochs = {epoch for used in calls for epoch in used}
    return max((sum(epoch in used for used in calls) for epoch in epochs), default=0)
