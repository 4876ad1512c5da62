"""Readings that are elections: what a licensee files is played, and silence gives a warning."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from acting import acting
from baccarat.law.edition import load_edition
from baccarat.law.rulebook import read_submission, rulebook
from baccarat.table.base import Accepted
from baccarat.table.exception_report import ReportException
from baccarat.table.rules_adoption import AdoptRules
from baccarat.table.state import Participant
from baccarat.table.step.abandoning import AbandonShoe
from baccarat.table.step.announcing import ResultAnnounced
from baccarat.table.step.sealing import CommitShoe
from baccarat.table.table_cards import TableCards
from card_scenes import BANKER_WINS
from strategies import EARLY, EDITIONS, LATE, MASSACHUSETTS, NEW_JERSEY
from table_driver import game_at, new_game, seated

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


OWN, IDENTICAL, POSTED = "own_chair", "other_chair_identical", "any_posted"
TENTH, SHARED = 500_014, {1: 166_672, 5: 166_671, 6: 166_671}
"""A tenth of the $50,001.35 that the major meter shows, raised to the cent; in three parts, the odd cent to seat 1."""
ROYAL_TIE = 25_000
ANY_TWO: dict[str, tuple[str, dict[str, dict[int, int]]]] = {
    # the Player has the first card and the third; the combinations of chair 5 are KH, QH or JH with 9S, of 6 with 9C
    "two of chair 5": (
        "KH QH 9S 9S",
        {
            OWN: {1: ROYAL_TIE, 5: TENTH, 6: ROYAL_TIE},
            IDENTICAL: {
                1: ROYAL_TIE,
                5: 35_075,
                6: ROYAL_TIE,
            },  # for chair 5 the meter of its king on the Player's hand
            POSTED: SHARED,
        },
    ),
    "one of chair 5 twice": (
        "QH QH 9S 9S",
        {
            OWN: {
                1: ROYAL_TIE,
                5: 5_000_135,
                6: ROYAL_TIE,
            },  # for chair 5 an exact match, after which the meter is seeded
            IDENTICAL: {1: 250_000, 5: 5_000_135, 6: 250_000},
            POSTED: {1: 250_000, 5: 5_000_135, 6: 250_000},
        },
    ),
    "one of chair 5 and one of chair 6": (
        "QH JH 9S 9C",
        {OWN: dict.fromkeys((1, 5, 6), ROYAL_TIE), IDENTICAL: dict.fromkeys((1, 5, 6), ROYAL_TIE), POSTED: SHARED},
    ),
}


@clause("MA-v1-2:12(i).pay2")
@pytest.mark.parametrize("elected", [OWN, IDENTICAL, POSTED])
@pytest.mark.parametrize("name", ANY_TWO)
@pytest.mark.parametrize("edition", EARLY)
def test_12_i_pay2_the_table_awards_any_two_as_the_licensee_files_it(edition: str, name: str, elected: str) -> None:
    """Reading A-13 is an election: a tenth of the meter goes to those whom the filed sense names, to nobody else."""
    cards, prizes = ANY_TWO[name]
    game = game_at(edition, cards, seats=[1, 5, 6], royal9={"paytable": 1}, any_two=elected)
    before = {seat: game.chips(seat) for seat in (1, 5, 6)}
    game.play(*(text for seat in (1, 5, 6) for text in (f"{seat} t 500", f"{seat} royal9 500")))
    won = {seat: game.chips(seat) - before[seat] - 8 * 500 + 500 for seat in (1, 5, 6)}  # less the Tie, and the stake
    assert won == prizes[elected]


@clause("MA-v1-2:12(i).wager", "MA-v3-4:12(i).wager")
@pytest.mark.parametrize("edition", MASSACHUSETTS)
def test_12_i_the_table_returns_a_stake_that_has_won_as_the_licensee_files_it(edition: str) -> None:
    """Reading A-14 is an election: the $5 come back with a prize where that is filed, and never without a prize."""
    late = {"seats": 7, "royal9": read_submission("ma-midi-4-royal9")["royal9"]}
    filed: dict[str, Any] = late if edition in LATE else {"royal9": {"paytable": 1}}
    for cards, prize in (("QS 4D 9D 2C", 2_500), ("4S 5D 2H 2C", 0)):  # any Royal 9 pays $25; nothing, and a loss
        for returned in (False, True):
            game = seated(new_game(edition, cards, royal9_return_stake=returned, **filed), [1]).go("wager")
            before = game.chips(1)
            game.play("1 t 500", "1 royal9 500")
            tie = 8 * 500 if game.last(ResultAnnounced).outcome == "tie" else -500
            back = 500 if returned and prize else 0
            assert game.chips(1) - before - tie == prize - 500 + back, (cards, returned)


@pytest.mark.parametrize(
    ("name", "option", "stated"),
    [
        ("ma-midi-1-royal9", "any_two", {}),
        ("ma-midi-1-royal9", "royal9_return_stake", {}),
        ("ma-midi-4-royal9", "royal9_return_stake", {}),
        ("ma-midi-4", "disclosed_correct_card", {}),
        ("ma-midi-4", "electronic_cut", {}),
        ("ma-midi-4", "shoe_given_up", {}),
        ("ma-midi-4", "exception_reports", {"vig_collection": "deferred"}),
        ("nj-punto-banco", "face_up_ten_extra", {}),
        ("nj-punto-banco", "notice_minutes", {}),
        ("nj-punto-banco", "electronic_cut", {}),
        ("nj-punto-banco", "shoe_given_up", {}),
    ],
)
def test_an_election_that_readings_leave_to_the_licensee_is_not_made_in_silence(
    name: str, option: str, stated: dict[str, str]
) -> None:
    """A-13, A-14, A-27, A-29, A-38, A-62, A-94, A-96: what is not stated is played as before, one hash, a warning."""
    filed = {**read_submission(name), **stated}
    law = load_edition(filed["ruleset"]).options[option]
    usual = False if law.may else law.default  # what the licensee may do it does not do in silence
    silent = rulebook({key: value for key, value in filed.items() if key != option})
    assert [warning.where for warning in silent.warnings] == [option]
    spoken = rulebook({**filed, option: usual})
    assert (spoken.hash, spoken.warnings) == (silent.hash, ())
