"""Houses that the tests of access share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from access_house import AccessHouse


@pytest.fixture
def practice() -> Iterator[AccessHouse]:
    """A practice house, of which anybody may be a visitor."""
    made = AccessHouse(is_practice=True)
    yield made
    made.close()
