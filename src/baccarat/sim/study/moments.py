"""What many samples come to: means and errors from sums, so that memory stays flat, and percentiles of paths."""

from __future__ import annotations

import numpy as np

from baccarat.sim.study.table import Floats, Integers

PERCENTILES = (5, 25, 50, 75, 95)


def by_percentile(paths: Integers) -> dict[int, list[int]]:
    """Of many paths, [path, point], the sums that so many percent of them do not exceed at each point."""
    found = np.percentile(paths, PERCENTILES, axis=0, method="inverted_cdf").astype(np.int64)
    return dict(zip(PERCENTILES, found.tolist(), strict=True))


class Moments:
    """Sums of several figures over samples that come block by block.

    Each block's squares are taken about the block's own mean and joined afterwards, so that a large mean with a small
    spread loses no digits.
    """

    def __init__(self, figures: int) -> None:
        self.samples = 0
        self.centre: Floats = np.zeros(figures)
        self.squares: Floats = np.zeros(figures)
        """About the centre."""

    def add(self, block: Floats) -> None:
        """A block: [figure, sample]."""
        more = block.shape[1]
        if not more:
            return
        centre = block.mean(axis=1)
        step, together = centre - self.centre, self.samples + more
        self.squares = (
            self.squares
            + np.square(block - centre[:, None]).sum(axis=1)
            + np.square(step) * (self.samples / together * more)
        )
        self.centre = self.centre + step * (more / together)
        self.samples = together

    def mean(self) -> Floats:
        """By figure."""
        return self.centre

    def error(self) -> Floats:
        """By figure: one standard error of the mean; two samples at least."""
        found: Floats = np.sqrt(self.squares / (self.samples - 1) / self.samples)
        return found
