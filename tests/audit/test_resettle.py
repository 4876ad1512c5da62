"""Resettling: the rounds of a journal under other rules; under the same rules nothing differs, whatever happened."""

from __future__ import annotations

import random

import pytest

from baccarat.audit.resettle import read_rounds, resettle
from baccarat.law.rulebook import Rulebook, from_table, read_submission, rulebook, shipped_submissions
from baccarat.play.wager import WagerKind
from baccarat.table.payment_correction import CorrectPayment
from baccarat.table.role import Role
from baccarat.table.step.free_hand import RequestFreeHand
from baccarat.table.step.house_money import HouseMoneyPaid, PressHouseMoney
from baccarat.table.step.spoken_wager import ConfirmWager, SpeakWager
from baccarat.table.step.wagering import PlaceWager, WithdrawWager
from correction_scenes import PERSONS, set_right
from golden_journals import ORDER_2, names, path_of
from resettled_round import (
    BANKER_8,
    BANKER_NATURAL,
    EZ,
    MASSACHUSETTS,
    NEW_JERSEY,
    kinds,
    net,
    nothing_differs,
    one_round,
    same_on_both_sides,
    under,
)
from table_driver import Game, game_at
from table_stories import STORIES, Story
from table_walk import Walk, keyed, sealed

pytestmark = pytest.mark.slow


BANKER_3_CARD_7 = "2S 2H 4D 2C 3D"


BANKER_6 = "2H 6S KC KH 2D"


TIE_7 = "7S 7D TH KC"


PAIRS = "9S KH 9D KC"


@pytest.mark.parametrize("name", names())
def test_under_its_own_submission_a_golden_journal_comes_to_the_same(name: str) -> None:
    report = same_on_both_sides(resettle(read_rounds(path_of(name)), rulebook(name.removesuffix(ORDER_2))))
    assert report.rounds >= 7
    assert report.house.win == -sum(share.net for share in report.patrons) != 0
    assert report.corrected_rounds == 0, "what was corrected comes to what the rules give"


@pytest.mark.slow
@pytest.mark.parametrize("edition", sorted({story.edition for story in STORIES}))
def test_under_its_own_rules_no_irregularity_differs(edition: str) -> None:
    stories: list[Story] = [story for story in STORIES if story.edition == edition]
    for story in stories:
        game = story.tell(story.edition, story.elections)
        if not game.skipped:
            nothing_differs(game.rules, game.table.log)


@pytest.mark.slow
@pytest.mark.parametrize("submission", sorted(shipped_submissions()))
def test_under_its_own_rules_nothing_played_by_chance_differs(submission: str) -> None:
    for seed in range(2):
        rules, chance = rulebook(submission), random.Random(seed)
        walk = Walk(rules, sealed(rules, seed) if seed else keyed(rules, seed, rich=True))
        walk.seat(1, 2, 3)
        for _ in range(6):
            walk.play_round(chance, short=30)
        assert nothing_differs(rules, walk.log).rounds >= 5


# --------------------------------------------------------------------------------- computed by hand


def test_vigorish_of_five_percent_against_none() -> None:
    """$103.00 wins $103.00 less 5 %, $5.15, rounded up to $5.25; without vigorish all of it."""
    report = under(one_round(BANKER_8, "3 b 10300", "1 p 2500"), rulebook(EZ))
    assert net(report) == {"1": (-2500, -2500), "3": (9775, 10300)}
    assert (report.house.win, report.house.other_win, report.house.difference) == (-7275, -7800, -525)
    assert (report.house.vigorish, report.house.other_vigorish) == (525, 0)
    assert (report.house.wagered, report.house.drop) == (12800, 30_000_000)
    (reported,) = report.reported
    assert (reported.outcome, reported.other_outcome, kinds(report)) == ("banker", "banker", ["other_payment"])
    assert reported.reasons[0].clauses == ("ma-midi-4 §7(a)(1)(i)", "ma-midi-4 §12(c)")
    assert "seat 3, $103.00 on banker" in reported.reasons[0].say


def test_a_banker_who_wins_with_seven_on_three_cards_pushes_without_vigorish() -> None:
    report = under(one_round(BANKER_3_CARD_7, "3 b 10000"), rulebook(EZ))
    assert net(report) == {"3": (9500, 0)}
    assert report.reported[0].reasons[0].clauses == ("ma-midi-4 §7(a)(1)(iii)",)


@pytest.mark.parametrize(("rate", "vigorish"), [(5, 525), (4, 420)])
def test_vigorish_of_new_jersey(rate: int, vigorish: int) -> None:
    """4 % of $103.00 is $4.12, rounded up to a multiple of twenty cents."""
    report = under(one_round(BANKER_8, "3 b 10300"), rulebook(NEW_JERSEY, vig_rate=rate))
    assert net(report) == {"3": (9775, 10300 - vigorish)}
    assert report.house.other_vigorish == vigorish


@pytest.mark.parametrize(("cards", "would"), [(BANKER_6, 5000), (BANKER_8, 10000)])
def test_half_for_a_banker_of_six(cards: str, would: int) -> None:
    report = under(one_round(cards, "3 b 10000"), rulebook("nj-punto-banco-six-half"))
    assert net(report) == {"3": (9500, would)}


def test_nine_for_a_tie() -> None:
    report = under(one_round(TIE_7, "5 t 500", "1 p 2500"), rulebook(MASSACHUSETTS, tie_odds=9))
    assert net(report) == {"1": (0, 0), "5": (4000, 4500)}
    assert kinds(report) == ["other_payment"]


@pytest.mark.parametrize(("table", "pays"), [("A", 6), ("B", 7), ("C", 4)])
def test_another_pay_table_of_the_dragon_bonus(table: str, pays: int) -> None:
    """Banker 7 against 0: a win by seven."""
    game = one_round("TS 7H KD KC TD", "3 b 2500", "3 dragon_banker 500")
    report = under(game, rulebook(MASSACHUSETTS, dragon_paytable=table))
    assert net(report) == {"3": (2375 + 6 * 500, 2375 + pays * 500)}
    assert kinds(report) == ([] if table == "A" else ["other_payment"])


# ------------------------------------------------------------------------- wagers that would not stand


def with_limits(*, press_over_max: bool = True, **limits: tuple[str, str]) -> Rulebook:
    """The usual rules with other limits on some wagers."""
    filed = read_submission(MASSACHUSETTS)
    posted = {name: {"min": low, "max": high, "increment": "$1.00"} for name, (low, high) in limits.items()}
    return from_table({**filed, "limits": filed["limits"] | posted, "press_over_max": press_over_max})


def test_a_wager_that_is_not_offered_is_left_out() -> None:
    game = one_round(BANKER_3_CARD_7, "3 b 2500", "3 dragon7 500", edition=EZ)
    report = under(game, rulebook(MASSACHUSETTS))
    assert net(report) == {"3": (40 * 500, 2375)}, "pushed, and forty times; then won, and nothing"
    (share,) = report.patrons
    assert (share.wagered, share.other_wagered) == (3000, 2500)
    reasons = {reason.kind: reason for reason in report.reported[0].reasons}
    assert reasons["not_taken"].clauses == ("ma-midi-4 §7(a)(5)",)


def test_a_wager_below_the_minimum_or_above_the_maximum_is_left_out() -> None:
    other = with_limits(player=("$25.00", "$30.00"), banker=("$50.00", "$500.00"))
    game = one_round(BANKER_NATURAL, "1 p 3100", "3 b 2500", "5 b 5000")
    report = under(game, other)
    assert net(report) == {"1": (-3100, 0), "3": (2375, 0), "5": (4750, 4750)}
    assert kinds(report) == ["not_taken", "not_taken"]


def test_a_side_wager_falls_with_the_wager_that_it_needs() -> None:
    filed = read_submission(NEW_JERSEY) | {"bonus_base_required": True}
    game = one_round(BANKER_NATURAL, "3 dragon_banker 500", "3 b 2500", "5 t 500", edition=NEW_JERSEY)
    high = {"min": "$50.00", "max": "$500.00", "increment": "$1.00"}
    report = under(game, from_table(filed | {"limits": filed["limits"] | {"tie": high}}))
    assert {share.who: share.other_wagered for share in report.patrons} == {"participant 3": 3000, "participant 5": 0}
    assert kinds(report) == ["not_taken"], "both of seat 3 stand, in whichever order they were made"
    report = under(game, from_table(filed | {"limits": filed["limits"] | {"banker": high}}))
    assert {share.who: share.other_wagered for share in report.patrons} == {"participant 3": 0, "participant 5": 500}
    assert kinds(report) == ["not_taken", "not_taken"]


def test_a_seat_that_is_not_there_wagers_nothing() -> None:
    game = one_round(BANKER_NATURAL, "12 b 2500", edition=NEW_JERSEY, seats=[12])
    report = under(game, rulebook(MASSACHUSETTS))
    assert net(report) == {"12": (2375, 0)}
    assert "seat 12" in report.reported[0].reasons[0].say


def test_a_coupon_that_is_not_taken_leaves_the_chips_on_the_table() -> None:
    game = game_at(MASSACHUSETTS, BANKER_NATURAL)
    game.do(PlaceWager(seat=3, on=WagerKind.BANKER, stake=2500, coupon=2500))
    game.finish_round()
    report = under(game, rulebook(MASSACHUSETTS, match_play=False))
    assert net(report) == {"3": (5000 - 250, 2375)}
    assert kinds(report) == ["coupon_not_taken", "other_payment"]


def test_a_spoken_wager_is_not_taken_where_none_is() -> None:
    game = game_at(MASSACHUSETTS, BANKER_NATURAL)
    game.do(SpeakWager(seat=3, on=WagerKind.BANKER, stake=2500, cash=True))
    game.do(ConfirmWager(seat=3, on=WagerKind.BANKER), by=Role.DEALER)
    game.finish_round()
    assert nothing_differs(game.rules, game.table.log).house.drop == 30_000_000 + 2500
    report = under(game, rulebook(MASSACHUSETTS, verbal_wagers=False))
    assert net(report) == {"3": (2375, 0)}
    assert kinds(report) == ["not_taken"]


def test_a_wager_made_again_with_chips_is_no_longer_a_spoken_one() -> None:
    game = game_at(MASSACHUSETTS, BANKER_NATURAL)
    game.do(SpeakWager(seat=3, on=WagerKind.BANKER, stake=2500, cash=True))
    game.do(ConfirmWager(seat=3, on=WagerKind.BANKER), by=Role.DEALER)
    game.do(WithdrawWager(seat=3, on=WagerKind.BANKER))
    game.play("3 b 2500")
    report = under(game, rulebook(MASSACHUSETTS, verbal_wagers=False))
    assert (net(report), kinds(report)) == ({"3": (2375, 2375)}, [])


def pressed() -> Game:
    """House Money of ten dollars is pressed onto Player, which wins: both hands open with a pair."""
    game = game_at(MASSACHUSETTS, PAIRS).wager("1 p 2500", "1 house_money 1000").go("house_money")
    game.do(PressHouseMoney(seat=1, onto=WagerKind.PLAYER))
    game.finish_round()
    return game


def test_a_press_is_made_as_it_was_chosen() -> None:
    report = nothing_differs(pressed().rules, pressed().table.log)
    ((had, _),) = net(report).values()
    assert had == 15_000 + 17_500, "15 to 1 for two pairs, and as much again with the first stake"


def test_a_press_above_the_maximum_goes_to_the_participant() -> None:
    report = under(pressed(), with_limits(player=("$25.00", "$100.00"), press_over_max=False))
    assert net(report) == {"1": (32_500, 15_000 + 2500)}
    assert kinds(report) == ["press_not_taken", "other_payment"]


def test_a_pressed_wager_that_is_not_offered_is_left_out_with_its_press() -> None:
    report = under(pressed(), rulebook(MASSACHUSETTS, house_money=False))
    assert net(report) == {"1": (32_500, 2500)}
    assert kinds(report) == ["not_taken", "other_payment"]
    assert [share.other_wagered for share in report.patrons] == [2500]


def test_house_money_corrected_before_the_result_comes_to_what_the_rules_give() -> None:
    game = game_at(MASSACHUSETTS, PAIRS).wager("1 p 2500", "1 house_money 1000").go("house_money")
    game.act()
    paid = game.table.log.index(game.last(HouseMoneyPaid))
    was = game.last(HouseMoneyPaid).win
    set_right(game, game.state.round.banker[1], "2C", "a two: one pair only")
    right = 3 * 1000
    game.do(CorrectPayment(corrects=paid, seat=1, amount=right - was, reason="one pair pays less"), **PERSONS)
    game.finish_round()
    report = nothing_differs(game.rules, game.table.log)
    assert net(report)["1"][0] == net(report)["1"][1]
    assert report.reported == (), "what was corrected comes to what the rules give"


def test_a_hand_without_wagers_is_named_where_there_is_none() -> None:
    game = game_at(MASSACHUSETTS, BANKER_NATURAL)
    game.do(RequestFreeHand(seat=3))
    game.finish_round()
    report = under(game, rulebook(NEW_JERSEY))
    assert kinds(report) == ["no_free_hand"]
    assert not report.patrons
