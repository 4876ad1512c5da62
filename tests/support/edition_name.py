"""Short names of the shipped editions."""

from __future__ import annotations

from baccarat.law.edition import load_edition, shipped_editions

ONE, TWO, THREE, FOUR, NJ = map(load_edition, shipped_editions())


MASSACHUSETTS = (ONE, TWO, THREE, FOUR)


ALL = (*MASSACHUSETTS, NJ)
