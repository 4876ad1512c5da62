"""Upgrades in the middle of a shoe: every release's store opens, has what it had, and its round is dealt on."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest

from baccarat import __version__
from golden_stores import FOLDER, HOUSE, TABLE, copied, found_in, versions
from served import audited, run_for, served


def test_there_is_a_store_of_this_version() -> None:
    assert __version__ in versions(), "python tools/stores.py"


@pytest.mark.parametrize("version", versions())
def test_a_store_of_each_release_has_what_it_had(version: str, tmp_path: Path) -> None:
    expected = copied(version, tmp_path)
    assert found_in(tmp_path / HOUSE) == expected
    assert expected["turned"] >= 2, "it stands in the middle of a round"
    assert expected["signed"][f"table {TABLE}"] > 0
    assert expected["compressed"] > 0


@pytest.mark.parametrize("version", versions())
def test_without_its_snapshot_it_is_the_same(version: str, tmp_path: Path) -> None:
    expected = copied(version, tmp_path)
    with sqlite3.connect(tmp_path / HOUSE) as store:
        assert store.execute("delete from snapshot").rowcount > 0, "it has one, with entries after it"
    store.close()
    assert found_in(tmp_path / HOUSE) == expected


@pytest.mark.slow
@pytest.mark.parametrize("version", versions())
def test_the_round_that_was_begun_is_dealt_on_and_the_journal_passes_the_audit(version: str, tmp_path: Path) -> None:
    expected = copied(version, tmp_path)

    async def work() -> None:
        async with served(tmp_path) as (live, _):
            while live.house.state.tables[TABLE].round.number == expected["round"]:
                await asyncio.sleep(0.01)
            await live.house.writer.wait_until_flushed()
            audited(live, tmp_path)

    run_for(work())
    after = found_in(tmp_path / HOUSE)
    for stream, (seq, _) in expected["heads"].items():
        assert after["heads"][stream][0] >= seq
    assert after["heads"][f"table {TABLE}"][0] > expected["heads"][f"table {TABLE}"][0]
    assert (FOLDER / version / HOUSE).read_bytes() != (tmp_path / HOUSE).read_bytes()
