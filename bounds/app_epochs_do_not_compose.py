"""app:epochs_do_not_compose: the privacy that a whole run spends on one sample is that of the calls that use the
sample.

One call of FedIGW uses the data of an epoch, and later data are drawn afresh given its model, so the run is as private
as one call. A call on old data uses them again, and uses compose: mu = sqrt(sum of mu^2 over the calls that use them).
"""

from collections.abc import Collection, Sequence

from bounds.app_gaussian_mechanism import together


def of_run(calls: Sequence[tuple[float, Collection[int]]]) -> float:
    """Return mu of the run. calls: for each call its mu and the epochs whose data it uses."""
    epochs = {epoch for _, used in calls for epoch in used}
    return max((together(mu for mu, used in calls if epoch in used) for epoch in epochs), default=0.0)


def uses(calls: Sequence[Collection[int]]) -> int:
    """Return the largest number of calls that use one sample."""
    epochs = {epoch for used in calls for epoch in used}
    return max((sum(epoch in used for used in calls) for epoch in epochs), default=0)
