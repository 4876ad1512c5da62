"""Long tests in a browser, marked `pages`, are left to `make pages`, which sets BACCARAT_PAGES."""

from __future__ import annotations

import os

import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without BACCARAT_PAGES the long tests are not selected."""
    if os.environ.get("BACCARAT_PAGES"):
        return
    left_out = [item for item in items if item.get_closest_marker("pages")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
