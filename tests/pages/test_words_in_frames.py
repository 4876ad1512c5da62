"""Words travel in the frames: a page that is open asks the house for nothing while others act at its table."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.async_api import Page, Request, expect

from baccarat.table.role import Role
from browser import browsers, run_in_browser
from dealer_console import press, turn
from dealer_house import NAME, PATIENCE, SEAT, DealerHouse, console, dealer_house

pytestmark = pytest.mark.slow
expect.set_options(timeout=PATIENCE)


class Asked:
    """What a page asks the house for: addresses without those of pictures, scripts and words."""

    def __init__(self, page: Page) -> None:
        self.paths: list[str] = []
        page.on("request", self._note)

    def _note(self, request: Request) -> None:
        path = unquote(urlsplit(request.url).path)
        if path.startswith("/api/"):
            self.paths.append(f"{request.method} {path}")

    def take(self) -> list[str]:
        """What was asked for since the last time."""
        found, self.paths = self.paths, []
        return found


def test_a_round_is_followed_at_the_table_and_dealt_at_the_console_without_a_question(tmp_path: Path) -> None:
    async def work(house: DealerHouse, dealer: Page, table: Page) -> None:
        await expect(table.locator("dealer-call")).to_have_attribute("data-state", "open")
        asked = {"dealer": Asked(dealer), "table": Asked(table)}
        await house.wager(banker=2_500)
        await press(dealer, "I have called it")
        await expect(table.locator("dealer-call")).to_contain_text("no more bets")
        for number in (3, 4, 5, 6):
            await press(dealer, f"Draw card {number}")
        assert asked["dealer"].take() == asked["table"].take() == []
        await turn(dealer, 3, "6h")
        await turn(dealer, 5, "2d")
        await press(dealer, "I have called it")
        await expect(table.locator("dealer-call")).to_contain_text("Player 8")
        await press(dealer, f"Hand over to seat {SEAT}")
        await expect(dealer.locator("next-act")).to_contain_text(f"Waiting for Seat {SEAT}")
        await house.act(Role.PARTICIPANT, "return_cards", seat=SEAT)
        await turn(dealer, 4, "7s")
        await turn(dealer, 6, "2h")
        await press(dealer, "I have called it")
        await expect(dealer.locator(".say")).to_contain_text("Banker wins")
        previews = [f"POST /api/tables/{NAME}/outlook"] * 4
        assert asked["dealer"].take() == previews, "a card that is keyed is previewed"
        assert asked["table"].take() == []
        # Others act elsewhere: that comes by itself, too.
        await house.house.ask("POST", f"{house.path}/floor-call", role=Role.DEALER)
        await expect(dealer.locator("#notices")).to_contain_text("called")
        await house.house.ask("DELETE", f"{house.path}/floor-call", role=Role.FLOORPERSON)
        await expect(dealer.locator("#notices")).to_contain_text("floorperson one")
        assert asked["dealer"].take() == asked["table"].take() == []
        await press(dealer, "I have called it")

    async def inner() -> None:
        wrong: list[str] = []
        async with dealer_house(tmp_path) as house, browsers() as browser:
            await house.open_shoe()
            dealer = await console(browser, house, Role.DEALER, wrong)
            table = await (await browser.new_context()).new_page()
            await table.goto(f"{house.house.address}/table/{NAME}")
            await work(house, dealer, table)
        assert wrong == []

    run_in_browser(inner())
