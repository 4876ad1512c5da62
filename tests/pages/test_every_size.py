"""The table in every size of window, upright and sideways: nothing overflows, is covered, cut or hidden."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from browser import browsers, run_in_browser
from dealer_house import dealer_house
from held_table import Look, held_round, table_pages
from page_fit import WINDOWS, faults_in

pytestmark = pytest.mark.slow
IS_WHOLE = bool(os.environ.get("BACCARAT_PAGES"))
"""Whether every layout is looked at in both languages: `make pages`. Otherwise one of them, in English."""
LANGUAGES = ("en", "zh-Hant") if IS_WHOLE else ("en",)
SIDES = {"ma-midi-4": ("dragon_player", "dragon_banker", "house_money"), "ma-midi-4-ez": ("dragon7", "panda8")}
"""What is wagered on besides Banker and Tie: six areas at one table, eight at the other."""


@pytest.mark.parametrize("submission", SIDES if IS_WHOLE else ["ma-midi-4"])
def test_a_table_fits_every_window_while_one_wagers_peels_and_is_paid(submission: str, tmp_path: Path) -> None:
    async def work() -> None:
        wrong, faults = list[str](), list[str]()
        looks = [
            Look(is_touched, language, "dark" if is_touched else "light")
            for is_touched in (False, True)
            for language in LANGUAGES
        ]
        async with (
            dealer_house(tmp_path, submission) as house,
            browsers() as browser,
            table_pages(browser, house, looks, wrong) as pages,
        ):
            async for moment in held_round(house, [*pages.values()], SIDES[submission]):
                faults += [
                    f"{moment}, {look.language}, {fault}"
                    for window in WINDOWS
                    for look, page in pages.items()
                    if look.is_touched == window.is_touched
                    for fault in await faults_in(page, window)
                ]
        assert faults == []
        assert wrong == []

    run_in_browser(work())
