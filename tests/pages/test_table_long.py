"""The table page at length: a connection lost at every step, two hundred rounds, the keyboard alone, a phone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import CDPSession, Page, expect

from baccarat.client import Client
from baccarat.serve.fanout.message import Bye
from browser import browsing, run_in_browser
from playing import play_rounds, sit_down
from served import served
from table_page import NAME, go_to_table, sit_with_chips, turn_whatever_is_mine, wagers_open

pytestmark = [pytest.mark.slow, pytest.mark.pages]
DECIDED = ".bet.win, .bet.lose, .bet.push"


async def used(session: CDPSession) -> dict[str, int]:
    """Bytes of the page's memory and its nodes, after the garbage is gone."""
    await session.send("HeapProfiler.collectGarbage")
    heap: dict[str, Any] = await session.send("Runtime.getHeapUsage")
    counted: dict[str, Any] = await session.send("Memory.getDOMCounters")
    return {"bytes": int(heap["usedSize"]), "nodes": counted["nodes"], "listeners": counted["jsEventListeners"]}


def test_two_hundred_rounds_do_not_fill_the_memory(tmp_path: Path) -> None:
    async def work() -> None:
        async with (
            served(tmp_path, pace=0.005) as (_live, address),
            Client(address) as client,
            browsing() as (page, wrong),
        ):
            await client.visit()
            await go_to_table(page, address)
            session = await page.context.new_cdp_session(page)
            async with client.table(NAME) as table:
                await sit_down(client, table)
                await play_rounds(table, 30)
                before = await used(session)
                await play_rounds(table, 200)
                await page.wait_for_timeout(500)
                after = await used(session)
            assert after["bytes"] < before["bytes"] + 2_000_000, (before, after)
            assert after["nodes"] < before["nodes"] * 1.5 + 500, (before, after)
            assert after["listeners"] < before["listeners"] * 1.5 + 100, (before, after)
            assert wrong == []

    run_in_browser(work(), 600)


def test_a_connection_lost_at_every_step_of_a_round_loses_nothing(tmp_path: Path) -> None:
    async def work() -> None:
        settings: dict[str, Any] = {"pace": 0.4, "betting_seconds": 2.0, "squeeze_seconds": 15.0}
        async with served(tmp_path, **settings) as (live, address), browsing() as (page, wrong):
            await go_to_table(page, address)
            await sit_with_chips(page)
            await wagers_open(page)
            await page.keyboard.press("b")
            await expect(page.locator("bac-felt .bet")).to_have_count(1)
            room, cut_at = live.rooms[NAME], set[str]()
            while room.state.round.number == 1:
                if room.state.step not in cut_at:
                    cut_at.add(room.state.step)
                    for guest in list(room.guests):
                        guest.line.end(Bye(why="closing", say="The line ends."))
                    await expect(page.locator("dealer-call")).not_to_have_attribute("data-state", "lost")
                if await page.locator("squeeze-panel:visible .foot .main").count():
                    await page.locator("squeeze-panel .foot .main").click(force=True)
                await page.wait_for_timeout(60)
            assert {"wager", "deal", "turn_player", "turn_banker", "settle"} <= cut_at
            await wagers_open(page)
            chips = room.state.seats.participants[2]
            assert chips is not None
            await expect(page.locator("#purse dd").first).to_have_text(f"${chips.chips / 100:,.2f}")
            assert wrong == []

    run_in_browser(work(), 300)


async def tab_to(page: Page, selector: str) -> None:
    """Go on by the tabulator until something has the focus."""
    for _ in range(80):
        await page.keyboard.press("Tab")
        if await page.evaluate(f"() => document.activeElement.matches({selector!r})"):
            return
    raise AssertionError(f"the tabulator never comes to {selector}")


def test_a_whole_round_by_the_keyboard_alone(tmp_path: Path) -> None:
    async def work() -> None:
        settings: dict[str, Any] = {"pace": 0.25, "betting_seconds": 4.0, "squeeze_seconds": 15.0}
        async with served(tmp_path, **settings) as (_live, address), browsing() as (page, wrong):
            await page.goto(address)
            await page.locator("#tables a").first.wait_for()
            await tab_to(page, 'a[aria-label^="Sit at"][aria-label$=", Table 5"]')
            await page.keyboard.press("Enter")
            await page.get_by_role("button", name="$1,000 in chips").wait_for()
            await tab_to(page, "#instead .button.main")
            await page.keyboard.press("Enter")
            await wagers_open(page)
            await tab_to(page, 'bac-felt .area[role="button"]')
            await page.keyboard.press("Enter")
            await expect(page.locator("bac-felt .bet")).to_have_count(1)
            while not await page.locator(DECIDED).count():
                if await page.evaluate("() => document.activeElement.localName") == "card-squeeze":
                    await page.keyboard.press("ArrowUp")
                    await page.keyboard.press("Enter")
                    await page.keyboard.press("Tab")
                await page.wait_for_timeout(100)
            assert wrong == []

    run_in_browser(work())


def test_whoever_wants_no_motion_sees_none(tmp_path: Path) -> None:
    async def work() -> None:
        settings: dict[str, Any] = {"pace": 0.2, "betting_seconds": 1.0, "squeeze_seconds": 15.0}
        async with served(tmp_path, **settings) as (_live, address), browsing() as (page, wrong):
            await page.emulate_media(reduced_motion="reduce")
            await go_to_table(page, address)
            await sit_with_chips(page)
            await wagers_open(page)
            await page.keyboard.press("b")
            await page.locator(".slot .card").first.wait_for()
            moving = await page.evaluate("() => document.getAnimations().length")
            assert moving == 0
            await turn_whatever_is_mine(page, DECIDED)
            assert wrong == []

    run_in_browser(work())


@pytest.mark.parametrize("table", ["ma-midi-4-ez", "ma-midi-4-royal9", "nj-punto-banco"])
def test_a_phone_holds_every_layout(table: str, tmp_path: Path) -> None:
    async def work() -> None:
        async with (
            served(tmp_path, betting_seconds=30.0) as (live, address),
            browsing(width=390, height=844, theme="dark") as (page, wrong),
        ):
            await go_to_table(page, address, table)
            await sit_with_chips(page)
            while await page.locator("dealer-call").get_attribute("data-state") != "open":
                if await page.locator("due-act:visible .main").count():
                    await page.locator("due-act .main").first.click(force=True)
                await page.wait_for_timeout(50)
            offered = len(live.rooms[table].rules.edition.wagers)
            assert 0 < await page.locator("button.spot").count() <= offered
            for spot in await page.locator("button.spot").all():
                box = await spot.bounding_box()
                assert box is not None
                assert min(box["width"], box["height"]) >= 44
            await page.locator('.spot[data-on="banker"]').click()
            await expect(page.locator("#purse dd").nth(1)).to_have_text("$25.00")
            wide = await page.evaluate("() => document.documentElement.scrollWidth")
            assert wide <= 390
            assert wrong == []

    run_in_browser(work())


ROAD_IN_WORDS = """async () => {
  const { inlinePicture, roadAddress } = await import("/page/js/picture.js");
  const road = await inlinePicture(roadAddress("bead_plate", "BbnPT"));
  return [...road.querySelectorAll(".cell")].map((cell) => cell.getAttribute("aria-label"));
}"""


def test_the_table_speaks_traditional_chinese(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (_live, address), browsing() as (page, wrong):
            await page.goto(address)
            await page.locator("settings-menu summary").click()
            await page.locator("#language").select_option("zh-Hant")
            await expect(page.locator("html")).to_have_attribute("lang", "zh-Hant")
            await go_to_table(page, address)
            await expect(page.locator("#banker .word")).to_contain_text("莊")
            felt = page.locator("bac-felt svg").first
            await expect(felt).to_have_attribute("aria-label", re.compile("個座位"))
            assert [each for each in await felt.locator(".area title").all_text_contents() if "pays" in each] == []
            await expect(page.locator("road-board .big-road svg")).to_have_attribute("aria-label", re.compile("^大路"))
            roads = await page.evaluate(ROAD_IN_WORDS)
            assert roads == ["第 1 局、莊、例牌、莊對", "第 2 局、閒", "第 3 局、和"]
            assert wrong == []

    run_in_browser(work())
