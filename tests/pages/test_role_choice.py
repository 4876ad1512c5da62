"""Another role in a practice house: first it is said what is left behind, even in another tab; then its page comes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from browser import browsing
from served import run_for, served
from table_page import NAME, PATIENCE, go_to_table, sit_with_chips

pytestmark = pytest.mark.slow


async def choose(page: Page, role: str) -> None:
    """Choose a role in the bar."""
    await page.locator("#role").select_option(role)


def test_a_seat_in_another_tab_is_named_before_a_role_is_changed_and_that_tab_says_what_happened(
    tmp_path: Path,
) -> None:
    async def work() -> None:
        async with served(tmp_path, betting_seconds=30.0) as (_live, address), browsing() as (page, _wrong):
            expect.set_options(timeout=PATIENCE)
            await go_to_table(page, address)
            await sit_with_chips(page)
            other = await page.context.new_page()
            other.set_default_timeout(PATIENCE)
            await other.goto(address)
            await choose(other, "dealer")
            asked = other.get_by_role("dialog")
            await expect(asked).to_contain_text(re.compile(rf"seat \d+ of {NAME} with \$1,000.00"))
            await asked.get_by_role("button", name="Stay").click()
            await expect(other.locator("#role")).to_have_value("participant")
            await choose(other, "dealer")
            await asked.get_by_role("button", name="Leave them").click()
            await other.wait_for_url("**/dealer/training")
            await expect(page.locator("dealer-call")).to_contain_text("In another tab you have come in anew, as dealer")
            await expect(page.locator("main")).not_to_contain_text("Coming back")
            await page.get_by_role("button", name="Go on in that role").click()
            await expect(page.locator("#role")).to_have_value("dealer")

    run_for(work())


def test_each_role_comes_to_its_own_page_and_the_lobby_leads_a_dealer_to_the_console(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (_live, address), browsing() as (page, wrong):
            page.set_default_timeout(PATIENCE)
            expect.set_options(timeout=PATIENCE)
            await page.goto(address)
            for role, path in (("floorperson", "/floor"), ("surveillance", "/watch"), ("participant", "/")):
                await choose(page, role)
                await page.wait_for_url(f"{address}{path}")
                await expect(page.locator("#role")).to_have_value(role)
            await choose(page, "dealer")
            await page.wait_for_url(f"{address}/dealer/training")
            await page.goto(address)
            await expect(page.locator("#tables .go .main:visible")).to_have_text(["To the console"])
            await page.goto(f"{address}/table/training")
            await page.locator("#instead").get_by_role("link", name="To the console").click()
            await page.wait_for_url(f"{address}/dealer/training")
            assert wrong == []

    run_for(work())
