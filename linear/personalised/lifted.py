"""Write ridge regression with partly shared parameters as one ridge problem (called lifted): one vector holds the
shared and all agents' personal coordinates. Its exact minimiser is a reference for protocols.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from linear.ridge import DataError, RidgeData, check_fields, check_semidefinite, solve_positive


@dataclass(frozen=True)
class Blocks:
    """One agent's sums over its `count` samples of features phi and rewards r, split into shared and own coordinates:
    the Gram matrix sum phi phi' into four blocks (`cross`: shared x own), and sum r phi into two."""

    count: int
    shared_gram: np.ndarray
    cross: np.ndarray
    own_gram: np.ndarray
    shared_moment: np.ndarray
    own_moment: np.ndarray


def split(datasets: Sequence[RidgeData], shared: int, epoch: int) -> list[Blocks]:
    found = []
    for agent, data in enumerate(datasets):
        where, d = f"agent {agent}, epoch {epoch}", len(data.moment)
        if d < shared:
            raise DataError(
                f"{where}, moment: shape ({d},), expected at least the {shared} shared coordinates"
            )
        check_fields(data, d, where)
        found.append(
            Blocks(
                data.count,
                data.gram[:shared, :shared],
                data.gram[:shared, shared:],
                data.gram[shared:, shared:],
                data.moment[:shared],
                data.moment[shared:],
            )
        )
    # agents with as many coordinates as their neighbours are checked at once
    for _, group in groupby(range(len(datasets)), lambda agent: len(datasets[agent].moment)):
        alike = list(group)
        check_semidefinite(np.stack([datasets[agent].gram for agent in alike]), epoch, alike[0])
    return found


def places(dimensions: Sequence[int], shared: int) -> list[np.ndarray]:
    """Return, for each agent m, the indices (d_m,) of its coordinates in the vector of all coordinates. dimensions:
    number of coordinates of each agent, including the `shared` ones."""
    ends = shared + np.cumsum([d - shared for d in dimensions])
    return [np.r_[0:shared, end - d + shared : end] for d, end in zip(dimensions, ends, strict=True)]


def lifted(datasets: Sequence[RidgeData], shared: int) -> RidgeData:
    """Return the data of all agents as those of one ridge problem, whose coordinates are the `shared` ones and then the
    personal ones of each agent."""
    own = [len(data.moment) for data in datasets]
    total = shared + sum(own) - shared * len(own)
    gram, moment = np.zeros((total, total)), np.zeros(total)
    for data, where in zip(datasets, places(own, shared), strict=True):
        gram[np.ix_(where, where)] += data.gram
        moment[where] += data.moment
    return RidgeData(sum(data.count for data in datasets), gram, moment)


def exact_minimiser(datasets: Sequence[RidgeData], shared: int) -> tuple[np.ndarray, ...]:
    """Return the ridge estimates (d_m,) of all agents m, which agree in the `shared` coordinates, from all data in one
    place, as a reference for protocols."""
    data = lifted(datasets, shared)
    solution = solve_positive(data.gram + np.eye(len(data.moment)), data.moment, "lifted minimiser")
    return tuple(solution[where] for where in places([len(local.moment) for local in datasets], shared))
