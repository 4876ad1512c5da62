"""The lobby in a browser: tables by their titles, alive while somebody looks, and a seat from which one can wager."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.async_api import expect

from baccarat.serve.setting import TRAINING
from baccarat.table.seating_acts import Sat
from baccarat.table.step.opening import CardsPrepared
from baccarat.table.step.wagering import WagerPlaced
from browser import browsing, run_in_browser
from served import served
from table_page import NAME, PATIENCE

pytestmark = pytest.mark.slow

FILE_NAME = re.compile("ma-midi|nj-punto|[0-9a-f]{8}")
MOST_EVENTS = 60
"""How many events may lie between a person's sitting down and the first wager of that person: the rest of a round, and
the wagers of company in the next."""


def test_a_guest_finds_a_living_table_by_its_title_and_can_soon_wager_there(tmp_path: Path) -> None:
    async def work() -> None:
        async with (
            served(tmp_path, company=3, pace=0.05, betting_seconds=20.0, answer_seconds=10.0) as (live, address),
            browsing(width=1440, height=900) as (page, wrong),
        ):
            page.set_default_timeout(PATIENCE)
            expect.set_options(timeout=PATIENCE)
            await page.goto(address)
            card = page.locator(f'[data-table="{NAME}"]')
            await expect(card.locator("h2")).to_have_text("Midi Baccarat, 5 % commission")
            await expect(card).to_contain_text("Massachusetts · fourth edition · Table 5")
            await expect(card).to_contain_text("less 5 % commission in steps of $0.25")
            await expect(page.locator("#game li")).to_have_count(3)
            await expect(page.locator("#count")).to_have_text(f"{len(live.rooms)} tables")
            assert not FILE_NAME.search(await page.locator("body").inner_text()), (
                "file names and hashes are for the office"
            )
            await expect(page.locator("#role")).to_be_hidden()
            # What moves: the road grows, and automated seats are marked as such.
            await expect(card.locator(".free")).to_contain_text("automated")
            await expect(card.locator(".counts .last .disc")).to_have_count(1)
            await expect(page.locator(f'[data-table="{TRAINING}"] .free')).to_have_text("9 free")
            # Followed tables stand in a strip, also after a reload.
            await card.get_by_role("button", name="Follow Midi Baccarat").click()
            await page.reload()
            await expect(page.locator("table-strip li")).to_have_count(1)
            await expect(page.locator("table-strip li .disc").first).to_be_visible()
            await page.get_by_role("button", name="Stop following Midi Baccarat").click()
            await expect(page.locator("table-strip")).to_be_hidden()
            # Filters by limits.
            await page.get_by_label("I wager").select_option("500")
            await expect(page.locator("#none")).to_contain_text("No table fits")
            await page.get_by_label("I wager").select_option("2500")
            await expect(page.locator("#count")).to_have_text(f"{len(live.rooms)} tables")
            # To a seat, and to a wager; a key that can do nothing says why.
            await card.get_by_role("link", name="Sit at Midi Baccarat").click()
            await page.get_by_role("button", name="$1,000 in chips").wait_for()
            await page.keyboard.press("b")
            await expect(page.locator("#answer")).to_contain_text("You have no chips yet")
            await page.get_by_role("button", name="$1,000 in chips").click()
            await page.locator("chip-tray").wait_for()
            await page.keyboard.press("b")
            await expect(page.locator("#purse dd").nth(1)).to_have_text("$25.00")
            await expect(page.locator(".bar nav [aria-current]")).to_have_count(0)
            await expect(page.locator("#order")).to_contain_text("automated: a program of the house plays there")
            assert not FILE_NAME.search(await page.locator("body").inner_text())
            # No shoe was prepared meanwhile, and nobody had to sit through many rounds.
            log = live.house.table(NAME).log
            own = [event for event in log if isinstance(event, Sat | WagerPlaced) and event.seat == 1]
            between = log[log.index(own[0]) : log.index(own[-1])]
            assert not [event for event in between if isinstance(event, CardsPrepared)]
            assert len(between) <= MOST_EVENTS
            assert wrong == []

    run_in_browser(work())


def test_the_sign_over_a_table_shows_it_to_nobody_in_particular(tmp_path: Path) -> None:
    """No session is made for it, and nobody plays because of it."""

    async def work() -> None:
        async with served(tmp_path, company=3) as (live, address), browsing(width=1920, height=1080) as (page, wrong):
            expect.set_options(timeout=PATIENCE)
            await page.goto(f"{address}/sign/ma-midi-4-royal9?theme=dark")
            await expect(page.locator("h1")).to_have_text("Midi Baccarat, Royal 9, Must Hit jackpot, 5 % commission")
            await expect(page.locator("#limits")).to_contain_text(re.compile(r"\$25.*\$5,000"))
            await expect(page.locator("#last")).to_have_text("new shoe")
            await expect(page.locator("#meters dd")).to_have_count(4)
            await expect(page.locator("#roads svg")).to_have_count(5)
            assert await page.evaluate("document.documentElement.dataset.theme") == "dark"
            assert live.store.read("select count(*) from session")[0][0] == 0
            assert not live.rooms.lobby.is_visited
            live.rooms.visit_lobby()
            await expect(page.locator("#last .won")).to_have_text(re.compile("wins|Tie"))
            await expect(page.locator("#last .counted b")).to_have_count(2)
            size = "(({ scrollWidth, scrollHeight }) => [scrollWidth, scrollHeight])(document.documentElement)"
            assert await page.evaluate(size) == [1920, 1080], "a television does not scroll"
            assert wrong == []

    run_in_browser(work())
