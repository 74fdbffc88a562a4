"""app:epochs_do_not_compose. What a run spends on one sample: the calls that use it compose, the others cost nothing.

An epoch's data are used by one call of FedIGW, and later data are drawn afresh given its model: the run is as private
as one call. A call on old data uses them again, and uses compose: mu = sqrt(sum of mu^2 over the calls that use them).
"""

from collections.abc import Collection, Sequence

from bounds.app_gaussian_mechanism import together


def of_run(calls: Sequence[tuple[float, Collection[int]]]) -> float:
    """mu of the run. calls: (mu of the call, the epochs whose data it uses)."""
    epochs = {epoch for _, used in calls for epoch in used}
    return max((together(mu for mu, used in calls if epoch in used) for epoch in epochs), default=0.0)


def uses(calls: Sequence[Collection[int]]) -> int:
    """Return the largest number of calls that use one sample."""
    epochs = {epoch for used in calls for epoch in used}
    return max((sum(epoch in used for used in calls) for epoch in epochs), default=0)
