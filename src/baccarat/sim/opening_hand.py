"""Opening hands counted: the counters of a kernel in the order of a tally."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from baccarat.odds.royal9 import OTHER
from baccarat.sim.plan import OPENING_HANDS, royal_hand


def opening_hands(royals: NDArray[Any], rounds: int) -> NDArray[np.int64]:
    """By Player's hand · 49 + Banker's; the kernels count only rounds with a Royal 9, by their own code."""
    order = [royal_hand(code) for code in range(OPENING_HANDS)]
    table = np.zeros((OPENING_HANDS, OPENING_HANDS), np.int64)
    table[np.ix_(order, order)] = royals.reshape(OPENING_HANDS, OPENING_HANDS)
    table[OTHER, OTHER] += rounds - table.sum()
    return table.reshape(-1)
