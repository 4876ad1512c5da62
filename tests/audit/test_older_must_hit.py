"""The Must Hit as version 2 ran it, in rounds whose corrected cards settle nothing: such journals are no forgeries."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from baccarat.audit.journal import JournalAudit
from baccarat.engine.journaled_table import JournaledTable
from baccarat.law.rulebook import read_submission
from baccarat.law.submission import MustHit
from baccarat.record.journal_file import JournalFile
from baccarat.table.machine import BEHAVIOUR
from baccarat.table.step import must_hit
from baccarat.table.step.must_hit import EndRound, MustHitEnded, SealTrigger, seal_of
from baccarat.table.table_cards import TableCards
from correction_scenes import set_right
from kept import TABLE, lines_of, rehashed
from table_driver import new_game, seated
from three_verifiers import three_statuses

TIE = "7S 7D TH KC"
TERMS = MustHit(start=100_000, ceiling=200_000, contribution=25)


def journal_of_version_2(path: Path, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """A tie whose first card was a two: the cards settle nothing, and version 2 ran the Must Hit all the same."""
    progress = read_submission("ma-midi-4-royal9")["royal9"]
    elected = {"start": "$1,000.00", "ceiling": "$2,000.00", "contribution": "$0.25"}
    moments = count(10**15, 10**6)
    with JournalFile(path, sync=False) as file, monkeypatch.context() as then:
        then.setattr(must_hit, "settles_nothing", lambda *_: False)
        assert not list(file.open())
        game = new_game("ma-midi-4", f"{TIE} {TIE} {TIE}", seats=7, royal9=progress, must_hit=elected)
        game.table = JournaledTable.begin(game.rules, file, TABLE, clock=lambda: next(moments), cards=TableCards.REAL)
        seated(game, (1, 3)).go("wager")
        game.do(SealTrigger(seal=seal_of(TERMS, 100_000, "salt")))
        game.wager("1 t 500", "1 royal9 500", "3 t 500", "3 royal9 500").go("must_hit")
        set_right(game, game.state.round.player[0], "2S", "a two")
        game.go_to_act("end_round").do(EndRound(trigger=100_000, salt="salt", lot=0))
        assert game.last(MustHitEnded).award == 100_050
        game.finish_round()
        seal = seal_of(TERMS, 200_000, "more")
        game.do(SealTrigger(seal=seal))
        game.play("1 t 500")
    lines = [
        line.replace(f'"behaviour":{BEHAVIOUR}'.encode(), b'"behaviour":2')
        for line in path.read_bytes().splitlines(keepends=True)
    ]
    return b"".join(rehashed(lines))


def findings(data: bytes) -> list[str]:
    audit = JournalAudit()
    audit.lines(lines_of(data), file="journal")
    return [each.kind for each in audit.report().findings]


def test_a_must_hit_that_version_2_ran_though_nothing_was_settled_is_no_forgery(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal.jsonl"
    data = journal_of_version_2(path, monkeypatch)
    assert set(findings(data)) == {"ruled_otherwise_since"}
    as_now = b"".join(rehashed(data.replace(b'"behaviour":2', b'"behaviour":3').splitlines(keepends=True)))
    assert "other_events" in findings(as_now), "this version does not run it"
    path.write_bytes(data)
    assert three_statuses([path])["journal"] == (3, 3, 3)
