"""The report of discretion in a real browser: a shoe that two persons gave up, as its two readers see it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from playwright.async_api import expect

from baccarat.client import command_id
from baccarat.table.role import Role
from browser import browsing, run_in_browser
from house_of_roles import expect as answered
from house_of_roles import sign_everybody_on
from watched_house import TABLE, Visited, visited

pytestmark = pytest.mark.slow

REASON = "the count favours the players"
STREAM = "table ma-midi-4"


async def give_up_a_shoe(here: Visited) -> None:
    """The floorperson asks for it and the casino supervisor approves it, after two rounds with wagers."""
    live = here.live
    house = await sign_everybody_on(live, here.address)
    state = live.house.table("ma-midi-4").state
    while state.step != "wager" or state.round.closed or state.round.wagers:
        await asyncio.sleep(0.02)
        state = live.house.table("ma-midi-4").state
    await live.jobs.stop_all()  # the table stands still
    assert state.is_on_record
    given = {"Idempotency-Key": command_id()}
    act = {"do": "abandon_shoe", "reason": REASON}
    refused = await answered(house, 409, f"{TABLE}/acts", act, Role.FLOORPERSON, given)
    assert "every person" in refused.json["detail"], "nobody does it alone"
    given = {"Idempotency-Key": command_id()}
    proposal = {"stream": STREAM, "command": act}
    made = (await answered(house, 201, "/api/proposals", proposal, Role.FLOORPERSON, given)).json
    approval = f"/api/proposals/{made['id']}/approval"
    await answered(house, 200, approval, {"seen": made["hash"]}, Role.CASINO_SUPERVISOR)
    await live.house.writer.wait_until_flushed()
    assert live.house.table("ma-midi-4").state.shoe.abandoned


@pytest.mark.parametrize("role", ["surveillance", "regulator"])
def test_a_shoe_that_was_given_up_stands_in_the_report_with_persons_reason_and_worth(tmp_path: Path, role: str) -> None:
    async def work() -> None:
        async with visited(tmp_path, rounds=2) as here, browsing(width=1440, height=900) as (page, wrong):
            await give_up_a_shoe(here)
            origin = {"Origin": here.address}
            came = await page.context.request.post(f"{here.address}/api/visit", data={"role": role}, headers=origin)
            assert came.ok, await came.text()
            await page.goto(f"{here.address}/watch/ma-midi-4#1/1/0")
            await expect(page.locator("#about")).to_contain_text("Round 1, shoe 1")
            await page.locator("#audit").click()
            await page.get_by_text("Nothing is wrong with table ma-midi-4.").wait_for()
            acts = page.locator("ul.judgements").first.locator("li")
            given_up = acts.filter(has_text=REASON)
            await expect(given_up).to_have_count(1)
            said = await given_up.inner_text()
            assert "floorperson" in said
            assert "supervisor" in said, "both persons are named"
            assert "to the participants" in said, "its worth stands there"
            assert await given_up.locator("clause-tag").count() > 0
            totals = await page.locator("ul.judgements").nth(1).inner_text()
            assert "1 act, 0 of others approved" in totals
            assert "0 acts, 1 of others approved" in totals
            assert wrong == []

    run_in_browser(work())
