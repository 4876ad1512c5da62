"""Every act of every house in these tests is watched: it changes no figure of the day that is not its own."""

from __future__ import annotations

import pytest

from baccarat.house import house
from baccarat.house.state import Decision, HouseState, PricesByRulebook, apply_decision
from watched_figures import check_figures


@pytest.fixture(autouse=True)
def watched_acts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare the figures before and after each act."""

    def watched(before: HouseState, decision: Decision, prices: PricesByRulebook | None = None) -> HouseState:
        after = apply_decision(before, decision, prices)
        check_figures(before, decision, after)
        return after

    monkeypatch.setattr(house, "apply_decision", watched)
