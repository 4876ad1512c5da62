"""A coupon in a real browser: its patron names its number, and it goes with the next wager."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import expect

from baccarat.client import command_id
from baccarat.house.coupon import CouponPlace
from baccarat.house.number_map import value_at
from baccarat.serve.live import HouseServer
from baccarat.table.role import Role
from browser import browsing, run_in_browser
from house_of_roles import expect as answered
from house_of_roles import sign_everybody_on
from served import served
from table_page import NAME, go_to_table, sit_with_chips, wagers_open

pytestmark = pytest.mark.slow

SEAT = 3


async def issue_to_seat(live: HouseServer, address: str) -> None:
    """Two persons of the house give the patron at the seat a coupon of $25.00 with the number 101."""
    house = await sign_everybody_on(live, address)
    patron = live.house.table(NAME).state.at(SEAT)
    assert patron is not None
    issue = {"do": "issue_coupons", "first": 101, "last": 101, "value": 2_500, "patron": patron.who}
    proposal, given = {"stream": "coupons", "command": issue}, {"Idempotency-Key": command_id()}
    made = (await answered(house, 201, "/api/proposals", proposal, Role.ADMINISTRATOR, given)).json
    await answered(house, 200, f"/api/proposals/{made['id']}/approval", {"seen": made["hash"]}, Role.CAGE_CASHIER)


def test_a_patron_names_the_number_of_a_coupon_and_it_goes_with_the_next_wager(tmp_path: Path) -> None:
    async def work() -> None:
        async with (
            served(tmp_path, betting_seconds=60) as (live, address),
            browsing(width=1440, height=900) as (page, wrong),
        ):
            await go_to_table(page, address)
            await sit_with_chips(page, SEAT)
            await issue_to_seat(live, address)
            await wagers_open(page)
            await page.get_by_role("button", name="Play a coupon").click()
            await page.get_by_label("Coupon number").fill("101")
            await page.get_by_label("Value in dollars").fill("25")
            await page.get_by_role("button", name="Play it").click()
            await page.get_by_text("Coupon 101 goes with your next wager").wait_for()
            await page.keyboard.press("3")
            await page.keyboard.press("p")
            await expect(page.locator("#purse dd").nth(1)).to_have_text("$25.00", timeout=15_000)
            await page.get_by_role("button", name="Play a coupon").wait_for()
            await live.house.writer.wait_until_flushed()
            held = value_at(live.house.state.coupons.presented, 101)
            assert held is not None
            assert (held.place, held.table, held.seat) == (CouponPlace.ON_TABLE, NAME, SEAT)
            assert wrong == []

    run_in_browser(work())
