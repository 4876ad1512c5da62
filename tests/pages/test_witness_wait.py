"""A shoe that waits for a witness, on every page of the house: for whom, for what and since when, in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest
from playwright.async_api import Browser, Page, expect

from baccarat.client import Client
from baccarat.serve.fanout import witness_waits
from baccarat.serve.job import share_exchange
from baccarat.serve.live import HouseServer
from baccarat.serve.route.requester import COOKIE
from baccarat.table.role import Role
from baccarat.table.table_cards import TableCards
from browser import PATIENCE, browsers, run_in_browser
from dealer_house import console, dealer_house
from running_witness import settings, witnesses
from served import served, soon

pytestmark = pytest.mark.slow

TABLE = "ma-midi-4"
TIME = r"\d\d:\d\d:\d\d"
EN = f"The shoe waits for example.org/surveillance to promise a share in its order, since {TIME}."
ZH = f"電子牌靴自 {TIME} 起等候 example.org/surveillance 承諾它在次序中的部分。"
SAID = {
    "en-US": (
        "The shoe waits for example.org/surveillance to promise a share in its order.", f"since {TIME}", EN,
        "waits for a witness", "Shoe waits for a witness",
    ),
    "zh-HK": (
        "電子牌靴正等候 example.org/surveillance 承諾它在次序中的部分。", f"自 {TIME} 起", ZH,
        "等候見證者", "牌靴等候見證者",
    ),
}  # fmt: skip
"""What a participant reads, and under it; what staff read; and how surveillance finds the table and the alert."""


async def page_of(browser: Browser, address: str, role: Role, path: str, *, locale: str, wrong: list[str]) -> Page:
    """A page as somebody sees it who has come in a role."""
    async with httpx.AsyncClient(base_url=address) as http:
        token = (await http.post("/api/visit", json={"role": role.value})).cookies[COOKIE]
    context = await browser.new_context(locale=locale)
    await context.add_cookies([{"name": COOKIE, "value": token, "url": address}])
    page = await context.new_page()
    page.set_default_timeout(PATIENCE)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    await page.goto(f"{address}{path}")
    return page


def over(live: HouseServer, table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The wait is over, and the witness is not waited for again."""
    monkeypatch.setattr(live.witness_waits, "show", lambda *_words, **_more: None)
    live.witness_waits.end(table)


@pytest.mark.parametrize("locale", SAID)
def test_every_page_says_for_which_witness_a_shoe_waits_and_since_when(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, locale: str
) -> None:
    monkeypatch.setattr(share_exchange, "SHOW_SECONDS", 0.05)
    monkeypatch.setattr(witness_waits, "ALARM_SECONDS", 0.0)
    told, since, staff, tag, title = SAID[locale]
    wrong = list[str]()
    with witnesses(tmp_path, ["surveillance"]) as running:
        named = settings(tmp_path, running)
    # From here on it is dead.

    async def work() -> None:
        async with (
            served(tmp_path, **named) as (live, address), Client(address) as client, browsers() as browser,
        ):  # fmt: skip

            async def shown(role: Role, path: str) -> Page:
                return await page_of(browser, address, role, path, locale=locale, wrong=wrong)

            await client.visit()
            async with client.table(TABLE):
                await soon(lambda: live.witness_waits.at(TABLE) is not None, "nothing is waited for")
                table = await shown(Role.PARTICIPANT, f"/table/{TABLE}")
                await expect(table.locator("dealer-call .say")).to_contain_text(told)
                await expect(table.locator("dealer-call .state .under")).to_have_text(re.compile(f"^{since}$"))
                floor = await shown(Role.FLOORPERSON, "/floor")
                tile = floor.locator(f'table-tile[data-table="{TABLE}"]')
                await expect(tile.locator(".owed:visible")).to_have_text(re.compile(staff))
                await expect(tile).to_have_attribute("data-waits", "")
                watch = await shown(Role.SURVEILLANCE, "/watch")
                row = watch.locator("tbody tr", has=watch.locator(f'a[href="/watch/{TABLE}"]'))
                await expect(row.locator(".tag.held").first).to_have_text(tag)
                await expect(watch.locator("alert-list .title")).to_have_text([title])
                await expect(watch.locator("alert-list p").first).to_have_text(told)
                over(live, TABLE, monkeypatch)
                await expect(tile.locator(".owed:visible")).to_have_count(0)
        assert wrong == []

    run_in_browser(work())


def test_a_dealer_is_told_for_which_witness_the_shoe_waits_and_since_when(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(share_exchange, "SHOW_SECONDS", 0.05)
    wrong = list[str]()
    with witnesses(tmp_path, ["surveillance"]) as running:
        named = settings(tmp_path, running)

    async def work() -> None:
        async with (
            dealer_house(tmp_path, cards=TableCards.ELECTRONIC, settings=named) as house, browsers() as browser,
        ):  # fmt: skip
            page = await console(browser, house, Role.DEALER, wrong)
            await expect(page.locator("#notices .notice").filter(has_text=re.compile(EN))).to_have_count(1)
            live = house.house.live
            over(live, house.name, monkeypatch)
            await expect(
                page.locator("#notices .notice").filter(has_text=re.compile("witness|surveillance"))
            ).to_have_count(0)
        assert wrong == []

    run_in_browser(work())
