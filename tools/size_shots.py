"""Pictures of the table in windows of every size: a round is held at each of its moments."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.async_api import Browser

from dealer_house import dealer_house
from held_table import Look, held_round, table_pages
from page_fit import WINDOWS

SIDES = ("dragon_player", "dragon_banker", "house_money")
SETTLED_MS = 250


async def size_pictures(browser: Browser, folder: Path, themes: list[str]) -> int:
    """Take the table's pictures, `table-MOMENT-WIDTHxHEIGHT-THEME.png`; returns how many scripts failed."""
    wrong = list[str]()
    looks = [Look(is_touched, "en", theme) for is_touched in (False, True) for theme in themes]
    with tempfile.TemporaryDirectory() as kept:
        async with dealer_house(Path(kept)) as house, table_pages(browser, house, looks, wrong) as pages:
            async for moment in held_round(house, [*pages.values()], SIDES):
                for window in WINDOWS:
                    for look, page in pages.items():
                        if look.is_touched != window.is_touched:
                            continue
                        await page.set_viewport_size({"width": window.width, "height": window.height})
                        await page.wait_for_timeout(SETTLED_MS)
                        name = f"table-{moment}-{window.width}x{window.height}-{look.theme}.png"
                        await page.screenshot(path=folder / name)
                print(f"the table in every size, {moment}: {'; '.join(wrong) or 'ok'}", flush=True)
    return len(wrong)
