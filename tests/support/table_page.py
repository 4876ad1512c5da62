"""A person at the table page: sits down, gets chips, wagers, turns cards."""

from __future__ import annotations

from contextlib import suppress

from playwright.async_api import Error, Page, expect

NAME = "ma-midi-4"
PATIENCE = 60_000


async def go_to_table(page: Page, address: str, table: str = NAME) -> None:
    """Open a table, and wait until its felt lies there."""
    page.set_default_timeout(PATIENCE)
    expect.set_options(timeout=PATIENCE)
    await page.goto(f"{address}/table/{table}")
    await page.locator("bac-felt .seat").first.wait_for(state="attached")


async def sit_with_chips(page: Page, seat: int = 3) -> None:
    """Sit down, and change play money into chips."""
    await page.get_by_role("button", name=f"Sit at seat {seat}", exact=True).click()
    await page.get_by_role("button", name="$1,000 in chips").click()
    await expect(page.locator("#purse dd").first).to_have_text("$1,000.00")


async def wagers_open(page: Page) -> None:
    """Wait until wagers are taken."""
    await expect(page.locator("dealer-call")).to_have_attribute("data-state", "open")
    await page.locator("chip-tray").wait_for()


async def turn_whatever_is_mine(page: Page, until: str) -> None:
    """Turn all cards that come to oneself until something is in the page."""
    turn = page.locator("squeeze-panel:visible .foot .main")
    while not await page.locator(until).count():
        if await turn.count():
            with suppress(Error):  # the cards may have been turned meanwhile, and the panel is hidden
                await turn.first.click(timeout=2_000, no_wait_after=True, force=True)
        await page.wait_for_timeout(50)
