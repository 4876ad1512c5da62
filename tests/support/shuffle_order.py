"""Orders of shoes for the tests of the shuffle."""

from __future__ import annotations

from hypothesis import settings

steady = settings(derandomize=True, deadline=None, max_examples=60)
