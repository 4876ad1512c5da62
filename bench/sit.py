"""How long a newcomer waits for the first wager: from pressing *Sit* in the lobby until a wager is possible.

Run: .venv/bin/python bench/sit.py. Five newcomers come to one practice house with its default settings, each in a
browser of its own and after another time in the lobby; each buys chips and declines what is offered. Once more for a
table that nobody has looked at, by its address.
"""

from __future__ import annotations

import asyncio
import re
import statistics
import sys
import tempfile
import time
from pathlib import Path

from playwright.async_api import Browser, Page, async_playwright

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))

from baccarat.serve.setting import Setting  # noqa: E402
from browser import launch_browser  # noqa: E402
from served import served  # noqa: E402

STAYS = (1.0, 4.0, 9.0, 16.0, 27.0)
"""How long each looks around in the lobby, in seconds."""
DECLINES = re.compile("Decline|No, thank you")
DEFAULTS = Setting()
SETTINGS = {
    name: getattr(DEFAULTS, name)
    for name in ("pace", "betting_seconds", "squeeze_seconds", "answer_seconds", "company")
}  # fmt: skip


async def wait_for_wager(page: Page, began: float) -> float:
    """Buy chips, decline what is offered, and place a wager: after how many seconds the first was possible."""
    await page.get_by_role("button", name="$1,000 in chips").click()
    tray = page.locator("chip-tray:visible")
    while not await tray.count():
        for offer in await page.locator("due-act .button:visible", has_text=DECLINES).all():
            await offer.click(timeout=1_000)
        await asyncio.sleep(0.02)
    return time.monotonic() - began


async def from_lobby(browser: Browser, address: str, stay: float, table: int) -> float:
    """One newcomer who looks around for a while."""
    context = await browser.new_context(viewport={"width": 1280, "height": 800})
    page = await context.new_page()
    await page.goto(address)
    sit = page.locator("lobby-card .go .main").nth(table)
    await sit.wait_for()
    await asyncio.sleep(stay)
    began = time.monotonic()
    await sit.click()
    found = await wait_for_wager(page, began)
    await context.close()
    return found


async def by_address(browser: Browser, address: str, table: str) -> float:
    """One newcomer who opens a table and sits down there: its shoe is not prepared yet."""
    context = await browser.new_context(viewport={"width": 1280, "height": 800})
    page = await context.new_page()
    await page.goto(f"{address}/table/{table}")
    sit = page.get_by_role("button", name="Sit at seat 1", exact=True)
    await sit.wait_for()
    began = time.monotonic()
    await sit.click()
    found = await wait_for_wager(page, began)
    await context.close()
    return found


async def main() -> None:
    """Measure and print."""
    async with async_playwright() as player:
        browser = await launch_browser(player)
        with tempfile.TemporaryDirectory() as folder:
            async with served(Path(folder), **SETTINGS) as (_live, address):
                first = await by_address(browser, address, "ma-midi-3")
                found = [
                    await from_lobby(browser, address, stay, table) for table, stay in enumerate(STAYS)
                ]  # fmt: skip
        await browser.close()
    for stay, seconds in zip(STAYS, found, strict=True):
        print(f"after {stay:4.0f} s in the lobby: {seconds:5.2f} s from Sit to the first possible wager")
    print(f"median of {len(found)}: {statistics.median(found):.2f} s")
    print(f"at a table that nobody has looked at, by its address: {first:.2f} s")


if __name__ == "__main__":
    asyncio.run(main())
