"""The page of a round: what happened and why; the shoe checked by the browser itself, a true one and a forged one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, Route, expect

from baccarat.client import Client
from baccarat.house.stream import table_stream
from baccarat.serve.store.journal_export import stream_journal
from browser import browsing, run_in_browser
from played import next_round, play_round
from served import served
from table_page import NAME, PATIENCE

pytestmark = pytest.mark.slow
TABLE = f"/api/tables/{NAME}"


async def look(page: Page, address: str, shoe: int, number: int) -> None:
    """Open the page of a round."""
    page.set_default_timeout(PATIENCE)
    expect.set_options(timeout=PATIENCE)
    await page.goto(f"{address}/round/{NAME}/{shoe}/{number}")
    await page.locator("#happened li").first.wait_for()


def tampered(change: Callable[[dict[str, Any]], None]) -> Callable[[Route], Any]:
    """A house that shows another proof than the true one."""

    async def answer(route: Route) -> None:
        true = await route.fetch()
        said = await true.json()
        change(said)
        await route.fulfill(response=true, json=said)

    return answer


def other_card(said: dict[str, Any]) -> None:
    """The first card that was turned is shown as another."""
    said["cards"][0]["card"] = "As" if said["cards"][0]["card"] != "As" else "Ks"


def other_seed(said: dict[str, Any]) -> None:
    """Another seed is shown."""
    said["seed"] = said["seed"][:-1] + ("0" if said["seed"][-1] != "0" else "1")


def test_a_whole_shoe_is_proved_in_the_browser_and_a_tampered_one_is_not(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (live, address), Client(address) as client, browsing() as (page, wrong):
            await client.visit()
            async with client.table(NAME) as table:
                await play_round(table, client)
                number = 1
                await look(page, address, 1, 1)
                await expect(page.locator("#proof .holds")).to_have_count(1)
                await expect(page.locator("#proof")).to_contain_text("still in play")
                while table.state["shoe"]["number"] == 0:
                    await next_round(table)
                    number += 1
            await live.house.writer.wait_until_flushed()
            await look(page, address, 1, 3)
            await expect(page.locator("#proof .holds")).to_have_count(2)
            await expect(page.locator("#proof")).to_contain_text("The whole shoe follows from its seed")
            assert await page.evaluate("() => window.isSecureContext || !crypto.subtle") in (True, False)
            for change, says in ((other_card, "cannot be proved"), (other_seed, "not the one that was committed to")):
                await page.route("**/proof", tampered(change))
                await look(page, address, 1, 3)
                await expect(page.locator("#proof .fails").first).to_contain_text(says)
                await expect(page.locator("#proof .holds")).to_have_count(0)
                await page.unroute("**/proof")
            await check_files(page, b"".join(stream_journal(live.reads, table_stream(NAME))), tmp_path)
            assert wrong == []

    run_in_browser(work())


async def check_files(page: Page, journal: bytes, folder: Path) -> None:
    """A journal as a file, true and with one card changed."""
    true, forged = folder / "true.jsonl", folder / "forged.jsonl"
    true.write_bytes(journal)
    lines = journal.splitlines(keepends=True)
    index = next(index for index, line in enumerate(lines) if b'"do":"turn_card"' in line)
    record = json.loads(lines[index])
    card = record["record"]["command"]["card"]
    card["rank"] = "K" if card["rank"] != "K" else "Q"
    lines[index] = json.dumps(record, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
    forged.write_bytes(b"".join(lines))
    await page.locator("#file").set_input_files(true)
    await expect(page.locator("#file-answer .open")).to_contain_text("nothing is wrong")
    await page.locator("#file").set_input_files(forged)
    await expect(page.locator("#file-answer .fails")).to_contain_text("something is wrong")


def test_every_act_of_a_round_opens_to_the_words_of_its_clauses(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (_live, address), Client(address) as client, browsing() as (page, wrong):
            await client.visit()
            async with client.table(NAME) as table:
                await play_round(table, client)
            await look(page, address, 1, 1)
            stays = page.locator("#happened .hand-stays, #happened .card-drawn").last
            await stays.locator("summary").click()
            await expect(stays.locator("p.spoken").first).to_be_visible()
            said = await page.locator("#happened .result-announced").inner_text()
            assert "“Player " in said
            steps = await page.locator("#happened .step").count()
            assert steps > 0
            assert await page.locator("#happened .step:last-child, #happened .step + .step").count() == 0
            await page.get_by_role("link", name="To the table").click()
            await page.locator("#history a").first.click()
            await page.locator("#happened li").first.wait_for()
            assert wrong == []

    run_in_browser(work())
