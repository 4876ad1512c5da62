"""Short names of the shipped editions."""

from __future__ import annotations

from baccarat.law.edition import load_edition, shipped

ONE, TWO, THREE, FOUR, NJ = map(load_edition, shipped())


MASSACHUSETTS = (ONE, TWO, THREE, FOUR)


ALL = (*MASSACHUSETTS, NJ)
