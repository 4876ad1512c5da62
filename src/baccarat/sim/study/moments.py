"""Statistics of many samples: means and errors from sums, so that memory stays flat, and percentiles of paths.

An error that is not known is None: with fewer than two samples, or if all are alike, which says nothing about the
spread.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baccarat.sim.study.book_arrays import Floats, Integers

Samples = NDArray[np.signedinteger[Any]] | NDArray[np.floating[Any]]

PERCENTILES = (5, 25, 50, 75, 95)
ROUNDING_SHARE = 1e-24
"""Squares that are smaller than this part of the figure's own are rounding, not spread."""


def by_percentile(paths: Integers) -> dict[int, list[int]]:
    """Of many paths, [path, point], the sums that each percentage of them does not exceed at each point."""
    found = np.percentile(paths, PERCENTILES, axis=0, method="inverted_cdf").astype(np.int64)
    return dict(zip(PERCENTILES, found.tolist(), strict=True))


class Moments:
    """Sums of several figures over samples that come block by block.

    Each block's squares are taken about the block's own mean and merged afterwards, so that a large mean with a small
    spread loses no digits.
    """

    def __init__(self, figures: int, *, pairs: Sequence[tuple[int, int]] = ()) -> None:
        """`pairs` of figures for which the ratio of the first to the second is wanted."""
        self.samples = 0
        self.centre: Floats = np.zeros(figures)
        self.squares: Floats = np.zeros(figures)
        """About the centre."""
        self.products = dict.fromkeys(pairs, 0.0)
        """The same for two figures."""

    def add(self, block: Floats) -> None:
        """A block: [figure, sample]."""
        more = block.shape[1]
        if not more:
            return
        centre = block.mean(axis=1)
        step, together = centre - self.centre, self.samples + more
        apart = self.samples / together * more
        about = block - centre[:, None]
        self.squares = self.squares + np.square(about).sum(axis=1) + np.square(step) * apart
        for one, other in self.products:
            self.products[one, other] += float((about[one] * about[other]).sum() + step[one] * step[other] * apart)
        self.centre = self.centre + step * (more / together)
        self.samples = together

    def mean(self) -> Floats:
        """By figure."""
        return self.centre

    def error(self) -> Floats:
        """By figure: one standard error of the mean; needs at least two samples."""
        found: Floats = np.sqrt(self.squares / (self.samples - 1) / self.samples)
        return found

    def errors(self) -> list[float | None]:
        """The same, None if it is not known."""
        if self.samples < 2:
            return [None] * len(self.squares)
        least = ROUNDING_SHARE * self.samples * np.square(self.centre)
        known = self.squares > least
        return [float(error) if is_known else None for error, is_known in zip(self.error(), known, strict=True)]

    def ratio(self, one: int, other: int) -> tuple[float | None, float | None]:
        """The ratio of one figure's mean to another's, and its standard error; None for what is not known."""
        if not self.samples or not self.centre[other]:
            return None, None
        found = float(self.centre[one] / self.centre[other])
        if self.samples < 2:
            return found, None
        whole = float(self.squares[one] + found**2 * self.squares[other])
        rest = whole - 2 * found * self.products[one, other]
        if rest <= 1e-12 * whole:
            return found, None
        return found, sqrt(rest / (self.samples - 1) / self.samples) / abs(float(self.centre[other]))


def error_of(samples: Samples) -> float | None:
    """One standard error of the mean of samples that are all in memory; None if it is not known."""
    found = Moments(1)
    found.add(samples.reshape(1, -1).astype(np.float64))
    return found.errors()[0]


def ratio_of(part: Samples, whole: Samples) -> tuple[float | None, float | None]:
    """For samples that are all in memory, the ratio of one figure's mean to another's, and its error."""
    found = Moments(2, pairs=[(0, 1)])
    found.add(np.stack([part.reshape(-1), whole.reshape(-1)]).astype(np.float64))
    return found.ratio(0, 1)
