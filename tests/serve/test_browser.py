"""The pages in a real browser: a newcomer finds a table, sits down and plays a round."""

from __future__ import annotations

from pathlib import Path

import pytest

from browser import browsing
from served import audited, run_for, served

pytestmark = pytest.mark.slow
PATIENCE = 30_000


@pytest.mark.parametrize(("width", "height", "theme"), [(1280, 800, "light"), (390, 844, "dark")])
def test_a_newcomer_plays_a_round(width: int, height: int, theme: str, tmp_path: Path) -> None:
    async def work() -> None:
        async with (
            served(tmp_path, betting_seconds=1.0, pace=0.3) as (live, address),
            browsing(width=width, height=height, theme=theme) as (page, wrong),
        ):
            page.set_default_timeout(PATIENCE)
            await page.goto(address)
            await page.get_by_role("listitem").filter(has_text="ma-midi-4").first.wait_for()
            await page.goto(f"{address}/table/ma-midi-4")
            await page.get_by_role("button", name="Sit at seat 3").click()
            await page.get_by_role("button", name="$1,000 of play money").click()
            await page.get_by_text("Seat 3: $1,000.00 in chips").wait_for()
            await page.locator("#acts button:not([disabled])").first.wait_for()
            await page.get_by_role("button", name="banker", exact=True).click()
            await page.locator("#events li").filter(has_text="wager placed").first.wait_for()
            await page.locator("#banker li:not(.down)").nth(1).wait_for()
            await page.locator("#events li").filter(has_text="result announced").first.wait_for()
            wide = await page.evaluate("() => document.documentElement.scrollWidth")
            assert wide <= width, "nothing hangs over the edge of the screen"
            assert wrong == []
            await live.house.writer.settled()
            audited(live, tmp_path)

    run_for(work(), 120)


def test_a_page_goes_on_by_itself_after_the_house_was_closed_and_opened_again(tmp_path: Path) -> None:
    async def work() -> None:
        async with browsing() as (page, _wrong):
            page.set_default_timeout(PATIENCE)
            async with served(tmp_path) as (_live, address):
                port = int(address.rpartition(":")[2])
                await page.goto(f"{address}/table/ma-midi-4")
                await page.get_by_role("button", name="Sit at seat 3").click()
                await page.get_by_text("Seat 3: $0.00 in chips").wait_for()
            await page.get_by_text("coming back").wait_for()
            async with served(tmp_path, listen=port):
                await page.get_by_text("at the table").wait_for()
                await page.get_by_role("button", name="$1,000 of play money").click()
                await page.get_by_text("Seat 3: $1,000.00 in chips").wait_for()

    run_for(work(), 120)
