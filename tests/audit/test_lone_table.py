"""A table without a house: what only the books of a house could show is reported as not covered."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from baccarat.audit.journal import JournalAudit
from baccarat.engine.journaled_table import JournaledTable
from baccarat.house.stream import table_stream
from baccarat.play.wager import WagerKind
from baccarat.record.journal_file import JournalFile
from baccarat.table.step.wagering import PlaceWager
from baccarat.table.table_cards import TableCards
from kept import lines_of
from table_driver import new_game, seated


@pytest.mark.parametrize(
    ("named", "gaps"),
    [
        ({}, []),
        ({"coupon": 2_500}, []),
        ({"coupon": 2_500, "coupon_number": 4_711}, ["no coupon book shows that its coupon was issued, and to whom"]),
    ],
    ids=["none", "on paper", "numbered"],
)
def test_a_coupon_number_that_nobody_can_check_is_not_covered(
    named: dict[str, Any], gaps: list[str], tmp_path: Path
) -> None:
    """At a table alone any number was taken, and the audit said that everything was decided again."""
    game, path = new_game("ma-midi-4", "7S 9D TH KC 2C 3C 4C 5C", match_play=True), tmp_path / "journal.jsonl"
    with JournalFile(path, sync=False) as file:
        assert not list(file.open())
        game.table = JournaledTable.begin(game.rules, file, table_stream("1"), cards=TableCards.REAL)
        seated(game, (1, 3))
        game.go("wager").do(PlaceWager(seat=1, on=WagerKind.BANKER, stake=2_500, **named))
        game.finish_round()
    audit = JournalAudit()
    audit.lines(lines_of(path.read_bytes()), file="x")
    report = audit.report()
    assert [each.kind for each in report.findings] == []
    found = [gap for each in report.coverage for gap in each.gaps if "coupon" in gap]
    assert [gap.partition(": ")[2] for gap in found] == gaps
