"""How long the campaigns of the tests are: the environment's BACCARAT_CAMPAIGN says how many times the usual.

1 in `make test`, 100 in `make soak`: seeds follow each other, so that a longer campaign begins with the shorter one.
"""

from __future__ import annotations

import os

CAMPAIGN = int(os.environ.get("BACCARAT_CAMPAIGN", "1"))


def times(count: int) -> int:
    """So many, times the length of the campaign."""
    return count * CAMPAIGN
