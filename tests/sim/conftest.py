"""Long tests, marked `deep`, are left to `make deep`, which sets BACCARAT_CAMPAIGN."""

from __future__ import annotations

import pytest

from campaign import CAMPAIGN


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """In the shortest campaign the long tests are not selected."""
    if CAMPAIGN > 1:
        return
    left_out = [item for item in items if item.get_closest_marker("deep")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
