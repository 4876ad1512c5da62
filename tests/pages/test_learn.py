"""The first lesson in the browser: without a clock, by keys alone, to the check of the shuffle, in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from browser import browsing, run_in_browser
from served import served

pytestmark = pytest.mark.slow
LATIN = re.compile(r"[A-Za-z]*[g-zG-Z][A-Za-z]+")
"""A word, and not the hexadecimal digits of a seal."""


async def take_lesson(page: Page, *, on: str) -> list[str]:
    """Walk through the lesson with the Enter key, betting on one hand; every title and text that was told."""
    told = list[str]()
    title, acts = page.locator("#learn-title"), page.locator("#learn-acts button")
    while True:
        await acts.first.wait_for()
        told.append(f"{await title.text_content()} {await page.locator('#learn-text').inner_text()}")
        if await acts.first.get_attribute("data-act") == "table":
            return told
        button = page.locator(f'#learn-acts [data-act="{on}"]')
        await (button if await button.count() else acts.first).focus()
        await page.keyboard.press("Enter")


def test_a_newcomer_learns_the_game_and_checks_the_shoe(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, company=0) as (live, address), browsing() as (page, wrong):
            await page.goto(address)
            await page.locator("#game summary").click()
            await page.locator('a[href="/learn"]').click()
            told = await take_lesson(page, on="banker")
            assert "Two hands, nearest to nine" in told[0]
            assert sum("Turn the cards" in each for each in told) == 3
            results = [each for each in told if each.startswith("The result")]
            assert len(results) == 3
            assert all(re.search(r"You (win|lose) \$|come back", each) for each in results)
            won = [each for each in results if "Banker wins" in each]
            assert all("less $5 vigorish" in each and "You win $95" in each for each in won)
            assert "all 416 cards of this shoe lay as they were sealed" in told[-1]
            assert "table lesson" not in live.house.journal.heads, "nothing of a lesson is stored"
            await page.keyboard.press("Enter")
            await expect(page).to_have_url(f"{address}/")
            assert wrong == []

    run_in_browser(work())


def test_the_lesson_is_in_chinese_and_a_forged_shoe_is_found_out(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, company=0) as (_live, address), browsing(width=390, height=844) as (page, wrong):
            await page.add_init_script("localStorage.setItem('language', 'zh-Hant')")

            async def forge(route: object) -> None:
                answer = await route.fetch()  # type: ignore[attr-defined]
                shown = await answer.json()
                shown["cards"][0]["card"] = "2c" if shown["cards"][0]["card"] != "2c" else "3c"
                await route.fulfill(response=answer, json=shown)  # type: ignore[attr-defined]

            await page.route("**/api/lessons/*/end", forge)
            await page.goto(f"{address}/learn")
            told = await take_lesson(page, on="player")
            assert [each for each in told if LATIN.search(each)] == []
            assert "牌與封印不符" in told[-1]
            assert await page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
            assert wrong == []

    run_in_browser(work())
