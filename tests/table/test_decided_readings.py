"""Readings that leave nothing to be elected, or state no figure of ours: each decided, and each shown by its name."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from baccarat.law.edition import load_edition
from baccarat.law.error import InvalidSubmission
from baccarat.law.reading import readings
from baccarat.law.rulebook import read_submission, rulebook
from baccarat.play.wager import WagerKind
from baccarat.table.role import Role
from baccarat.table.seating_acts import Sit
from baccarat.table.state import DEALER
from baccarat.table.step.announcing import ResultAnnounced
from baccarat.table.step.cutting import CutFellToDealer, OrderRecut, RecutOrdered
from baccarat.table.step.wagering import PlaceWager, WithdrawWager
from baccarat.table.table_cards import TableCards
from strategies import EARLY, EDITIONS, LATE, MASSACHUSETTS, NEW_JERSEY
from table_driver import Game, game_at, new_game, seated

clause = pytest.mark.clause
each_edition = pytest.mark.parametrize("edition", EDITIONS)
KING_9 = read_submission("ma-midi-4-royal9")["royal9"]
MUST_HIT = {"start": "$1,000.00", "ceiling": "$2,000.00", "contribution": "$0.25"}


# -------------------------------------------------------------------------------- the Must Hit


@clause("MA-v3-4:12(j).1")
@pytest.mark.parametrize("figure", MUST_HIT)
@pytest.mark.parametrize("edition", LATE)
def test_a_30_every_figure_of_the_must_hit_is_the_licensees(edition: str, figure: str) -> None:
    """Money hangs on each of them, and the document names none: none is supplied in silence."""
    filed: dict[str, Any] = {"seats": 7, "royal9": KING_9}
    rulebook(edition, must_hit=MUST_HIT, **filed)
    with pytest.raises(InvalidSubmission) as caught:
        rulebook(edition, must_hit={key: sum_ for key, sum_ in MUST_HIT.items() if key != figure}, **filed)
    (fault,) = caught.value.faults
    assert fault.where.startswith("must_hit")
    assert figure in f"{fault.where} {fault.say} {fault.allowed}"
    assert fault.cites == (f"{edition} §12(j)",)
    assert rulebook(edition, **filed).elects("must_hit") is None, "silence is a table without it"


# ---------------------------------------------------------------------------------- the notice


@clause("NJ:3.3(d).1", "NJ:3.3(e)")
@pytest.mark.parametrize("name", ["nj-punto-banco", "nj-punto-banco-exempt", "nj-punto-banco-six-half"])
def test_a_62_how_long_a_notice_hangs_is_stated_or_warned_of(name: str) -> None:
    """The rule on notices lies outside the text: thirty minutes are ours until the licensee states its own."""
    filed = read_submission(name)
    assert filed["notice_minutes"] == 30
    silent = rulebook({key: value for key, value in filed.items() if key != "notice_minutes"})
    (warning,) = silent.warnings
    assert (warning.where, warning.cites) == ("notice_minutes", (f"{NEW_JERSEY} §3.3(d)",))
    assert "A-62" in warning.say
    assert silent.elects("notice_minutes") == 30
    assert (rulebook(name).hash, rulebook(name).warnings) == (silent.hash, ())
    longer = rulebook(name, notice_minutes=60)
    assert (longer.elects("notice_minutes"), longer.hash == silent.hash) == (60, False)


# ----------------------------------------------------------------------------------- Royal 9

ANY_ROYAL_9 = "QS 4D 9D 2C"
"""The Player's Queen and nine of two suits pay $25; 9 against 6, nobody draws."""


def royal_table(edition: str, cards: str) -> Game:
    """A table that offers Royal 9, at its first wagers."""
    filed: dict[str, Any] = {"seats": 7, "royal9": KING_9} if edition in LATE else {"royal9": {"paytable": 1}}
    assert edition in (*EARLY, *LATE)
    return seated(new_game(edition, cards, house_money=True, dragon_bonus=True, **filed), [1]).go("wager")


@clause("MA-v1-2:12(i).basis", "MA-v3-4:12(i).play")
@pytest.mark.parametrize("edition", MASSACHUSETTS)
def test_a_67_royal_9_lies_beside_a_wager_on_player_banker_or_tie(edition: str) -> None:
    royal = PlaceWager(seat=1, on=WagerKind.ROYAL9, stake=500)
    for on in (WagerKind.HOUSE_MONEY, WagerKind.DRAGON_PLAYER, None):
        game = royal_table(edition, ANY_ROYAL_9)
        if on is not None:
            game.do(PlaceWager(seat=1, on=on, stake=2_500))
        game.refused(royal, "no_base_wager", cites="12(i)")
    for on in (WagerKind.PLAYER, WagerKind.BANKER, WagerKind.TIE):
        game = royal_table(edition, ANY_ROYAL_9)
        beside = PlaceWager(seat=1, on=on, stake=2_500)
        game.do(beside)  # nobody must add it
        game.do(royal)
        game.refused(WithdrawWager(seat=1, on=on), "no_base_wager", cites="12(i)")
        game.do(WithdrawWager(seat=1, on=WagerKind.ROYAL9))
        game.do(WithdrawWager(seat=1, on=on))


@clause("MA-v1-2:12(i).basis", "MA-v3-4:12(i).deal")
@pytest.mark.parametrize("edition", MASSACHUSETTS)
def test_a_67_royal_9_is_decided_by_four_cards_and_paid_after_the_call(edition: str) -> None:
    game = royal_table(edition, ANY_ROYAL_9)
    game.wager("1 t 500", "1 royal9 500")
    before = game.chips(1)
    game.go("announce")
    assert game.chips(1) == before, "the four cards are open, and nothing is paid before the result is called"
    game.go("settle")
    assert game.of(ResultAnnounced)
    assert game.chips(1) == before
    game.go("wager")
    assert game.chips(1) - before == 2_500, "the prize; the $5 stay, and so does the Tie"


# ------------------------------------------------------------------- who cuts again after the dealer


@clause("MA:5(f).2", "NJ:3.5(f).2")
@pytest.mark.parametrize("elected", ["last_cutter", "next_entitled"])
@each_edition
def test_a_99_a_dealer_to_whom_the_cut_fell_cuts_again(edition: str, elected: str) -> None:
    game = game_at(edition, step="offer_cut", recut_by=elected)
    game.go("cover_card")
    assert game.of(CutFellToDealer), "everybody declined"
    game.do(Sit(seat=9, person="late"))
    game.do(OrderRecut(reason="not satisfied"))
    assert game.last(RecutOrdered).seat == DEALER
    assert [due.act for due in game.table.expected] == ["cut_cards"], "and nobody is offered it"
    game.go("cover_card")
    assert game.state.shoe.cutter == DEALER


# ------------------------------------------------------------------------- a coupon nobody looks at


@clause("MA:7(b).1", "NJ:3.2(c).1")
@pytest.mark.parametrize("cards", list(TableCards))
@each_edition
def test_a_103_a_coupon_without_a_number_is_taken_only_where_a_dealer_sees_the_paper(
    edition: str, cards: TableCards
) -> None:
    game = game_at(edition, match_play=True)
    game.table.state = replace(game.state, cards=cards)
    stated = PlaceWager(seat=1, on=WagerKind.PLAYER, stake=2_500, coupon=2_500)
    if cards is TableCards.REAL:
        game.do(stated)
        return
    paragraph = "3.2(c)" if edition == NEW_JERSEY else "7(b)"
    refused = game.refused(stated, "coupon", cites=paragraph, by=Role.PARTICIPANT, who="participant 1")
    assert refused.what == "coupon_without_a_number"


# ------------------------------------------------------------------------------------ what is an election


def test_every_switch_of_these_readings_is_an_option_that_is_stated_or_warned_of() -> None:
    """Of them only A-62 has a figure that is ours, so only A-62 asks; the others have nothing to be elected."""
    decided = ("A-30", "A-62", "A-67", "A-99", "A-103")
    options = {
        (option.reading, key)
        for edition in EDITIONS
        for key, option in load_edition(edition).options.items()
        if option.reading in decided
    }
    assert [each for each in decided if readings()[each].ask] == ["A-62"]
    assert options == {("A-30", "must_hit"), ("A-62", "notice_minutes")}
