"""Words travel in the frames: a page that is open asks the house for nothing while others act at its table."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.async_api import Browser, Page, Request, expect

from baccarat.serve.route.requester import COOKIE
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


async def page_of(browser: Browser, house: DealerHouse, role: Role, wrong: list[str]) -> Page:
    """A page in which somebody in a role is signed on."""
    context = await browser.new_context()
    await context.add_cookies([{"name": COOKIE, "value": house.house.tokens[role], "url": house.house.address}])
    page = await context.new_page()
    page.on("pageerror", lambda error: wrong.append(str(error)))
    return page


def test_a_round_is_followed_at_the_table_and_dealt_at_the_console_without_a_question(tmp_path: Path) -> None:
    async def work(house: DealerHouse, dealer: Page, table: Page, floor: Page) -> None:
        await expect(table.locator("dealer-call")).to_have_attribute("data-state", "open")
        orders = floor.locator("#orders-list button.order")
        await expect(orders.first).to_be_visible()
        before = await orders.all_inner_texts()
        asked = {"dealer": Asked(dealer), "table": Asked(table), "floor": Asked(floor)}
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
        await expect(orders.filter(has_text="Relinquish")).to_have_count(1)
        assert "Relinquish" not in "".join(before), "the orders are those of now"
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
        assert asked["dealer"].take() == asked["table"].take() == asked["floor"].take() == []
        await press(dealer, "I have called it")

    async def inner() -> None:
        wrong: list[str] = []
        async with dealer_house(tmp_path) as house, browsers() as browser:
            await house.open_shoe()
            dealer = await console(browser, house, Role.DEALER, wrong)
            table = await (await browser.new_context()).new_page()
            await table.goto(f"{house.house.address}/table/{NAME}")
            floor = await page_of(browser, house, Role.FLOORPERSON, wrong)
            await floor.goto(f"{house.house.address}/floor")
            await work(house, dealer, table, floor)
        assert wrong == []

    run_in_browser(inner())
