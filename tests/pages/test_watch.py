"""Surveillance in a real browser: a table followed live and shown again, alerts, an audit, papers; names stay text."""

from __future__ import annotations

import asyncio
import time
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import pytest
from playwright.async_api import Page, expect

from baccarat.cards import decks
from baccarat.client import Client, TableClient, command_id
from baccarat.house.filed_rules import file_rules
from baccarat.law.rulebook import rulebook
from baccarat.serve.route.requester import COOKIE
from baccarat.serve.setting import TRAINING, Mode
from baccarat.table.automation import command_for
from baccarat.table.role import Role
from baccarat.table.source import KeyedCards
from browser import browsing, run_in_browser
from house_of_roles import Asked, open_tables, production, sign_everybody_on
from house_of_roles import expect as answered
from lateness import Lateness
from production_house import made_keys
from served import served
from triggers import FirstWager
from watched_house import late_wager, visited

pytestmark = pytest.mark.slow

PATIENCE = 60_000
NOW = "journal-list li.now"
HOSTILE = "<img src=x onerror=window.hostile=1>"


async def visit(page: Page, address: str, role: str, path: str) -> None:
    """Come in as a visitor in a role, and look at a page."""
    page.set_default_timeout(PATIENCE)
    came = await page.context.request.post(f"{address}/api/visit", data={"role": role}, headers={"Origin": address})
    assert came.ok, await came.text()
    await page.goto(f"{address}{path}")


async def line_at(page: Page) -> str:
    return await page.locator(f"{NOW} p").inner_text()


def test_a_table_is_followed_live_and_stepped_back_through(tmp_path: Path) -> None:
    """An act and a refusal come to the journal by themselves; keys go back and forth; the table is as it was then."""

    async def work() -> None:
        async with (
            visited(tmp_path, rounds=2, betting_seconds=0.3) as here,
            browsing(width=1440, height=900) as (page, wrong),
        ):
            await visit(page, here.address, "surveillance", "/watch/ma-midi-4")
            await expect(page.locator("#state")).to_have_text("live")
            await late_wager(here.table)
            refusal = page.locator("journal-list li.refusal").last
            await refusal.get_by_text("no more bets have been called").wait_for()
            assert await refusal.locator("clause-tag").count() > 0
            await page.locator("alert-list .late_wager").first.wait_for()
            await stepping(page)
            await filtered(page)
            assert wrong == []

    run_in_browser(work())


async def stepping(page: Page) -> None:
    """Back into the second round, event by event, and to the live edge again."""
    await page.locator("time-scrub .rounds button").nth(1).click()
    await expect(page.locator("#about")).to_contain_text("Round 2, shoe 1")
    await expect(page.locator("#state")).to_have_text("replay")
    await page.locator("journal-list li.card", has_text="goes to the Banker").nth(1).click()
    assert await page.locator("table-then .card").count() == 4, "four cards lie there, face down"
    assert await page.locator("table-then .card use[href='#deck-back']").count() == 4
    first = await line_at(page)
    await page.keyboard.press("ArrowLeft")
    assert await page.locator("table-then .card").count() == 3, "one event back the fourth was not there yet"
    await page.keyboard.press("ArrowRight")
    assert await line_at(page) == first
    assert await page.locator("table-then .card").count() == 4
    assert await page.locator("#record").get_by_text("draw_card").count() == 1
    await expect(page.locator("#chain")).to_have_text("✓ follows the record before")
    await (
        page.locator("journal-list li.call", has_text="wins")
        .or_(page.locator("journal-list li.call", has_text="tie hand"))
        .click()
    )
    counts = await page.locator("table-then .hand b").all_inner_texts()
    assert all(count.isdigit() for count in counts)
    assert await page.locator("table-then use[href='#deck-back']").count() == 0, "all are turned by then"
    assert await page.locator("table-then .bet").count() == 1, "the wager lies there until it is collected or paid"
    await page.locator("journal-list li.payment").last.click()
    assert await page.locator("table-then .bet").count() == 0
    await page.keyboard.press("PageUp")
    await expect(page.locator("#about")).to_contain_text("Round 1, shoe 1")
    await page.keyboard.press("End")
    await expect(page.locator("#state")).to_have_text("live")


async def filtered(page: Page) -> None:
    """Sorts with their counts, clauses, and a search through the whole shoe."""
    await page.locator("time-scrub .rounds button").nth(0).click()
    await expect(page.locator("#about")).to_contain_text("Round 1, shoe 1")
    cards = page.locator("#sorts label", has_text="Cards")
    assert await cards.locator("em").inner_text() == str(await page.locator("journal-list li.card").count())
    await cards.locator("input").uncheck()
    await expect(page.locator("journal-list li.card")).to_have_count(0)
    await cards.locator("input").check()
    await page.get_by_role("button", name="§8(b)", exact=True).click()
    await expect(page.locator("journal-list li[data-index]")).to_have_count(1)
    await page.get_by_role("button", name="§8(b)", exact=True).click()
    await page.keyboard.press("/")
    await page.keyboard.type("no more bets")
    await expect(page.locator("#state")).to_contain_text("found")
    await page.locator("journal-list li.call", has_text="no more bets").nth(1).click()
    await expect(page.locator("#about")).to_contain_text("Round 2, shoe 1")
    assert "no more bets" in await line_at(page)
    await searched_by_keyboard(page)


async def searched_by_keyboard(page: Page) -> None:
    """A search ends with Escape, and the arrows step through the journal again; no step of it stands empty."""
    await page.keyboard.press("/")
    await page.keyboard.type("no more bets")
    await page.keyboard.press("Enter")
    await expect(page.locator("#state")).to_contain_text("found")
    for _ in range(2):
        await page.keyboard.press("Escape")
    await expect(page.locator("#state")).to_have_text("replay")
    was = await line_at(page)
    await page.keyboard.press("ArrowLeft")
    assert await line_at(page) != was
    await page.keyboard.press("End")
    await expect(page.locator("#state")).to_have_text("live")
    heads = await page.locator("journal-list li.step").all_inner_texts()
    assert "wagering" not in [head for head, after in pairwise(heads) if after.startswith("Round")]
    assert await page.locator("journal-list li.step:last-child").count() == 0


def test_a_line_of_the_round_before_leads_into_that_round(tmp_path: Path) -> None:
    """At the live edge the round before stands above; nothing has happened in the new one yet."""

    async def work() -> None:
        async with (
            visited(tmp_path, rounds=1, leaves=True) as here,
            browsing(width=390, height=844) as (page, wrong),
        ):
            await visit(page, here.address, "surveillance", "/watch/ma-midi-4")
            await page.locator("journal-list li.call", has_text="no more bets").click()
            await expect(page.locator("#about")).to_contain_text("Round 1, shoe 1")
            await expect(page.locator("#state")).to_have_text("replay")
            await page.locator("journal-list li.card", has_text="goes to the Banker").first.click()
            assert await page.locator("table-then .card").count() == 2
            assert wrong == []

    run_in_browser(work())


def test_an_act_is_in_the_journal_at_once(tmp_path: Path) -> None:
    async def work() -> None:
        async with (
            visited(tmp_path, betting_seconds=3600.0) as here,
            browsing(width=1440, height=900) as (page, wrong),
        ):
            assert (await here.table.do("sit", seat=2)).is_done
            await here.client.buy_in(here.table.name, 1_000_000)
            await visit(page, here.address, "regulator", "/watch/ma-midi-4")
            await expect(page.locator("#state")).to_have_text("live")
            await here.table.until(lambda view: view["state"]["step"] == "wager")
            with Lateness() as machine:
                took = [await shown_after(page, here.table, stake) for stake in (2_500, 3_000, 3_500, 4_000, 4_500)]
            assert min(took) < 0.5 + machine.worst, f"seconds from the answer to the line: {took}"
            assert wrong == []

    run_in_browser(work())


async def shown_after(page: Page, table: TableClient, stake: int) -> float:
    """How long after its answer an act is in the list."""
    act = "place_wager" if stake == 2_500 else "change_wager"
    assert (await table.do(act, seat=2, on="player", stake=stake)).is_done
    began = time.monotonic()
    await page.locator("journal-list li.now", has_text=f"${stake // 100}.00").wait_for()
    return time.monotonic() - began


def test_an_audit_the_dispute_card_and_exports_are_at_hand(tmp_path: Path) -> None:
    async def work() -> None:
        async with (
            visited(tmp_path, rounds=2, leaves=True) as here,
            browsing(width=1440, height=900) as (page, wrong),
        ):
            await visit(page, here.address, "regulator", "/watch/ma-midi-4#1/1/0")
            await expect(page.locator("#about")).to_contain_text("Round 1, shoe 1")
            await page.locator("#audit").click()
            await page.get_by_text("Nothing is wrong with table ma-midi-4.").wait_for()
            assert await page.locator(".checks .bad").count() == 0
            async with page.context.expect_page() as opened:
                await page.get_by_role("link", name="Dispute card of this round").click()
            card = await opened.value
            await card.get_by_text("Nothing is wrong with this record").wait_for()
            await card.wait_for_load_state("load")  # the text may be there before its style sheet
            assert await card.evaluate("document.styleSheets[0].cssRules.length") > 10, "its style is let in"
            for name, kind in (
                ("Journal", "application/x-ndjson"),
                ("Rounds, CSV", "text/csv"),
                ("Rounds, JSON lines", "application/x-ndjson"),
                ("Bundle of the round", "application/json"),
                ("Bundle of the shoe", "application/json"),
            ):
                link = page.locator("#exports").get_by_role("link", name=name, exact=True)
                found = await page.context.request.get(f"{here.address}{await link.get_attribute('href')}")
                assert found.status == 200, name
                assert found.headers["content-type"].startswith(kind), name
            assert wrong == []

    run_in_browser(work())


def test_all_tables_are_watched_on_one_page_and_nobody_else_watches(tmp_path: Path) -> None:
    async def work() -> None:
        async with (
            visited(tmp_path, rounds=1) as here,
            browsing(width=390, height=844, theme="dark") as (page, wrong),
        ):
            await late_wager(here.table)
            await visit(page, here.address, "surveillance", "/watch")
            await page.locator("#tables tr.alerted", has_text="ma-midi-4").wait_for()
            assert await page.locator("#tables tbody tr").count() == len(here.live.rooms)
            assert await page.evaluate("document.documentElement.scrollWidth") <= 390
            await page.locator("alert-list .late_wager .title").first.click()
            await page.locator("journal-list li.refusal.now").wait_for()
            await expect(page.locator("#then-title")).to_contain_text("As it was at refusal")
            assert await page.evaluate("document.documentElement.scrollWidth") <= 390
            await page.goto("about:blank")  # whatever the page still asks for would be denied
            await page.context.request.delete(f"{here.address}/api/session", headers={"Origin": here.address})
            await visit(page, here.address, "participant", "/watch/ma-midi-4")
            await page.get_by_text("Only surveillance and the regulator oversee tables here").wait_for()
            assert await page.locator("journal-list li").count() == 0
            assert wrong == []

    run_in_browser(work())


# ---------------------------------------------------------------------------------------- hostile names


async def open_hostile_table(house: Asked, name: str) -> None:
    """A table whose name is markup, in a pit whose name is."""
    keys = {"Idempotency-Key": command_id()}
    await answered(house, 200, "/api/books/house/acts", {"do": "add_pit", "name": name}, Role.ADMINISTRATOR, keys)
    filed = msgspec.to_builtins(file_rules(rulebook("ma-midi-4")), enc_hook=str)
    keys = {"Idempotency-Key": command_id()}
    opening = {"do": "open_table", "table": name, "filed": filed, "cards": "real"}
    await answered(house, 200, f"/api/books/{quote(f'pit {name}', safe='')}/acts", opening, Role.PIT_BOSS, keys)


def test_hostile_names_of_tables_and_people_stay_text_on_every_page_of_surveillance(tmp_path: Path) -> None:
    async def work() -> None:
        async with (
            served(tmp_path, **production(tmp_path)) as (live, address),
            browsing(width=1440, height=900) as (page, wrong),
        ):
            house = await sign_everybody_on(live, address)
            await open_hostile_table(house, HOSTILE)
            acts = f"/api/tables/{quote(HOSTILE, safe='')}/acts"
            keys = {"Idempotency-Key": command_id()}
            seating = {"do": "sit", "seat": 3, "person": HOSTILE}
            await answered(house, 200, acts, seating, Role.DEALER, keys)
            keys = {"Idempotency-Key": command_id()}
            await answered(house, 409, acts, seating, Role.FLOORPERSON, keys)
            page.set_default_timeout(PATIENCE)
            await page.context.add_cookies([{"name": COOKIE, "value": house.tokens[Role.SURVEILLANCE], "url": address}])
            await page.goto(f"{address}/watch")
            await page.get_by_role("link", name=HOSTILE).click()
            await expect(page.locator("#name")).to_have_text(HOSTILE)
            await page.locator("journal-list li", has_text="sits down").first.click()
            await expect(page.locator("journal-list li.now")).to_contain_text(HOSTILE)
            await page.locator("journal-list li.refusal").click()
            await asyncio.sleep(0.3)
            assert await page.evaluate("window.hostile") is None
            assert await page.locator("img[src='x']").count() == 0
            assert wrong == []

    run_in_browser(work())


# --------------------------------------------------------------------------------- a dealer, and real houses


async def deal_until(table: Any, seen: TableClient, act: str) -> None:
    """Deal real cards at the training table until an act is due."""
    size = table.rules.elections.decks or 0
    source = KeyedCards(lambda _: tuple(decks(size)), in_front=26 * size, triggers=FirstWager(table.rules))
    while True:
        due = next((each for each in table.expected if not each.optional), None)
        if due is not None and due.act == act:
            return
        if due is None or due.by is not Role.DEALER:
            await asyncio.sleep(0.02)
            continue
        fields = msgspec.to_builtins(command_for(table, due, source))
        assert (await seen.do(fields.pop("do"), **fields)).is_done


def test_an_irregularity_is_seen_by_surveillance_from_report_to_remedy_with_its_clauses(tmp_path: Path) -> None:
    """A card lies face up in the shoe: the dealer reports it, and what is done about it is told as it happens."""

    async def work() -> None:
        async with (
            served(tmp_path, company=3) as (live, address),
            browsing(width=1180, height=820) as (page, wrong),
            Client(address) as client,
        ):
            await client.visit(Role.DEALER)
            await visit(page, address, "surveillance", f"/watch/{TRAINING}")
            table = live.house.table(TRAINING)
            async with client.table(TRAINING) as seen:
                assert (await seen.do("come_on", instead_of="dealer")).is_done
                await deal_until(table, seen, "call_no_more_bets")
                assert (await seen.do("report_face_up", card={"rank": "9", "suit": "s"})).is_done
            events = page.locator("journal-list li.irregularity")
            await events.first.wait_for()
            told = await events.all_inner_texts()
            assert "lies face up" in told[0] or "face up" in told[0], told
            assert len(told) > 1, "what is done about it"
            for index in range(len(told)):
                assert await events.nth(index).locator("clause-tag").count() > 0
            await events.first.click()
            await expect(page.locator("#record")).to_contain_text("report_face_up")
            assert wrong == []

    run_in_browser(work())


def test_in_a_real_house_surveillance_sees_names_checkpoints_and_a_correction_that_waits(tmp_path: Path) -> None:
    async def work() -> None:
        keys = {**made_keys(tmp_path), "origin": "", "mode": Mode.PRODUCTION}
        async with served(tmp_path, **keys) as (live, address), browsing(width=1440, height=900) as (page, wrong):
            house = await sign_everybody_on(live, address)
            await open_tables(house, "ma-midi-4")
            acts, given = "/api/tables/ma-midi-4/acts", {"Idempotency-Key": command_id()}
            seating = {"do": "sit", "seat": 3, "person": "Ada Lovelace"}
            await answered(house, 200, acts, seating, Role.DEALER, given)
            asked = {"do": "correct_payment", "corrects": 0, "seat": 3, "amount": 500, "reason": "too little"}
            proposal, given = {"stream": "table ma-midi-4", "command": asked}, {"Idempotency-Key": command_id()}
            await answered(house, 201, "/api/proposals", proposal, Role.DEALER, given)
            await answered(house, 201, "/api/streams/table%20ma-midi-4/checkpoint", {}, Role.REGULATOR)
            page.set_default_timeout(PATIENCE)
            token = house.tokens[Role.REGULATOR]
            await page.context.add_cookies([{"name": COOKIE, "value": token, "url": address}])
            await page.goto(f"{address}/watch/ma-midi-4")
            await page.locator("journal-list li", has_text="Ada Lovelace sits down").wait_for()
            await expect(page.locator("#record")).to_contain_text("dealer one, dealer")
            await expect(page.locator("#signed")).to_contain_text("signed up to 2 entries")
            await expect(page.locator("#signed")).to_contain_text("example.org/house/table/ma-midi-4")
            await expect(page.locator("#signed")).to_contain_text("No witness is configured.")
            waiting = page.locator("alert-list .correction_asked")
            await expect(waiting).to_contain_text("The dealer asks to correct a payment; it waits for a floorperson.")
            await page.locator("#audit").click()
            await page.get_by_text("Nothing is wrong with table ma-midi-4.").wait_for()
            assert wrong == []

    run_in_browser(work())
