"""Sixty screens behind one address: whoever plays, deals, looks on or oversees meets no limit."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from many_screens import Evening, StrictBudgets, hurried
from served import run_for, served

pytestmark = pytest.mark.slow

SPEED = 40.0
SHARE = 0.02
"""The share of the usual budget: the test notices if screens ask for much less than would be refused in a house."""
MINUTES = 5


@pytest.mark.parametrize("asks", [False, True])
def test_sixty_screens_behind_one_address_meet_no_limit_unless_they_ask_after_every_act(
    asks: bool, tmp_path: Path
) -> None:
    """Five minutes of play, by the usual pace. All are visitors and share the budget of their address.

    Screens that ask for words after every act, as the pages did, are refused under the same budget.
    """

    async def work() -> None:
        async with served(tmp_path, **hurried(SPEED)) as (live, address):
            async with Evening(address, speed=SPEED, asks=asks).begun() as evening:
                answers = evening.answers
                assert answers.statuses[429] == 0, "sixty who come"
                assert len(evening.screens()) == 60
                before = answers.requests
                budgets = StrictBudgets(live, share=SHARE)
                while budgets.clock() < 60 * MINUTES and not budgets.limits_met:
                    await asyncio.sleep(0.05)
                minutes, left = budgets.clock() / 60, budgets.least_left
                asked = answers.requests - before
            report = (
                f"after {minutes:.1f} minutes {left:.0f} is left: {asked} requests, {answers.statuses[429]} refused; "
                f"{answers.paths.most_common()}, {answers.refused}"
            )
            assert bool(budgets.limits_met) == asks, report
            assert answers.statuses.keys() <= {200, 201, 304, 429}, answers.statuses
            words = sum(count for path, count in answers.paths.items() if path.endswith(("/moment", "/work")))
            orders = answers.paths["GET /api/me/acts"]
            assert bool(words) == asks, report
            assert (orders > 10) == asks, "once for each screen of the floor"
            assert answers.acts > 60, "participants wager, and the dealer deals"
            if not asks:
                assert live.house.state.tables["training"].round.number > 3, "dealt by what the frames say"

    run_for(work())
