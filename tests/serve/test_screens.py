"""Sixty screens and twelve newcomers behind one address: whoever plays, deals, looks on, oversees or comes meets no
limit."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from many_screens import Evening, StrictBudgets, hurried
from newcomers import NEWCOMERS, newcomers
from served import run_for, served

pytestmark = pytest.mark.slow

SPEED = 40.0
SHARE = 0.05
"""The share of the usual budget: screens that asked for words after every act would empty it."""
MINUTES = 5


def test_sixty_screens_and_twelve_newcomers_behind_one_address_meet_no_limit_in_five_minutes_of_play(
    tmp_path: Path,
) -> None:
    """The minutes are those of play at the usual pace. The screens are visitors' and share the budget of their address,
    with twelve people who come meanwhile, at even intervals: six visit, six set a password by a link and sign on."""

    async def work() -> None:
        async with served(tmp_path, **hurried(SPEED)) as (live, address):
            async with Evening(address, speed=SPEED).begun() as evening:
                answers = evening.answers
                assert answers.statuses[429] == 0, "sixty who come"
                assert len(evening.screens()) == 60
                came = await newcomers(live, evening)
                coming = list(came)
                budgets = StrictBudgets(live, share=SHARE)
                while budgets.clock() < 60 * MINUTES and not budgets.limits_met:
                    if coming and budgets.clock() > 60 * MINUTES * (1 - len(coming) / NEWCOMERS):
                        evening.group.create_task(coming.pop().run())
                    await asyncio.sleep(0.05)
                for each in coming:  # on a busy machine the clock may have passed the time of the last ones
                    evening.group.create_task(each.run())
                for each in came if not budgets.limits_met else []:
                    await each.has_come.wait()
                minutes, left = budgets.clock() / 60, budgets.least_left
                budgets.end()
            report = (
                f"after {minutes:.1f} minutes {left:.0f} is left: {answers.requests} requests, {answers.statuses}; "
                f"{answers.paths.most_common()}, {answers.refused}"
            )
            assert not budgets.limits_met, report
            assert answers.statuses.keys() <= {200, 201}, report
            assert not any(path.endswith(("/moment", "/work")) for path in answers.paths), report
            assert answers.paths["GET /api/me/acts"] == 10, "once for each screen of the floor"
            assert answers.acts > 60, "participants wager, and the dealer deals"
            assert answers.paths["POST /api/password"] == NEWCOMERS // 2
            assert answers.paths["POST /api/session"] == NEWCOMERS // 2
            assert answers.paths["POST /api/visit"] == 60 + NEWCOMERS // 2
            assert live.house.state.tables["training"].round.number > 2, "dealt by what the frames say"

    run_for(work())
