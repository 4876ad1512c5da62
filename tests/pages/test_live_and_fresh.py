"""A page that has been open for two rounds says what a page says that is opened now: nothing on it is of earlier."""

from __future__ import annotations

import asyncio
import difflib
from collections.abc import Callable, Container
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from playwright.async_api import Page

from baccarat.house.cage_act import FillTray
from baccarat.house.inventory import Inventory
from baccarat.house.stream import Stream
from baccarat.law.rulebook import rulebook
from baccarat.serve.live import HouseServer
from baccarat.serve.route.page import ADDRESSES
from baccarat.table.actor import Actor, Approval, Envelope
from baccarat.table.goodwill import PayGoodwill
from baccarat.table.machine import Table
from baccarat.table.role import Role
from browser import browsing, run_in_browser
from floor_house import accept, fill_cage, open_pit, play_until, sign_on_as
from house_of_roles import production
from served import served

pytestmark = pytest.mark.slow

TABLE = "east 1"
LIVE: dict[str, tuple[Role | None, str]] = {
    "/": (None, "#tables .card"),
    "/table/{name:str}": (None, "dealer-call strong"),
    "/sign/{name:str}": (None, "#last .won"),
    "/dealer/{name:str}": (Role.DEALER, "next-act .go-say:not(:empty)"),
    "/floor": (Role.CASINO_SUPERVISOR, "table-tile"),
    "/watch": (Role.SURVEILLANCE, "main a"),
    "/watch/{name:str}": (Role.SURVEILLANCE, "journal-list li"),
}
"""Pages that follow the house: who looks at each, and what is on it once it is there."""
OF_STAFF = {"/dealer/{name:str}", "/floor", "/watch/{name:str}"}
STILL = {
    "/round/{name:str}/{shoe:int}/{number:int}": "a round that is over",
    "/dealer": "tables to choose from, as they were when it was opened",
    "/drill": "exercises of one's own",
    "/my-rounds": "rounds that are over, as they were when it was opened",
    "/learn": "a lesson of one's own",
    "/rules": "documents",
    "/odds": "prices of a whole shoe",
    "/odds/{name:str}": "prices of a whole shoe",
    "/office": "forms that somebody fills in: it draws itself again when they are sent",
    "/sign-on": "a form",
    "/password": "a form",
}
"""Pages that do not follow the house, and what they show."""

SHOWN = """() => {
  const skipped = "script, style, template, hand-cards.former, hand-cards:not(:has(.slot *))";
  const pictures = "[data-on], .disc, .card-picture, use, image";
  const time = /\\d+:\\d\\d(:\\d\\d)?( [AP]M)?/g;
  const age = /\\d+ (s|seconds?|minutes?) ago/g;
  const texts = [];
  const walk = (node) => {
    if (node.nodeType === Node.TEXT_NODE) {
      if (node.data.trim()) texts.push(node.data.trim().replace(/\\s+/g, " "));
      return;
    }
    if (node.nodeType !== Node.ELEMENT_NODE || node.matches(skipped) || !node.checkVisibility()) return;
    if (node.matches(pictures)) texts.push(`<${node.getAttribute("class") ?? ""} ${node.getAttribute("href") ?? ""}>`);
    for (const child of node.childNodes) walk(child);
  };
  walk(document.querySelector("main") ?? document.body);
  return texts.map((text) => text.replace(time, "TIME").replace(age, "AGO"));
}"""
"""What is visible in the main part of a page, in order, without times.

Cards that are left of the last round are seen only by who saw it.
"""

MOMENTS: tuple[tuple[str, Callable[[Table], bool]], ...] = (
    ("cards lie", lambda at: len(at.state.round.player) >= 2 and len(at.state.round.banker) >= 2),
    ("the next round began", lambda at: at.state.round.number >= 2 and at.state.step == "wager"),
    ("cards lie again", lambda at: at.state.round.number >= 2 and len(at.state.round.banker) >= 2),
    ("two rounds are over", lambda at: at.state.round.number >= 3 and at.state.step == "wager"),
)


def test_every_page_follows_the_house_or_has_a_reason_not_to() -> None:
    assert LIVE.keys() | STILL.keys() == set(ADDRESSES)


async def fill_tray(live: HouseServer) -> None:
    """The cage sends chips to the table."""
    cashier = Approval("somebody at the cage", Role.CAGE_CASHIER, "fill_tray")
    fill = FillTray(table=TABLE, chips=Inventory({100: 5}))
    envelope = Envelope(actor=Actor(who="somebody on the floor", role=Role.FLOORPERSON, approvals=(cashier,)))
    assert live.house.enter(Stream("cage"), fill, envelope).refused is None


async def pay_goodwill(live: HouseServer) -> None:
    """Two persons give a seat what no cards owe it: surveillance is alerted."""
    cashier = Approval("somebody at the cage", Role.CAGE_CASHIER, "pay_goodwill")
    actor = Actor(who="somebody on the floor", role=Role.FLOORPERSON, approvals=(cashier,))
    accept(live.house.table(TABLE).do(PayGoodwill(seat=3, amount=5_00, reason="an apology"), actor))
    await live.house.writer.wait_until_flushed()


async def same_as_fresh(live: Page, url: str, there: str) -> str:
    """Empty if the page says what a fresh one says, at the latest after some seconds; the difference otherwise."""
    fresh = await live.context.new_page()
    try:
        await fresh.goto(url)
        await fresh.locator(there).first.wait_for()
        for _ in range(40):  # what is on its way arrives; what is of earlier stays
            old, new = await live.evaluate(SHOWN), await fresh.evaluate(SHOWN)
            if old == new:
                return ""
            await asyncio.sleep(0.1)
        return "\n".join(difflib.unified_diff(old, new, "live", "fresh", lineterm="", n=1))
    finally:
        await fresh.close()


def test_a_page_that_was_open_for_two_rounds_says_what_a_fresh_one_says(tmp_path: Path) -> None:
    async def work() -> None:
        async with AsyncExitStack() as stack:
            live, address = await stack.enter_async_context(served(tmp_path, **production(tmp_path)))
            await open_pit(live, "east", **{TABLE: rulebook("ma-midi-4", goodwill_limit=100_00)})
            await fill_cage(live, TABLE)
            pages: dict[str, tuple[Page, str, str]] = {}
            contexts: dict[Role | None, Page] = {}
            for each, (role, there) in LIVE.items():
                if role not in contexts:
                    page, _wrong = await stack.enter_async_context(browsing())
                    contexts[role] = page
                    if role is not None:
                        await sign_on_as(live, page, address, f"{role.value} one", role)
                else:
                    page = await contexts[role].context.new_page()
                url = address + each.replace("{name:str}", TABLE.replace(" ", "%20"))
                await page.goto(url)
                pages[each] = page, url, there
            found: dict[str, str] = {}

            async def look(name: str, *, of: Container[str] = LIVE) -> None:
                for each, (page, url, there) in pages.items():
                    if each in of and (difference := await same_as_fresh(page, url, there)):
                        found[f"{each} when {name}"] = difference

            for name, stop in MOMENTS:
                await play_until(live, TABLE, stop, patron="Pat Patron")
                await look(name)
            call = f"{address}/api/tables/{TABLE.replace(' ', '%20')}/floor-call"
            for time in ("once", "again"):
                assert (await contexts[Role.DEALER].context.request.post(call)).ok
                await fill_tray(live)
                await pay_goodwill(live)
                await look(f"the floor is called and an alert comes {time}", of=OF_STAFF)
                assert (await contexts[Role.CASINO_SUPERVISOR].context.request.delete(call)).ok
                await look(f"the floor has answered {time}", of=OF_STAFF)
            assert found == {}, "\n".join(f"{each}\n{difference}" for each, difference in found.items())

    run_in_browser(work())
