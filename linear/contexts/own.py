"""Contexts whose features are drawn step by step from a user's law (derived from fedigw.interfaces.ContextLaw)."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from bounds.errors import InputError
from fedigw.federation import keys_of
from fedigw.interfaces import Acting, ContextLaw
from fedigw.running import DataError
from linear.contexts.sphere import SphereContexts

TRIED = 4096  # contexts that are drawn before a run, to see whether mean rewards lie in [0,1]


@dataclass(frozen=True)
class OwnContexts(SphereContexts):
    """Contexts whose features, for each of `arms` arms a vector of dimension d, are drawn by a user's law. Every
    feature that is drawn must lie in the unit ball, and every mean reward in [0,1]."""

    law: ContextLaw | None = None

    def largest_regret_rate(self, parameter: np.ndarray) -> float:
        return 1.0

    def means_between(self, parameter: np.ndarray) -> tuple[float, float]:
        """Return the least and the largest mean reward among some contexts drawn for a trial, so that an unsuitable law
        is refused before it is played. parameter (d,): the true one."""
        try:
            means = self.loss.link(self.draw(TRIED, np.random.default_rng(0)) @ parameter)
        except DataError as error:
            raise InputError("contexts", keys_of(self._law)["name"], str(error)) from None
        return float(means.min()), float(means.max())

    def draw(self, steps: int, rng: np.random.Generator) -> np.ndarray:
        """Draw features, shape (steps, K, d). Raise DataError if one is outside the unit ball."""
        found = np.asarray(self._law.draw(steps, self.arms, self.dimension, rng), dtype=float)
        shape = (steps, self.arms, self.dimension)
        if found.shape != shape:
            raise DataError(f"draws features of shape {found.shape}, must be {shape}")
        longest = float(np.sqrt((found**2).sum(axis=-1).max()))
        if not longest <= 1 + 1e-6:  # single precision
            raise DataError(f"draws a feature of norm {longest:.6g}, must be at most 1")
        return found

    def meet(
        self, shape: tuple[int, int], parameter: np.ndarray, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray, None]:
        features = self.draw(shape[0] * shape[1], rng).reshape(*shape, self.arms, self.dimension)
        return features, self.loss.link(features @ parameter), None

    def describe(self) -> dict[str, Any]:
        return {"contexts": keys_of(self._law), "arms": self.arms}

    def _engine(self, act: Acting) -> str:
        return "drawn"

    @property
    def _law(self) -> ContextLaw:
        assert self.law is not None
        return self.law
