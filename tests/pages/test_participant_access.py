"""The participant's pages for everybody: axe finds nothing on them, in either theme, on a desk and on a phone."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import Page

from baccarat.client import Client
from browser import browsing, run_in_browser
from look_at_page import findings
from played import play_round
from served import served
from table_page import NAME, go_to_table, sit_with_chips, wagers_open

pytestmark = [pytest.mark.slow, pytest.mark.pages]


async def found_on(page: Page, address: str) -> dict[str, list[str]]:
    """What axe finds on each page, by what was looked at."""
    found: dict[str, list[str]] = {}
    await page.goto(address)
    await page.locator("#tables svg").first.wait_for()
    found["lobby"] = await findings(page)
    await page.goto(f"{address}/sign-on")
    await page.locator("form").wait_for()
    found["sign-on"] = await findings(page)
    await page.goto(f"{address}/round/{NAME}/1/1")
    await page.locator("#proof .holds").wait_for()
    found["round"] = await findings(page)
    await go_to_table(page, address)
    found["watching"] = await findings(page)
    await sit_with_chips(page, 5)
    await wagers_open(page)
    found["wagering"] = await findings(page)
    await page.keyboard.press("b")
    await page.keyboard.press("1")
    await page.keyboard.press("p")
    await page.locator("answer-line clause-tag").first.wait_for()
    found["refused"] = await findings(page)
    await page.locator("card-squeeze").first.wait_for()
    found["squeeze"] = await findings(page)
    return found


@pytest.mark.parametrize(("width", "height", "theme"), [(1440, 900, "light"), (390, 844, "dark")])
def test_axe_finds_nothing(width: int, height: int, theme: str, tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (_live, address), Client(address) as client:
            await client.visit()
            async with client.table(NAME) as table:
                await play_round(table, client)
        async with (
            served(tmp_path, betting_seconds=4.0, squeeze_seconds=15.0) as (_live, address),
            browsing(width=width, height=height, theme=theme) as (page, wrong),
        ):
            found = await found_on(page, address)
            assert {what: each for what, each in found.items() if each} == {}
            wide = await page.evaluate("() => document.documentElement.scrollWidth")
            assert wide <= width, "nothing hangs over the edge of the screen"
            assert wrong == []

    run_in_browser(work())
