"""A newcomer does the work of floor, office and cage in a practice house, alone, with a second window for the second
person."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

from baccarat.house.cage import tray_of
from baccarat.serve.live import HouseServer
from baccarat.serve.setting import FORMS_TRAINING, TRAINING
from browser import browsing, run_in_browser
from look_at_page import found_in_both_themes
from served import audited, served

pytestmark = pytest.mark.slow


async def choose_role(page: Page, role: str) -> None:
    jobs = page.locator(".jobs summary")  # a guest finds the roles there
    if await jobs.count():
        await jobs.click()
    async with page.expect_navigation():
        await page.locator("#role").select_option(role)
    await expect(page.locator("#role")).to_have_value(role)


async def approve(second: Page, *roles: str) -> None:
    """The person in the second window approves what waits, in the first of some roles that may."""
    if await second.locator("#role").input_value() not in roles:
        await choose_role(second, roles[0])
        await second.locator("#asks approval-card").wait_for()
    await second.locator("#asks").get_by_role("button", name="Approve as").click()
    await expect(second.locator("#asks")).to_contain_text("Nothing is waiting.")


async def propose(page: Page, table: str, act: str, chips: dict[str, str]) -> None:
    """An act of the cage at a table, proposed."""
    row = page.locator("#view tr").filter(has=page.get_by_role("rowheader", name=table, exact=True))
    await row.get_by_role("button", name=act, exact=True).click()
    sheet = page.get_by_role("dialog")
    for worth, number in chips.items():
        await sheet.get_by_label(f"Chips of {worth}").fill(number)
    await sheet.get_by_role("button", name="Propose").click()
    await sheet.locator("approval-card").wait_for()


async def order_a_fill(page: Page, live: HouseServer) -> Any:
    """As a floorperson, with the cashier in a second window, which the page offers."""
    sent = live.house.state.cage.sent[TRAINING]
    await page.get_by_role("button", name="Cage").click()
    rows = page.locator("#view tbody tr th")
    await expect(rows).to_have_text([TRAINING, FORMS_TRAINING])
    await propose(page, TRAINING, "Fill", {"$25.00": "40"})
    assert await found_in_both_themes(page) == []
    async with page.context.expect_page() as opened:
        await page.get_by_role("dialog").get_by_role("link", name="As cage cashier").click()
    second = await opened.value
    await expect(second.locator("#role")).to_have_value("cage cashier")
    await expect(second.locator(".bar")).to_contain_text("Second window")
    await second.locator("#asks approval-card").wait_for()
    await approve(second, "cage cashier")
    await expect(page.locator("#asks")).to_contain_text("Nothing is waiting.")
    assert live.house.state.cage.sent[TRAINING] == sent + 1_000_00
    await page.reload()
    await expect(page.locator("#role")).to_have_value("floorperson")
    return second


async def file_a_limit(page: Page, live: HouseServer, address: str) -> None:
    """As a casino supervisor, who also puts it in force."""
    await choose_role(page, "casino supervisor")
    await page.goto(f"{address}/office")
    await expect(page.locator("#filing-table")).to_have_value(TRAINING)
    most = page.locator("#option-limits").get_by_label("Banker, most", exact=True)
    await most.fill("$2,500.00")
    await expect(page.locator(".differences")).to_contain_text("$5,000 → $2,500")
    assert await found_in_both_themes(page) == []
    await page.get_by_role("button", name="File, effective immediately").click()
    await page.get_by_text("Filed, not in force yet").wait_for()
    await page.goto(f"{address}/floor")
    await page.locator("#orders").get_by_role("button", name="Adopt the filed rules").click()
    await page.get_by_role("dialog").get_by_role("button", name="Do it").click()
    await expect(page.get_by_role("dialog")).to_have_count(0)
    limits = live.house.state.rules(TRAINING).elections.limits
    assert limits is not None
    assert limits["banker"].max == 2_500_00


async def close_the_day(page: Page, second: Page, live: HouseServer) -> None:
    """Both trays are counted by two, then the supervisor closes the day and begins the next."""
    await page.get_by_role("button", name="Gaming day", exact=True).click()
    reasons = page.locator("#view .notice")
    await expect(reasons).to_contain_text("The tray of training has not been counted")
    await expect(reasons).not_to_contain_text("ma-midi")
    await page.get_by_role("button", name="Cage").click()
    for table in (TRAINING, FORMS_TRAINING):
        lies = live.house.state.ledger.cents(tray_of(table))
        await propose(page, table, "Count", {"$100.00": str(lies // 100_00)})
        await page.get_by_role("button", name="Leave it waiting").click()
        await approve(second, "floorperson", "pit boss")
    await page.get_by_role("button", name="Gaming day", exact=True).click()
    await page.get_by_role("button", name="Close the gaming day").click()
    await page.get_by_role("dialog").get_by_role("button", name="Do it").click()
    await expect(page.locator("#day")).to_contain_text("is closed")
    assert await found_in_both_themes(page) == []
    await page.get_by_role("button", name="Open the next day").click()
    await page.get_by_role("dialog").get_by_role("button", name="Do it").click()
    await expect(page.locator("#day")).to_contain_text("Gaming day 2, 12 tables")


def test_a_newcomer_fills_files_and_closes_the_day_with_a_second_window(tmp_path: Path) -> None:
    async def work() -> None:
        async with (
            served(tmp_path) as (live, address),
            browsing(width=1280, height=900) as (page, wrong),
        ):
            await page.goto(address)
            await page.locator("#role").wait_for(state="attached")
            await choose_role(page, "floorperson")
            await page.wait_for_url("**/floor")
            second = await order_a_fill(page, live)
            await file_a_limit(page, live, address)
            await close_the_day(page, second, live)
            assert wrong == []
            await live.house.writer.wait_until_flushed()
            audited(live, tmp_path)

    run_in_browser(work())
