"""The cards of a file of rounds, unpacked."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def unpack_cards(packed: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """[card, row]: the ranks, by number, of the column `cards` of a file; 15 where there is none."""
    return np.stack([(packed >> np.uint32(4 * k) & np.uint32(15)).astype(np.uint8) for k in range(6)])
