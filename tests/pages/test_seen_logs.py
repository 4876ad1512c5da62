"""The verifier of the round page remembers logs: two histories under one key are found on two days, in one browser."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.async_api import expect

from browser import browsing, run_in_browser
from bundles import LOG, short_shoes
from served import served
from signed_journal import signed_by
from table_page import NAME

pytestmark = pytest.mark.slow
KEPT = "seen logs"


def test_a_second_history_of_a_log_is_wrong_in_the_same_browser(tmp_path: Path) -> None:
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    one.write_bytes(signed_by(short_shoes(), 100))
    other.write_bytes(signed_by(short_shoes(words="another"), 120))

    async def work() -> None:
        async with served(tmp_path) as (_live, address), browsing() as (page, _wrong):
            for file, sign in ((one, ".open"), (other, ".fails"), (one, ".open")):
                await page.goto(f"{address}/round/{NAME}/1/1")  # what was seen outlives the page
                await expect(page.get_by_role("alert")).to_contain_text("There is no round")  # its script has run
                await page.locator("#file-keys").fill(str(LOG.verifier))
                await page.locator("#file").set_input_files(file)
                await expect(page.locator(f"#file-answer {sign}")).to_be_visible()
                if file is other:
                    said = "the first 100 entries of example.org/house/table/1 are not those that it signed before"
                    await expect(page.locator("#file-answer")).to_contain_text(said)
            kept = json.loads(await page.evaluate("(key) => localStorage.getItem(key)", KEPT))
            assert [note.split("\n")[:2] for note in kept] == [[LOG.verifier.name, "100"]]
            # Of very many logs those that were not seen for the longest time are dropped; this one was seen last.
            more = [kept[0].replace(LOG.verifier.name, f"example.org/h{number}/table/1", 1) for number in range(100)]
            await page.evaluate("([key, text]) => localStorage.setItem(key, text)", [KEPT, json.dumps(more)])
            await page.locator("#file").set_input_files([])
            await page.locator("#file").set_input_files(one)
            # The answer before looks the same: wait for what is stored with the new one.
            last = "([key, name]) => JSON.parse(localStorage.getItem(key)).at(-1).startsWith(`${name}\\n`)"
            await page.wait_for_function(last, arg=[KEPT, LOG.verifier.name])
            kept = json.loads(await page.evaluate("(key) => localStorage.getItem(key)", KEPT))
            names = [note.split("\n")[0] for note in kept]
            assert (len(names), names[0], names[-1]) == (100, "example.org/h1/table/1", LOG.verifier.name)

    run_in_browser(work())
