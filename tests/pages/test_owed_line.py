"""What the cards owe after a correction is a line on every screen: table, console, floor and watch."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import expect

from baccarat.money import Cents
from baccarat.play.hand import PLAYER_SIDE
from baccarat.serve.runtime.house import EngineTable
from baccarat.table.base import table_rules
from baccarat.table.owed import dues
from baccarat.table.role import Role
from browser import browsing, run_in_browser
from correction_scenes import key_again
from floor_house import open_pit, play_until, sign_on_as
from house_of_roles import production
from served import served

pytestmark = pytest.mark.slow

PATIENCE = 60_000


def misread(table: EngineTable) -> int:
    """A card of the Banker's turns out to be another one: what seat 3, which had lost, is owed."""
    place = table.state.round.banker[0]
    for card in ("9h", "8h", "7h", "6h", "5h", "4h", "3h"):
        key_again(table, place, card)
        if (due := dues(table_rules(table.rules), table.state).get(3, 0)) > 0:
            return due
    raise AssertionError("one of them wins, or ties")


@pytest.mark.parametrize(
    ("role", "path"),
    [
        (Role.PARTICIPANT, "/table/Midi"),
        (Role.DEALER, "/dealer/Midi"),
        (Role.FLOORPERSON, "/floor"),
        (Role.SURVEILLANCE, "/watch/Midi"),
    ],
)
def test_what_the_corrected_cards_owe_is_a_line_on_every_screen(tmp_path: Path, role: Role, path: str) -> None:
    async def work() -> None:
        async with served(tmp_path, **production(tmp_path)) as (live, address), browsing() as (page, wrong):
            await open_pit(live, "main", Midi="ma-midi-4")
            at = await play_until(
                live, "Midi", lambda at: at.state.step == "clear" and at.state.round.winner is PLAYER_SIDE,
                patron="Pat Patron",
            )  # fmt: skip
            due = misread(at)
            page.set_default_timeout(PATIENCE)
            await sign_on_as(live, page, address, "Pat Patron" if role is Role.PARTICIPANT else "Some Body", role)
            await page.goto(f"{address}{path}")
            line = page.get_by_text(f"pays seat 3 {Cents(due)} that the corrected cards owe it")
            await expect(line.first).to_be_visible(timeout=8_000)
            assert wrong == []

    run_in_browser(work())
