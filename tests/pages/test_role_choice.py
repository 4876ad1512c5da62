"""Another role in a practice house: first it is said what is left behind, even in another tab; then its page comes."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Page, expect

from access_house import PASSWORD, allowed
from baccarat.serve.access.denial import too_many_tries
from baccarat.serve.access.log import read_log
from baccarat.serve.access.person import set_roles
from baccarat.serve.live import HouseServer
from baccarat.table.role import Role
from browser import browsing, run_in_browser
from floor_house import sign_on_as
from house_of_roles import production
from served import served
from table_page import NAME, PATIENCE, go_to_table, sit_with_chips

pytestmark = pytest.mark.slow

TITLE = "Midi Baccarat, 5.% commission"
SLOW = 2.0
"""Seconds that the house's answer needs on its way: the old session is over by then, and the page does not know it."""


def answer_slowly(live: HouseServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the answer to a change of roles come late, after all lines of the old session were cut off."""
    take_role = live.desk.take_role

    async def late(*given: Any, **more: Any) -> Any:
        found = await take_role(*given, **more)
        await asyncio.sleep(SLOW)
        return found

    monkeypatch.setattr(live.desk, "take_role", late)


def paths_of(page: Page) -> list[str]:
    """Where a page goes from now on."""
    seen = list[str]()
    page.on("framenavigated", lambda frame: seen.append(urlsplit(frame.url).path))
    return seen


async def choose(page: Page, role: str) -> None:
    """Choose a role in the bar, where a guest opens the list of jobs first."""
    await page.locator("#role").wait_for(state="attached")
    jobs = page.locator(".jobs:not([open]) summary")
    if await jobs.count():
        await jobs.click()
    await page.locator("#role").select_option(role)


def test_a_seat_in_another_tab_is_named_before_a_role_is_changed_and_that_tab_says_what_happened(
    tmp_path: Path,
) -> None:
    async def work() -> None:
        async with served(tmp_path, betting_seconds=30.0) as (_live, address), browsing() as (page, _wrong):
            expect.set_options(timeout=PATIENCE)
            await go_to_table(page, address)
            await sit_with_chips(page)
            other = await page.context.new_page()
            other.set_default_timeout(PATIENCE)
            await other.goto(address)
            await choose(other, "dealer")
            asked = other.get_by_role("dialog")
            await expect(asked).to_contain_text(re.compile(rf"seat \d+ of {TITLE} with \$1,000.00"))
            await asked.get_by_role("button", name="Stay").click()
            await expect(other.locator("#role")).to_have_value("participant")
            await choose(other, "dealer")
            await asked.get_by_role("button", name="Give them up").click()
            await other.wait_for_url("**/dealer/training")
            await expect(page.locator("dealer-call")).to_contain_text("You entered again in another tab, as dealer")
            await expect(page.locator("main")).not_to_contain_text("Reconnecting")
            await page.get_by_role("button", name="Continue in that role").click()
            await expect(page.locator("#role")).to_have_value("dealer")

    run_in_browser(work())


def test_by_keys_one_role_is_asked_for_at_a_time_and_the_focus_comes_back(tmp_path: Path) -> None:
    """Each press of an arrow key is a choice, and the house is asked about the first one meanwhile."""

    async def work() -> None:
        async with served(tmp_path, betting_seconds=30.0) as (_live, address), browsing() as (page, wrong):
            await page.add_init_script("localStorage.setItem('language', 'zh-Hant')")
            await page.goto(f"{address}/table/{NAME}")
            await page.locator('bac-felt .seat[data-seat="3"]').first.click()
            await page.get_by_role("button", name="兌換 $1,000 籌碼").click()
            await expect(page.locator("#purse dd").first).to_have_text("$1,000.00")
            choice, asked = page.locator("#role"), page.get_by_role("dialog", name="您的身分")
            await page.locator(".jobs summary").click()
            await choice.focus()
            for _ in range(3):
                await page.keyboard.press("ArrowDown")
            await expect(asked).to_have_count(1)
            await expect(asked).to_contain_text(
                re.compile(r"您坐在 中型百家樂、佣金 5% 的 3 號座位，籌碼 \$1,000.00。轉換角色後")
            )
            await expect(asked.get_by_role("button", name="留下")).to_be_focused()
            await page.keyboard.press("Escape")
            await expect(asked).to_have_count(0)
            await expect(choice).to_be_focused()
            await expect(choice).to_have_value("participant")
            await page.keyboard.press("ArrowDown")
            await expect(asked.get_by_role("button", name="留下")).to_be_focused()
            await page.keyboard.press("Tab")
            await expect(asked.get_by_role("button", name="離開座位")).to_be_focused()
            await page.keyboard.press("Enter")
            await expect(page.locator("#role")).not_to_have_value("participant")
            assert wrong == []

    run_in_browser(work())


def test_each_role_comes_to_its_own_page_and_the_lobby_leads_a_dealer_to_the_console(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (_live, address), browsing() as (page, wrong):
            page.set_default_timeout(PATIENCE)
            expect.set_options(timeout=PATIENCE)
            await page.goto(address)
            for role, path in (("floorperson", "/floor"), ("surveillance", "/watch"), ("participant", "/")):
                await choose(page, role)
                await page.wait_for_url(f"{address}{path}")
                await expect(page.locator("#role")).to_have_value(role)
            await choose(page, "dealer")
            await page.wait_for_url(f"{address}/dealer/training")
            await page.goto(address)
            await expect(page.locator("#tables .go .main:visible")).to_have_text(["To the console"] * 2)
            await page.goto(f"{address}/table/training")
            await page.locator("#instead").get_by_role("link", name="To the console").click()
            await page.wait_for_url(f"{address}/dealer/training")
            assert wrong == []

    run_in_browser(work())


def test_a_change_of_roles_is_one_request_and_a_page_that_is_cut_off_meanwhile_sends_nobody_to_sign_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lines of the floor end with the old session, before the page has the new one's cookie; in two tabs."""

    async def work() -> None:
        async with served(tmp_path) as (live, address), browsing() as (page, wrong):
            expect.set_options(timeout=PATIENCE)
            await page.goto(address)
            await choose(page, "floorperson")
            await page.wait_for_url(f"{address}/floor")
            other = await page.context.new_page()
            await other.goto(f"{address}/floor")
            for each in (page, other):
                await expect(each.locator("table-tile").first).to_be_visible()
            answer_slowly(live, monkeypatch)
            asked = list[str]()
            page.on("request", lambda sent: asked.append(f"{sent.method} {urlsplit(sent.url).path}"))
            seen, beside = paths_of(page), paths_of(other)
            before = len(live.store.read("select id from session"))
            await choose(page, "pit boss")
            for each in (page, other):
                await expect(each.locator("#role")).to_have_value("pit boss")
                await expect(each.locator("table-tile").first).to_be_visible()
            await choose(page, "surveillance")
            await page.wait_for_url(f"{address}/watch")
            assert "/sign-on" not in seen + beside
            assert asked.count("PUT /api/session/role") == 2
            assert not [each for each in asked if each in ("DELETE /api/session", "POST /api/visit")]
            assert len(live.store.read("select id from session")) == before + 2, "no other visitor has come"
            assert len(live.store.read("select id from session where ended_at is null")) == 1
            assert wrong == [], "the page that changes its role asks nothing in the session that is over"

    run_in_browser(work())


def test_a_change_of_roles_that_is_denied_says_why_and_leaves_everything_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        async with served(tmp_path) as (live, address), browsing() as (page, _wrong):
            expect.set_options(timeout=PATIENCE)
            await page.goto(address)
            await expect(page.locator("#role")).to_have_value("participant")

            async def busy(*_given: Any, **_more: Any) -> Any:
                return too_many_tries(5_000_000)

            with monkeypatch.context() as patched:
                patched.setattr(live.desk, "take_role", busy)
                await choose(page, "dealer")
                asked = page.get_by_role("dialog")
                await expect(asked).to_contain_text("too many tries")
            await asked.get_by_role("button", name="Stay").click()
            await expect(page.locator("#role")).to_have_value("participant")
            assert len(live.store.read("select id from session where ended_at is null")) == 1
            await choose(page, "dealer")
            await page.wait_for_url(f"{address}/dealer/training")

    run_in_browser(work())


def test_in_a_real_house_one_goes_on_in_one_s_own_roles_for_the_password(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, **production(tmp_path)) as (live, address), browsing() as (page, _wrong):
            expect.set_options(timeout=PATIENCE)
            boss = await sign_on_as(live, page, address, "Bob Boss", Role.PIT_BOSS)
            allowed(
                await live.desk.change(
                    lambda reads, now: set_roles(reads, boss, {Role.PIT_BOSS, Role.DEALER}, now=now, by="")
                )
            )
            await page.goto(f"{address}/floor")
            choice = page.locator("#role")
            await expect(choice.locator("option")).to_have_text(["dealer", "pit boss"])
            await choice.focus()
            await choose(page, "dealer")
            asked = page.get_by_role("dialog")
            await asked.get_by_label("Your password").fill("wrong wrong wrong")
            await asked.get_by_role("button", name="Change role").click()
            await expect(asked).to_contain_text("The name or the password is wrong.")
            chosen = "(field) => document.activeElement === field && field.selectionEnd - field.selectionStart"
            assert await asked.get_by_label("Your password").evaluate(chosen) == len("wrong wrong wrong"), (
                "to be typed anew"
            )
            await page.keyboard.press("Escape")
            await expect(choice).to_be_focused()
            await expect(choice).to_have_value("pit boss")
            await choose(page, "dealer")
            other = await page.context.new_page()
            await other.goto(f"{address}/floor")
            await expect(other.locator("#role")).to_have_value("pit boss")
            await asked.get_by_label("Your password").fill(PASSWORD)
            await asked.get_by_role("button", name="Change role").click()
            await page.wait_for_url(f"{address}/dealer")
            await expect(choice).to_have_value("dealer")
            await expect(other.locator("#role")).to_have_value("dealer", timeout=15_000)
            ended, began = read_log(live.store)[-2:]
            assert (ended.person, began.person) == (boss, boss)
            assert began.about.startswith("dealer, session-")

    run_in_browser(work())
