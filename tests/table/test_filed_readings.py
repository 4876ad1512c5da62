"""Readings that are elections: what a licensee files is played, and silence gives a warning."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from acting import acting
from baccarat.law.edition import load_edition
from baccarat.law.rulebook import read_submission, rulebook
from baccarat.table.base import Accepted
from baccarat.table.rules_adoption import AdoptRules
from baccarat.table.state import Participant
from baccarat.table.step.abandoning import AbandonShoe
from baccarat.table.step.sealing import CommitShoe
from baccarat.table.table_cards import TableCards
from baccarat.table.vigorish_debt import ReportException
from card_scenes import BANKER_WINS
from strategies import EDITIONS, MASSACHUSETTS, NEW_JERSEY
from table_driver import game_at

clause = pytest.mark.clause


@clause("MA:9(d).4", "NJ:3.8(e).3")
@pytest.mark.parametrize("edition", EDITIONS)
def test_9_d_a_licensee_that_files_so_plays_every_shoe_to_its_end(edition: str) -> None:
    """Reading A-94 is an election: where it is filed as never, a shoe is given up only if it has stopped the table."""
    away = AbandonShoe(reason="the table closes")
    game = game_at(edition, seats=[1], shoe_given_up="never").go("wager")
    game.refused(away, "not_offered", cites="3.8(e)" if edition == NEW_JERSEY else "9(d)")
    game.table.state = replace(game.state, stopped="foul shoe")
    game.do(away)
    game_at(edition, seats=[1], shoe_given_up="between_rounds").go("wager").do(away)


@clause("MA:12(d)(2)(i)")
@pytest.mark.parametrize("edition", MASSACHUSETTS)
def test_12_d_2_i_a_licensee_that_files_so_reports_no_vigorish_as_an_exception(edition: str) -> None:
    """Reading A-38 is an election: where exceptions are not admitted, the debt stays until it is paid."""
    two: dict[str, Any] = {"who": "F. Loor", "second": "S. Uper"}
    for admitted in ("admitted", "not_admitted"):
        filed: dict[str, Any] = {"vig_collection": "deferred", "exception_reports": admitted}
        game = game_at(edition, BANKER_WINS, seats=[1], chips=10_000, **filed)
        game.go("wager").play("1 b 10000")
        report = ReportException(seat=1, reason="he has gone")
        game.table.state = replace(game.state, seats=game.state.seats.with_person(1, Participant("p1", 0)))
        if admitted == "not_admitted":
            game.refused(report, "not_offered", cites="12(d)(2)(i)", **two)
        else:
            outcome = game.table.do(report, acting(game.table, report, **two))
            assert isinstance(outcome, Accepted)


@clause("MA:5(d)", "NJ:3.5(d)")
@pytest.mark.parametrize("edition", EDITIONS)
def test_5_d_a_licensee_that_files_so_has_no_electronic_shoe(edition: str) -> None:
    """Reading A-96 is to be filed: where none is used, no table commits to an order."""
    rules = rulebook(edition, electronic_cut="not_used")
    bare = game_at(edition, seats=[1], electronic_cut="not_used")
    bare.refused(CommitShoe(table="T1", shoe="0", commitment="0" * 64), "not_offered")
    opened = game_at(edition, seats=[1])
    opened.table.state = replace(opened.state, cards=TableCards.ELECTRONIC)
    opened.refused(AdoptRules(submission={**rules.submission, "ruleset": edition}), "out_of_order")


@pytest.mark.parametrize(
    ("name", "option", "stated"),
    [
        ("ma-midi-4", "disclosed_correct_card", {}),
        ("ma-midi-4", "electronic_cut", {}),
        ("ma-midi-4", "shoe_given_up", {}),
        ("ma-midi-4", "exception_reports", {"vig_collection": "deferred"}),
        ("nj-punto-banco", "face_up_ten_extra", {}),
        ("nj-punto-banco", "electronic_cut", {}),
        ("nj-punto-banco", "shoe_given_up", {}),
    ],
)
def test_an_election_that_readings_leave_to_the_licensee_is_not_made_in_silence(
    name: str, option: str, stated: dict[str, str]
) -> None:
    """A-27, A-29, A-38, A-94, A-96: what is not stated is played as before, with the same hash and a warning."""
    filed = {**read_submission(name), **stated}
    usual = load_edition(name).options[option].default
    silent = rulebook({key: value for key, value in filed.items() if key != option})
    assert [warning.where for warning in silent.warnings] == [option]
    spoken = rulebook({**filed, option: usual})
    assert (spoken.hash, spoken.warnings) == (silent.hash, ())
