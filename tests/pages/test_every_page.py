"""Every page of the house: axe finds nothing on it, in the light and in the dark, and nothing goes wrong on it."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from playwright.async_api import expect

from baccarat.client import Client
from baccarat.serve.route.page import ADDRESSES
from baccarat.table.role import Role
from browser import browsing, run_in_browser
from look_at_page import found_in_both_themes
from page_fit import WINDOWS, faults_in
from played import play_round
from served import served

pytestmark = pytest.mark.slow
NAME = "ma-midi-4"
IS_WHOLE = bool(os.environ.get("BACCARAT_PAGES"))
"""Whether every page is looked at in every size of window: `make pages`. Otherwise a third of them, in turns."""
CHINESE = re.compile(r"[\u4e00-\u9fff]")
BROKEN_WORDS = """() => [...document.querySelectorAll("button, .button, .tag, th, dt")].flatMap((element) => {
  const range = document.createRange();
  return [...element.childNodes].filter((node) => {
    if (node.nodeType !== Node.TEXT_NODE || !/^\\p{Script=Han}{2,6}$/u.test(node.data.trim())) return false;
    range.selectNodeContents(node);
    return new Set([...range.getClientRects()].map((line) => line.top)).size > 1;
  }).map((node) => node.data);
})"""
"""One Chinese word, on a button or at the head of a column, that is broken over several lines."""
LATIN_WORDS = """(names) => {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
  while (walk.nextNode()) {
    const { data, parentElement } = walk.currentNode;
    const left = data.replace(new RegExp(names, "g"), "");
    if (/[A-Za-z]{3}/.test(left) && !parentElement.closest("script, code, pre, kbd, option")) found.push(data.trim());
  }
  return found;
}"""
"""Texts with words in Latin letters other than names, and what stands as it is written in a file or on a key."""
NAMES = (
    r"baccarat|English|House Money|Royal 9|Must Hit|Punto Banco|CSV|JSON|N\.J\.A\.C\.|"
    r"(ma-midi|nj-punto-banco|training)[\w-]*|Pa\. Code|§.*|#[0-9a-f]{6}|[0-9a-f]{12,}|set \d+"
)
NOT_YET_WHOLE = (Role.CASINO_SUPERVISOR,)
"""Warnings about a Submission are in English on every page."""
SEEN_BY = {
    Role.PARTICIPANT: {
        "/": "#tables svg",
        "/table/{name:str}": "dealer-call strong",
        "/sign/{name:str}": "#roads svg",
        "/round/{name:str}/{shoe:int}/{number:int}": "#proof .holds",
        "/my-rounds": "main .panel",
        "/drill": "main button",
        "/rules": "main clause-tag",
        "/odds": "main table",
        "/odds/{name:str}": "main table",
        "/sign-on": "form",
        "/password": "main",
        "/learn": "#learn-acts button",
    },
    Role.DEALER: {"/dealer": "next-act .go-say:not(:empty)", "/dealer/{name:str}": "next-act .go-say:not(:empty)"},
    Role.CASINO_SUPERVISOR: {"/floor": "table-tile", "/office": "submission-form"},
    Role.SURVEILLANCE: {"/watch": "main a", "/watch/{name:str}": "journal-list li"},
}
"""Whoever looks at each page, and what is on it once it is there."""


def test_no_page_is_forgotten() -> None:
    assert {address for seen in SEEN_BY.values() for address in seen} == set(ADDRESSES)


@pytest.mark.parametrize("role", SEEN_BY, ids=lambda role: role.value)
def test_axe_finds_nothing_in_either_theme(role: Role, tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, company=0) as (_live, address), Client(address) as client:
            await client.visit()
            async with client.table(NAME) as table:
                await play_round(table, client)
            async with browsing(width=1180, height=820) as (page, wrong):
                found: dict[str, list[str]] = {}
                await page.context.request.post(f"{address}/api/visit", data={"role": role.value})
                for each, there in SEEN_BY[role].items():
                    name = "training" if role is Role.DEALER else NAME
                    path = each.replace("{name:str}", name).replace("{shoe:int}", "1").replace("{number:int}", "1")
                    await page.goto(address + path)
                    await page.locator(there).first.wait_for()
                    found[path] = await found_in_both_themes(page)
                assert {path: each for path, each in found.items() if each} == {}
                assert wrong == []

    run_in_browser(work())


@pytest.mark.parametrize("role", SEEN_BY, ids=lambda role: role.value)
def test_every_page_comes_up_in_chinese_and_fits_windows_of_every_size(role: Role, tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, company=0) as (_live, address), Client(address) as client:
            await client.visit()
            async with client.table(NAME) as table:
                await play_round(table, client)
            async with browsing(width=390, height=844) as (page, wrong):
                await page.add_init_script("localStorage.setItem('language', 'zh-Hant')")
                await page.context.request.post(f"{address}/api/visit", data={"role": role.value})
                odd = dict[str, str]()
                for turn, (each, there) in enumerate(SEEN_BY[role].items()):
                    name = "training" if role is Role.DEALER else NAME
                    path = each.replace("{name:str}", name).replace("{shoe:int}", "1").replace("{number:int}", "1")
                    await page.goto(address + path)
                    await page.locator(there).first.wait_for(state="attached")
                    await expect(page).to_have_title(re.compile(f"{CHINESE.pattern}|{re.escape(name)}"))
                    windows = WINDOWS if IS_WHOLE else WINDOWS[turn % 3 :: 3]
                    unfit = [fault for window in windows for fault in await faults_in(page, window)]
                    own = await page.locator("body [data-t]").all_inner_texts()
                    left = [text for text in own if text.strip() and not CHINESE.search(text)]
                    broken = await page.evaluate(BROKEN_WORDS)
                    if role not in NOT_YET_WHOLE and each != "/table/{name:str}":  # its clauses are read a little later
                        left += await page.evaluate(LATIN_WORDS, NAMES)
                    if unfit or left or broken:
                        odd[path] = f"does not fit: {unfit}, in English: {left}, over several lines: {broken}"
                assert odd == {}
                assert wrong == []

    run_in_browser(work())


def test_one_faint_word_among_a_thousand_that_look_alike_is_found(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (_live, address), browsing() as (page, _wrong):
            await page.goto(f"{address}/rules")
            await page.locator("main clause-tag").first.wait_for()
            texts = page.locator(".clause p:visible")
            await texts.nth(await texts.count() // 2).evaluate(
                "(text) => { text.style.color = 'rgb(128 128 128 / 0.3)'; }"
            )
            found = await found_in_both_themes(page)
            assert [each.split(": ")[:2] for each in found] == [
                [theme, "color-contrast"] for theme in ("dark", "light")
            ]

    run_in_browser(work())
