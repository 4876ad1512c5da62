"""Means and their errors from sums and sums of squares: memory does not grow with the number of samples."""

from __future__ import annotations

import numpy as np

from baccarat.sim.study.table import Floats


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
