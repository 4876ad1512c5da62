"""The table in every size of window, upright and sideways: nothing overflows, is covered, cut or hidden."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from playwright.async_api import Browser, Page, expect

from baccarat.serve.route.requester import COOKIE
from baccarat.table.role import Role
from browser import browsers, run_in_browser
from dealer_house import SEAT, DealerHouse, dealer_house
from page_fit import WINDOWS, faults_in

pytestmark = pytest.mark.slow
IS_WHOLE = bool(os.environ.get("BACCARAT_PAGES"))
"""Whether every layout is looked at in both languages: `make pages`. Otherwise a sample that covers each of them."""
LANGUAGES = ("en", "zh-Hant")


@asynccontextmanager
async def table_pages(
    browser: Browser, house: DealerHouse, wrong: list[str], languages: tuple[str, ...]
) -> AsyncIterator[dict[tuple[bool, str], Page]]:
    """The table in windows that are touched and that are not, in each language, the latter in the dark."""
    async with AsyncExitStack() as stack:
        pages = dict[tuple[bool, str], Page]()
        for is_touched in (False, True):
            for language in languages:
                theme: Any = "dark" if is_touched else "light"
                context = await browser.new_context(
                    has_touch=is_touched, is_mobile=is_touched, color_scheme=theme, reduced_motion="reduce"
                )
                stack.push_async_callback(context.close)
                await context.add_init_script(f"localStorage.setItem('language', '{language}')")
                token = house.house.tokens[Role.PARTICIPANT]
                await context.add_cookies([{"name": COOKIE, "value": token, "url": house.house.address}])
                page = pages[is_touched, language] = await context.new_page()
                page.on("pageerror", lambda error: wrong.append(str(error)))
                await page.goto(f"{house.house.address}/table/{quote(house.name)}")
                await page.locator("bac-felt .seat").first.wait_for(state="attached")
        yield pages


async def faults_of_all(pages: dict[tuple[bool, str], Page], moment: str) -> list[str]:
    """What does not fit in any window at one moment of a round."""
    return [
        f"{moment}, {language}, {fault}"
        for window in WINDOWS
        for (is_touched, language), page in pages.items()
        if is_touched == window.is_touched
        for fault in await faults_in(page, window)
    ]


async def deal_to_the_squeeze(house: DealerHouse) -> None:
    """Deal until the participant has cards to turn."""
    while True:
        work = await house.work()
        waited = [each["act"] for each in work["waiting"]]
        if "return_cards" in waited:
            return
        if work["acts"]:
            await house.press(card="6h" if work["acts"][0]["fields"] else None)
        else:
            await house.act(Role.PARTICIPANT, waited[0], seat=SEAT)


ALL_THAT_LIES = {"ma-midi-4": ("dragon_player", "dragon_banker", "house_money"), "ma-midi-4-ez": ("dragon7", "panda8")}


@pytest.mark.parametrize("submission", ["ma-midi-4", *(["ma-midi-4-ez"] if IS_WHOLE else [])])
def test_a_table_fits_every_window_while_one_wagers_peels_and_is_paid(submission: str, tmp_path: Path) -> None:
    async def work() -> None:
        wrong, faults = list[str](), list[str]()
        async with (
            dealer_house(tmp_path, submission) as house,
            browsers() as browser,
            table_pages(browser, house, wrong, LANGUAGES if IS_WHOLE else ("en",)) as pages,
        ):
            faults += await faults_of_all(pages, "before anybody sits")
            await house.open_shoe()
            await house.wager(banker=22_500, tie=2_500, **dict.fromkeys(ALL_THAT_LIES.get(submission, ()), 500))
            for page in pages.values():
                await expect(page.locator("#purse dd").nth(1)).not_to_have_text("$0.00")
            faults += await faults_of_all(pages, "wagering")
            await deal_to_the_squeeze(house)
            for page in pages.values():
                await page.locator("squeeze-panel .foot .main").wait_for()
                await page.evaluate(TWO_TO_PEEL)
            faults += await faults_of_all(pages, "peeling")
            await house.act(Role.PARTICIPANT, "return_cards", seat=SEAT)
            await house.play_to("clear_table", cards="2c 4d 3h 2s")
            for page in pages.values():
                await expect(page.locator("#banker .note, #player .note").last).not_to_be_empty()
            faults += await faults_of_all(pages, "paid")
        assert faults == []
        assert wrong == []

    run_in_browser(work())


TWO_TO_PEEL = """() => {
  const panel = document.querySelector("squeeze-panel");
  panel.cards.replaceChildren(...["8s", "Kh"].map((code) => {
    const card = document.createElement("card-squeeze");
    card.card = code;
    return card;
  }));
  panel.classList.remove("unseen-cards");
  for (const [index, key] of ["ArrowUp", "ArrowRight"].entries())
    for (let times = 0; times < 6; times++)
      panel.cards.children[index].dispatchEvent(new KeyboardEvent("keydown", { key }));
}"""
"""The house does not know real cards before they are turned: the page is given two."""
