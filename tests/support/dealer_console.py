"""What a test does at the dealer's console: waits for an act, presses its key, reports what went wrong."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from playwright.async_api import Page, expect

from baccarat.table.role import Role
from browser import browsers, run_in_browser
from dealer_house import PATIENCE, DealerHouse, console, dealer_house

expect.set_options(timeout=PATIENCE)
Work = Callable[[DealerHouse, Page], Awaitable[None]]


def at_the_console(
    tmp_path: Path,
    work: Work,
    submission: str = "ma-midi-4",
    *,
    refused: str = "",
    behind: int = 14,
    **elections: Any,
) -> None:
    """A dealer at a console of a table whose shoe is ready; nothing goes wrong on the page.

    `refused` is a status that the browser's own console may tell of, `behind` where the cover card is.
    """

    async def inner() -> None:
        wrong: list[str] = []
        async with dealer_house(tmp_path, submission, **elections) as house, browsers() as browser:
            await house.open_shoe(behind=behind)
            await work(house, await console(browser, house, Role.DEALER, wrong))
        assert [each for each in wrong if not refused or refused not in each] == []

    run_in_browser(inner())


async def now(page: Page, act: str) -> None:
    """The act on the large button is this one."""
    await expect(page.locator("next-act .go-say")).to_have_text(act)


async def press(page: Page, act: str, keys: str = "Enter") -> None:
    """Wait until an act is next, and do it by its key."""
    await now(page, act)
    await page.keyboard.press(keys)


async def turn(page: Page, number: int, card: str) -> None:
    """Key a card and turn it."""
    await now(page, f"Turn card {number}")
    await page.keyboard.type(card)
    await page.keyboard.press("Enter")


async def choose(page: Page, what: str) -> None:
    """Pick what happened from the list of irregularities."""
    await page.keyboard.press("i")
    await page.locator(".what button").filter(has_text=what).click()


async def report(page: Page) -> None:
    """Report what was chosen, once its remedy is shown."""
    await expect(page.locator('next-act .go[aria-disabled="false"]')).to_have_text("Report it⏎")
    await page.keyboard.press("Enter")
    await expect(page.locator(".what")).to_have_count(0)


async def saw(house: DealerHouse, *names: str) -> None:
    """Surveillance finds these events last of their kinds in the journal, in this order, each with its clauses."""
    found = [event for event in await house.journal() if event["event"] in names][-len(names) :]
    assert [event["event"] for event in found] == list(names)
    assert all(event["cites"] for event in found)
