"""Receipts in the browser: the table page keeps those of one's own wagers, the verifier of the round page uses them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import expect

from baccarat.house.stream import table_stream
from baccarat.record.key import KeyKind, Signer
from baccarat.record.receipt import read_receipt
from baccarat.serve.store.journal_export import stream_journal
from browser import browsing, run_in_browser
from forgery_parts import rehashed_lines
from served import served
from table_page import NAME, PATIENCE, go_to_table, sit_with_chips, turn_whatever_is_mine, wagers_open

pytestmark = pytest.mark.slow
OWN = Signer("example.org/house", KeyKind.LOG, bytes(range(32)))
KEPT = f"receipts example.org/house/table/{NAME}"


def test_a_receipt_of_a_wager_is_kept_and_proves_a_rewritten_journal_wrong(tmp_path: Path) -> None:
    (tmp_path / "sign.key").write_text(OWN.secret)
    (tmp_path / "sign.key").chmod(0o600)

    async def work() -> None:
        async with (
            served(tmp_path, sign_key=str(tmp_path / "sign.key")) as (live, address),
            browsing() as (page, wrong),
        ):
            page.set_default_timeout(PATIENCE)
            expect.set_options(timeout=PATIENCE)
            await go_to_table(page, address)
            await sit_with_chips(page)
            await wagers_open(page)
            await page.keyboard.press("4")
            await page.keyboard.press("b")
            await expect(page.locator("#purse dd").nth(1)).to_have_text("$100.00")
            await turn_whatever_is_mine(page, "#history li")
            found: list[dict[str, Any]] = []

            async def kept() -> bool:
                found[:] = json.loads(await page.evaluate("(key) => localStorage.getItem(key) ?? '[]'", KEPT))
                return any(b'"do":"place_wager"' in read_receipt(each["text"].encode()).body for each in found)

            for _ in range(100):
                if await kept():
                    break
                await page.wait_for_timeout(300)
            assert await kept(), found
            await live.house.writer.wait_until_flushed()
            lines = list(stream_journal(live.store, table_stream(NAME)))
            honest, forged = tmp_path / "honest.jsonl", tmp_path / "forged.jsonl"
            honest.write_bytes(b"".join(lines))
            entries = [line for line in lines if line.startswith(b'{"hash"')]
            wager = next(index for index, line in enumerate(entries) if b'"do":"place_wager"' in line)
            entries[wager] = entries[wager].replace(b'"at":1', b'"at":2', 1)
            forged.write_bytes(b"".join(rehashed_lines(entries)))
            await page.goto(f"{address}/round/{NAME}/1/1")
            await expect(page.locator("#receipt-count")).to_have_text(f"{len(found)} receipts stored in this browser")
            await page.locator("#receipt-count").click()
            link = page.locator("#receipt-list a", has_text="place wager")
            async with page.expect_download() as saved:
                await link.click()
            name = (await saved.value).suggested_filename
            await (await saved.value).save_as(tmp_path / name)
            assert (tmp_path / name).read_text() in {each["text"] for each in found}
            await page.locator("#file-keys").fill(str(OWN.verifier))
            await page.locator("#file").set_input_files(honest)
            await expect(page.locator("#file-answer")).to_contain_text("show an entry that is there")
            await page.locator("#file").set_input_files(forged)
            await expect(page.locator("#file-answer .verdict.fails")).to_be_visible()
            assert wrong == []

    run_in_browser(work())
