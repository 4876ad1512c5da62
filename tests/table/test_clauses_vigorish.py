"""Section 12(d), subchapter 3.3(c), at the table: vigorish collected, marked, reported and documented."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from acting import acting
from baccarat.table.base import Accepted
from baccarat.table.dealers import ComeOn
from baccarat.table.exception_report import ExceptionReported, ReportException
from baccarat.table.machine import decide
from baccarat.table.missing_form import MissForm
from baccarat.table.role import Role
from baccarat.table.seating_acts import BuyIn, Leave, Left, VigorishCollected
from baccarat.table.step.closing import CloseShoe, CollectVigorish
from baccarat.table.step.settlement import (
    VigorishTaken,
)
from baccarat.table.table_cards import TableCards
from baccarat.table.vigorish_debt import DocumentVigorish, VigorishDocumented
from baccarat.table.vigorish_form import ComplimentaryForm, ReceiveForms, VoidForm
from printed import paragraphs
from strategies import EDITIONS, MASSACHUSETTS, NEW_JERSEY
from table_driver import Game, game_at

clause = pytest.mark.clause
each_edition = pytest.mark.parametrize("edition", EDITIONS)
each_of_massachusetts = pytest.mark.parametrize("edition", MASSACHUSETTS)
BANKER_WINS, PLAYER_WINS, TIE = "7S 9D TH KC", "9S 7D TH KC", "7S 7D TH KC"


def owing(edition: str, *, chips: int = 10_000_000) -> Game:
    """Seat 3 owes $5.00 of marked vigorish."""
    game = game_at(edition, BANKER_WINS, chips=chips, vig_collection="deferred")
    game.play("3 b 10000")
    assert game.state.money.markers == {3: 500}
    return game


@clause("MA:12(d)(1)", "NJ:3.3(c)2.1")
@each_edition
def test_12_d_1_vigorish_taken_at_the_payout_leaves_no_marker(edition: str) -> None:
    game = game_at(edition, BANKER_WINS, vig_collection="at_payout")
    game.play("3 b 10000")
    assert game.state.money.markers == {}
    assert game.last(VigorishTaken).marked is False
    assert game.chips(3) == 10_000_000 + 9500


@clause("MA:12(d)(2)", "MA:12(d)(2)(ii)", "MA:12(d)(2)(iii)", "NJ:3.3(c)2.1", "NJ:3.3(c)2.3", "NJ:3.3(c)2.4")
@each_edition
def test_12_d_2_deferred_vigorish_is_marked_and_the_marker_stays(edition: str) -> None:
    game = game_at(edition, f"{BANKER_WINS} {BANKER_WINS} {TIE}", vig_collection="deferred")
    game.play("3 b 10300", "5 b 2500")
    assert game.state.money.markers == {3: 525, 5: 125}
    assert game.chips(3) == 10_000_000 + 10300
    game.go("wager").play("3 b 10000")
    assert game.state.money.markers == {3: 1025, 5: 125}
    game.go("wager").play("1 t 500")
    assert game.state.money.markers == {3: 1025, 5: 125}
    game.do(CollectVigorish(seat=3))
    assert game.last(VigorishCollected).amount == 1025
    assert game.state.money.markers == {5: 125}
    game.refused(CollectVigorish(seat=3), "no_such_wager")


@clause("MA:12(d)(2)(i)", "NJ:3.3(c)2.2", "NJ:3.3(c)4")
@each_edition
def test_12_d_2_i_marked_vigorish_is_collected_when_the_participant_leaves(edition: str) -> None:
    game = owing(edition)
    game.do(Leave(seat=3))
    assert (game.last(VigorishCollected).amount, game.last(Left).chips) == (500, 10_009_500)
    assert game.state.money.markers == {}


@clause("MA:12(d)(2)(i)", "NJ:3.3(c)2.2", "NJ:3.3(c)4")
@each_edition
def test_12_d_2_i_no_shoe_closes_while_vigorish_is_outstanding(edition: str) -> None:
    game = owing(edition)
    game.go("wager").skip(left=13, cover_out=True).play("1 t 500")
    where = "3.3(c)4" if edition == NEW_JERSEY else "12(d)(2)(i)"
    game.refused(CloseShoe(), "vigorish_owed", cites=where)
    assert game.next_act().act == "collect_vigorish"
    game.act()
    game.do(CloseShoe())


def at_the_end(edition: str) -> Game:
    """Seat 3, who owes $5.00, has no chips left, and the shoe is to be closed."""
    game = game_at(edition, BANKER_WINS, chips=10_000, vig_collection="deferred",
                   end=f"{BANKER_WINS} 2C 3C 4C 5C 6C 7C 8C 9C TC")  # fmt: skip
    game.play("3 b 10000")
    game.go("wager").skip(left=13, cover_out=True).play("3 p 20000")
    assert (game.chips(3), game.step, game.state.money.markers) == (0, "close", {3: 500})
    return game


@clause("MA:12(d)(2)(i)", "MA:12(d)(2)(iii)")
@each_of_massachusetts
def test_12_d_2_iii_a_debt_that_cannot_be_paid_is_reported_by_two_persons(edition: str) -> None:
    game = at_the_end(edition)
    game.refused(Leave(seat=3), "vigorish_owed", cites="12(d)(2)(i)")
    game.refused(CollectVigorish(seat=3), "not_enough_chips", cites="12(d)(2)(i)")
    report: dict[str, Any] = {"seat": 3, "reason": "walked away"}
    two: dict[str, Any] = {"who": "F. Loor", "second": "S. Upervisor"}
    kept = "12(d)(2)(iii)"
    game.refused(ReportException(**report), "same_person", cites=kept, who="F. Loor", second="f. loor")
    game.refused(ReportException(**report), "no_reason", cites=kept, who="F. Loor")
    game.refused(ReportException(**{**report, "reason": ""}), "no_reason", cites=kept, **two)
    game.refused(ReportException(**report), "wrong_role", cites=kept, second_role=Role.FLOORPERSON, **two)
    game.refused(ReportException(**report), "wrong_role", by=Role.DEALER, **two)
    game.refused(ReportException(**{**report, "seat": 1}), "no_such_wager", **two)
    form = ComplimentaryForm(
        serial=1, amount=500, patron="x", dealer="d", pit_boss="b", pit_clerk="c", patron_signed=True
    )
    paper = DocumentVigorish(seat=3, form=form)
    game.refused(paper, "not_offered", cites=kept)
    game.refused(VoidForm(serial=1), "not_offered", cites=kept, second="b", who="c")
    assert game.next_act().act == "report_exception"
    game.do(ReportException(**report), **two)
    assert game.last(ExceptionReported).cites == paragraphs(edition, kept)
    assert (game.state.money.markers, game.state.money.receivables) == ({}, {"participant 3": 500})
    game.do(Leave(seat=3))
    game.do(CloseShoe())


@clause("MA:12(d)(2)(i)", "NJ:3.3(c)4")
@each_edition
def test_12_d_2_i_a_debtor_may_also_buy_chips_and_pay(edition: str) -> None:
    game = at_the_end(edition)
    game.do(BuyIn(seat=3, amount=500))
    game.do(CollectVigorish(seat=3))
    game.do(CloseShoe())


GOOD_FORM: dict[str, Any] = {
    "serial": 1, "amount": 500, "patron": "participant 3", "dealer": "D. Ealer", "pit_boss": "B. Oss",
    "pit_clerk": "C. Lerk", "patron_signed": True,
}  # fmt: skip


@clause("NJ:3.3(c)3i.2")
def test_3_3_c_3_i_the_dealer_who_signs_a_form_is_on_the_game() -> None:
    """Clerk and boss alone waived vigorish, with the name of a dealer whom nobody had seen."""
    game = at_the_end(NEW_JERSEY)
    game.table.state = replace(game.state, cards=TableCards.REAL)
    game.do(ReceiveForms(first=1, last=9))
    game.do(ComeOn(person="D. Ora", instead_of="dealer"), by=Role.FLOORPERSON, who="F. Loor")
    paper = DocumentVigorish(seat=3, form=ComplimentaryForm(**GOOD_FORM))
    two: dict[str, Any] = {"who": "C. Lerk", "second": "B. Oss"}
    refused = game.refused(paper, "not_entitled", cites="3.3(c)3i", **two)
    assert refused.params["who"] == "D. Ealer"
    actor = acting(game.table, paper, who="C. Lerk", second="B. Oss")
    assert isinstance(decide(game.rules, game.state, paper, actor, behaviour=2), Accepted)
    game.do(DocumentVigorish(seat=3, form=ComplimentaryForm(**GOOD_FORM | {"dealer": "d. ORA"})), **two)
    assert game.state.money.complimentary == 500


@clause(
    "NJ:3.3(c)2.4", "NJ:3.3(c)3", "NJ:3.3(c)3i.1", "NJ:3.3(c)3i.2", "NJ:3.3(c)3ii.1", "NJ:3.3(c)3ii.2",
    "NJ:3.3(c)3ii.3", "NJ:3.3(c)3iii", "NJ:3.3(c)3vii", "NJ:3.3(c)4",
)  # fmt: skip
def test_3_3_c_3_a_form_covers_vigorish_that_is_not_collected() -> None:
    game = at_the_end(NEW_JERSEY)
    assert game.next_act().act == "receive_forms"
    game.refused(DocumentVigorish(seat=3, form=ComplimentaryForm(**GOOD_FORM)), "not_offered")
    game.refused(ReceiveForms(first=5, last=4), "out_of_order", cites="3.3(c)3ii")
    game.refused(ReceiveForms(first=1, last=10_001), "out_of_order", cites="3.3(c)3ii")
    game.refused(ReceiveForms(first=1, last=9), "wrong_role", cites="3.3(c)3ii", by=Role.DEALER)
    game.do(ReceiveForms(first=1, last=1))
    game.refused(ReceiveForms(first=2, last=9), "out_of_order", cites="3.3(c)3ii")
    wrong: list[tuple[dict[str, Any], str, str]] = [
        ({"serial": 2}, "out_of_order", "3.3(c)3ii"),
        ({"amount": 475}, "wrong_sum", "3.3(c)3i"),
        ({"copies": 1}, "incomplete", "3.3(c)3i"),
        ({"patron": " "}, "incomplete", "3.3(c)3i"),
        *(({who: ""}, "no_reason", "3.3(c)3i") for who in ("dealer", "pit_boss")),
        ({"pit_clerk": ""}, "incomplete", "3.3(c)3i"),
        ({"patron_signed": False}, "incomplete", "3.3(c)3i"),
        ({"pit_boss": "d. ealer"}, "same_person", "3.3(c)3i"),
    ]
    for change, why, where in wrong:
        paper = DocumentVigorish(seat=3, form=ComplimentaryForm(**{**GOOD_FORM, **change}))
        game.refused(paper, why, cites=where, who=GOOD_FORM["pit_clerk"] if "pit_clerk" not in change else "")
    unsigned = {"patron_signed": False, "why_not_signed": "the patron has left", "stated_by": GOOD_FORM["dealer"]}
    good = ComplimentaryForm(**{**GOOD_FORM, **unsigned})
    paper = DocumentVigorish(seat=3, form=good)
    for second in ("", "another boss"):
        game.refused(paper, "not_entitled", cites="3.3(c)3iii", second=second)
    game.refused(paper, "not_entitled", cites="3.3(c)3iii", second_role=Role.FLOORPERSON)
    game.refused(paper, "incomplete", cites="3.3(c)3i", who="another clerk")
    for role in set(Role) - {Role.PIT_CLERK}:
        game.refused(paper, "wrong_role", cites="3.3(c)3ii", by=role)
    game.refused(DocumentVigorish(seat=1, form=good), "no_such_wager")
    game.refused(ReportException(seat=3, reason="x"), "not_offered", cites="3.3(c)3", who="a", second="b")
    assert game.next_act().act == "document_vigorish"
    game.do(DocumentVigorish(seat=3, form=good))
    assert game.last(VigorishDocumented).form == good
    assert game.last(VigorishDocumented).cites == paragraphs(NEW_JERSEY, "3.3(c)3i", "3.3(c)3iii", "3.3(c)2")
    assert (game.state.money.markers, game.state.money.complimentary, game.state.money.forms) == ({}, 500, (1,))
    assert game.state.money.vigorish_earned == 500, "the win includes what is waived"
    game.refused(ReceiveForms(first=1, last=9), "out_of_order", cites="3.3(c)3ii")
    game.do(ReceiveForms(first=5001, last=5050))
    assert game.state.money.next_form == 5001
    game.do(CloseShoe())


@clause("NJ:3.3(c)3ii.1", "NJ:3.3(c)3ii.2", "NJ:3.3(c)3ii.3", "NJ:3.3(c)3vi")
def test_3_3_c_3_vi_a_void_form_keeps_its_number() -> None:
    game = owing(NEW_JERSEY)
    game.do(ReceiveForms(first=1, last=20))
    game.refused(VoidForm(serial=1), "same_person", cites="3.3(c)3vi", second="C", who="c")
    game.refused(VoidForm(serial=1), "no_reason", cites="3.3(c)3vi", second="", who="c")
    game.refused(VoidForm(serial=1, copies=1), "incomplete", cites="3.3(c)3vi", second="b", who="c")
    game.refused(VoidForm(serial=2), "out_of_order", cites="3.3(c)3ii", second="b", who="c")
    game.refused(VoidForm(serial=1), "wrong_role", cites="3.3(c)3ii", second="b", who="c", by=Role.DEALER)
    game.do(VoidForm(serial=1), second="b", who="c")
    paper = DocumentVigorish(seat=3, form=ComplimentaryForm(**GOOD_FORM))
    game.refused(paper, "out_of_order")
    game.do(DocumentVigorish(seat=3, form=ComplimentaryForm(**{**GOOD_FORM, "serial": 2})))
    assert (game.state.money.void_forms, game.state.money.forms, game.state.money.next_form) == ((1,), (2,), 3)


@clause("NJ:3.3(c)3ii.1")
def test_3_3_c_3_ii_the_number_of_a_missing_form_does_not_come_again_with_a_later_series() -> None:
    game = owing(NEW_JERSEY)
    game.do(ReceiveForms(first=1, last=2))
    game.do(MissForm(serial=2, reason="burnt"), second="b", who="c")
    game.do(VoidForm(serial=1), second="b", who="c")
    game.refused(ReceiveForms(first=2, last=9), "out_of_order", cites="3.3(c)3ii")
    game.do(ReceiveForms(first=3, last=9))
    assert game.state.money.next_form == 3
    game.do(MissForm(serial=3, reason="burnt"), second="b", who="c")
    assert (game.state.money.next_form, game.state.money.missing_forms) == (4, (2, 3))
