"""Several means over the same units: sums that add up exactly, and intervals for all together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.estimates import Estimate, check_level, max_t_quantile, sequence_quantile


@dataclass(frozen=True, eq=False)
class Moments:
    """Sums of several quantities over units, and of their products, in whole numbers of any size.

    Attributes
    ----------
    n
        Units.
    sums, products
        Python integers, (m,) and (m, m): nothing is rounded, so that what parts add up to does not
        depend on their order.
    """

    n: int
    sums: NDArray[np.object_]
    products: NDArray[np.object_]

    @classmethod
    def of(cls, values: NDArray[np.int64]) -> Moments:
        """Those of quantities by unit: int64 (m, n), products over n units within int64."""
        sums, products = values.sum(axis=1), values @ values.T
        return cls(values.shape[1], sums.astype(object), products.astype(object))

    def __add__(self, other: Moments) -> Moments:
        return Moments(self.n + other.n, self.sums + other.sums, self.products + other.products)

    def combined(self, weights: NDArray[np.int64]) -> Moments:
        """The moments of sums of the quantities, whole multiples of each: int64 (k, m)."""
        whole = weights.astype(object)
        return Moments(self.n, whole @ self.sums, whole @ self.products @ whole.T)

    def among(self, chosen: Sequence[int] | NDArray[np.int64]) -> Moments:
        """The moments of some of the quantities, in the order of their numbers."""
        numbers = np.asarray(chosen)
        return Moments(self.n, self.sums[numbers], self.products[np.ix_(numbers, numbers)])

    @property
    def variances(self) -> NDArray[np.float64]:
        """Sample variance of each quantity from unit to unit: float64 (m,). At least 2 units."""
        return np.diagonal(self.covariance)

    @property
    def covariance(self) -> NDArray[np.float64]:
        """Sample covariance of the quantities: float64 (m, m). At least 2 units."""
        return self._spread.astype(float) / self.n / (self.n - 1)

    @property
    def _spread(self) -> NDArray[np.object_]:
        """The sample covariance times n (n - 1), in whole numbers."""
        return self.n * self.products - np.outer(self.sums, self.sums)

    def estimates(
        self, scale: int, level: float = 0.95, unit: str = "block", sequential: bool = False
    ) -> list[Estimate]:
        """The means of all quantities, with intervals that hold together.

        Parameters
        ----------
        scale
            What the sums of a unit are divided by.
        level
            That all intervals together hold their values.
        unit
            What n counts.
        sequential
            Whether the intervals must hold however often one looks before stopping.

        Returns
        -------
        list of Estimate
            ``max-t`` (for one quantity ``student-t``), or ``confidence sequence``. A quantity that
            is the same in every unit has no width, and widens no other's.

        Raises ValueError for fewer than 2 units, or a level out of bounds.
        """
        check_level(level)
        if self.n < 2:
            raise ValueError(f"n = {self.n}: expected at least 2")
        errors = np.sqrt(self.variances / self.n)
        varied = np.flatnonzero(errors)
        method, quantile = "confidence sequence" if sequential else "student-t", 0.0
        if len(varied) and sequential:
            quantile = sequence_quantile(self.n, level, len(self.sums))
        elif len(varied):
            method = "max-t" if len(varied) > 1 else method
            quantile = max_t_quantile(self._correlation(varied), self.n, level)
        means = [int(total) / self.n / scale for total in self.sums]
        halves = quantile * errors / scale
        return [
            Estimate(mean, mean - half, mean + half, self.n, unit, level, method)
            for mean, half in zip(means, map(float, halves), strict=True)
        ]

    def _correlation(self, of: NDArray[np.int64]) -> NDArray[np.float64]:
        spread = self._spread[np.ix_(of, of)].astype(float)
        roots = np.sqrt(np.diagonal(spread))
        return spread / np.outer(roots, roots)
