"""A meter that was raised beyond what is on record, as an older version allowed it: a finding, and no forgery."""

from __future__ import annotations

from itertools import count
from pathlib import Path

from baccarat.audit.journal import JournalAudit
from baccarat.engine.journaled_table import JournaledTable
from baccarat.record.journal_file import JournalFile
from baccarat.table.machine import BEHAVIOUR
from baccarat.table.meters import CorrectMeter
from baccarat.table.role import Role
from baccarat.table.step.calling import NoMoreBetsCalled
from kept import TABLE, lines_of, rehashed
from table_driver import MICRO, new_game, seated


def journal_with_a_raised_meter(folder: Path) -> bytes:
    """A round before whose cards $90,000 are put into a meter, as goodwill within the filed limit."""
    file, moments = JournalFile(folder / "journal.jsonl", sync=False), count(10**15, 10**6)
    assert not list(file.open())
    game = new_game("ma-midi-4-royal9", "7S 9D TH KC", goodwill_limit="$100,000.00")
    game.table = JournaledTable.begin(game.rules, file, TABLE, clock=lambda: next(moments))
    seated(game, (1,)).go("wager").wager("1 p 2500", "1 royal9 500").go("deal")
    called = next(at for at, event in enumerate(game.table.log) if isinstance(event, NoMoreBetsCalled))
    generous = CorrectMeter(corrects=called, meter="star", amount=9_000_000 * MICRO, reason="generous")
    game.do(generous, by=Role.FLOORPERSON, who="F. Loor", second="A. Dmin", second_role=Role.ADMINISTRATOR)
    file.close()
    return (folder / "journal.jsonl").read_bytes()


def findings(data: bytes) -> list[tuple[str, str]]:
    audit = JournalAudit()
    audit.lines(lines_of(data), file="journal")
    return [(each.kind, each.promise) for each in audit.report().findings]


def test_a_meter_that_dealer_and_floor_raised_is_a_finding(tmp_path: Path) -> None:
    """Version 1 accepted $9,000,000 because "generous", and no audit said anything."""
    data = journal_with_a_raised_meter(tmp_path)
    assert findings(data) == [], "somebody outside the pit approved it, within the limit"
    lines = data.splitlines(keepends=True)
    as_then = lines[-1].replace(b'"goodwill":true,', b"").replace(b'"administrator"', b'"dealer"')
    assert as_then.count(b'"goodwill"') == 0
    old = [line.replace(f'"behaviour":{BEHAVIOUR}'.encode(), b'"behaviour":1') for line in (*lines[:-1], as_then)]
    assert findings(b"".join(rehashed(old))) == [("ruled_otherwise_since", "J4"), ("owed", "M10")]
