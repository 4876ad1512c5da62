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
from running_witness import RunningWitness, settings, witnesses
from served import served
from table_page import NAME, PATIENCE, go_to_table, sit_with_chips

pytestmark = pytest.mark.slow
TABLE = f"/api/tables/{NAME}"
ALWAYS = (
    "whose signatures the record bears; the house served this proof itself",
    "whether draws, results and payments",
)
"""What the check of a shoe in a browser never covers."""


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
                gaps = page.locator("#proof .gaps li")
                await expect(gaps).to_contain_text([f"Not covered: {say}" for say in (*ALWAYS, "the seed of shoe 1")])
                while table.state["shoe"]["number"] == 0:
                    await next_round(table)
                    number += 1
            await live.house.writer.wait_until_flushed()
            await look(page, address, 1, 3)
            await expect(page.locator("#proof .holds")).to_have_count(2)
            await expect(page.locator("#proof")).to_contain_text("The whole shoe follows from its seed")
            await expect(gaps).to_contain_text([f"Not covered: {say}" for say in ALWAYS])
            assert await page.evaluate("() => window.isSecureContext || !crypto.subtle") in (True, False)
            for change, says in ((other_card, "cannot be proved"), (other_seed, "not the one that was committed to")):
                await page.route("**/proof", tampered(change))
                await look(page, address, 1, 3)
                await expect(page.locator("#proof .fails").first).to_contain_text(says)
                await expect(page.locator("#proof .holds")).to_have_count(0)
                await page.unroute("**/proof")
            await check_files(page, b"".join(stream_journal(live.store, table_stream(NAME))), tmp_path)
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
    await expect(page.locator("#file-answer .open")).to_contain_text("found nothing wrong")
    await page.locator("#file").set_input_files(forged)
    await expect(page.locator("#file-answer .fails")).to_contain_text("found something wrong")


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


def other_signature(said: dict[str, Any]) -> None:
    """A share is shown with a signature that its witness did not make."""
    signed = said["notes"][0]["note"]
    signed[6] = signed[6][:-6] + ("AAAA" if signed[6][-6:-2] != "AAAA" else "BBBB") + signed[6][-2:]


def test_witnesses_are_named_and_their_signatures_are_checked_in_the_browser(tmp_path: Path) -> None:
    async def work(running: list[RunningWitness]) -> None:
        async with (
            served(tmp_path, **settings(tmp_path, running)) as (live, address),
            Client(address) as client,
            browsing() as (page, wrong),
        ):
            await client.visit()
            async with client.table(NAME) as table:
                await play_round(table, client)
                await live.house.writer.wait_until_flushed()
                await look(page, address, 1, 1)
                proof = page.locator("#proof")
                await expect(proof.locator(".holds")).to_have_count(1)
                await expect(proof).to_contain_text("2 witnesses contributed shares that the house could not know")
                for each in running:
                    key = each.shares.verifier
                    await expect(proof).to_contain_text(f"{key.name}+{key.id.hex()}")
                await expect(proof).to_contain_text("only a witness's cosignature dates anything")
                await expect(proof).to_contain_text("Not covered: whose keys signed the shares; the house names them.")
                await page.route("**/proof", tampered(other_signature))
                await look(page, address, 1, 1)
                await expect(proof.locator(".fails").first).to_contain_text("did not sign its share")
            assert wrong == []

    with witnesses(tmp_path) as running:
        run_in_browser(work(running))


@pytest.mark.parametrize("has_witnesses", [True, False])
def test_the_table_says_who_had_a_part_in_the_order_and_that_it_was_sealed_before_one_sat(
    tmp_path: Path, has_witnesses: bool
) -> None:
    async def work(running: list[RunningWitness]) -> None:
        async with (
            served(tmp_path, **settings(tmp_path, running)) as (live, address),
            Client(address) as client,
            browsing() as (page, wrong),
        ):
            await client.visit()
            async with client.table(NAME) as table:
                await play_round(table, client)
                await live.house.writer.wait_until_flushed()
                await go_to_table(page, address)
                parts = (
                    "2 witnesses contributed shares"
                    if has_witnesses
                    else "the house alone could have known it beforehand"
                )
                await expect(page.locator("#order")).to_contain_text(parts)
                await expect(page.locator("#order")).not_to_contain_text("before you sat")
                await sit_with_chips(page)
                await expect(page.locator("#order")).to_contain_text("It was sealed before you sat down.")
            assert wrong == []

    if not has_witnesses:
        run_in_browser(work([]))
        return
    with witnesses(tmp_path) as running:
        run_in_browser(work(running))
