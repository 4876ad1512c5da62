"""The page of odds in a real browser: the figures are those of the program, with their plots."""

from __future__ import annotations

from pathlib import Path

import pytest

from baccarat.law.rulebook import rulebook
from baccarat.odds import odds
from baccarat.odds.show import line_rows, percent
from browser import browsing, run_in_browser
from look_at_page import findings
from served import served

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("width", "height", "theme"), [(1440, 900, "dark"), (390, 844, "light")])
def test_every_wager_has_its_pay_table_and_its_plots(width: int, height: int, theme: str, tmp_path: Path) -> None:
    async def work() -> None:
        async with (
            served(tmp_path) as (_live, address),
            browsing(width=width, height=height, theme=theme) as (page, wrong),
        ):
            for name in ("ma-midi-4", "nj-punto-banco-exempt"):
                await page.goto(f"{address}/odds/{name}")
                prices = list(odds(rulebook(name)))
                await page.locator(f"#{prices[-1].on.word} svg").wait_for()
                for price in prices:
                    panel = page.locator(f"#{price.on.word}")
                    assert percent(price.edge) in await panel.locator("header").inner_text()
                    cells = await panel.locator("tbody tr").all_inner_texts()
                    wanted = ["\t".join(row).replace("_", " ") for row in line_rows(price)]
                    assert cells == wanted
                assert await page.locator("#plots svg").count() >= 2
                assert await page.evaluate("() => document.documentElement.scrollWidth") <= width
            assert await findings(page) == []
            assert wrong == []
            await page.goto(f"{address}/rules")
            await page.get_by_role("link", name="Odds", exact=True).click()
            await page.wait_for_url("**/odds/ma-midi-1")
            await page.locator("#all tbody tr").first.wait_for()
            assert await page.locator("nav [aria-current]").inner_text() == "Odds"
            await page.goto(f"{address}/odds/nowhere")
            await page.get_by_role("alert").get_by_text("There is no").wait_for()

    run_in_browser(work())
