"""The procedure vectors that a table decides: each translated once, by hand, into commands."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from acting import acting
from baccarat.law.error import InvalidSubmission
from baccarat.law.rulebook import rulebook
from baccarat.play.hand import Side
from baccarat.play.refusal import Refused
from baccarat.play.wager import WagerKind
from baccarat.table.role import Role
from baccarat.table.seating_acts import Leave, VigorishCollected
from baccarat.table.state import DEALER
from baccarat.table.step.burning import CardsBurned
from baccarat.table.step.calling import CallNoMoreBets
from baccarat.table.step.clearing import LastHandCalled
from baccarat.table.step.closing import CloseShoe, ShoeClosed
from baccarat.table.step.curating import AnswerShoe, OrderPass, PassShoe, ShoePassed
from baccarat.table.step.cutting import AnswerCut, CutCards, OrderRecut
from baccarat.table.step.dealing import CoverCardOut
from baccarat.table.step.free_hand import RequestFreeHand
from baccarat.table.step.loading import CoverCardPlaced, PlaceCoverCard
from baccarat.table.step.opening import ReceiveCards
from baccarat.table.step.relinquishing import AnswerTurn, OrderRelinquish, Relinquish
from baccarat.table.step.shuffling import CardsShuffled, ShuffleCards
from baccarat.table.step.spoken_wager import ConfirmWager, SpeakWager
from baccarat.table.step.turning import AskBankerFirst
from baccarat.table.step.wagering import ChangeWager, PlaceWager, WithdrawWager
from baccarat.table.vigorish_debt import DocumentVigorish
from baccarat.table.vigorish_form import ComplimentaryForm, ReceiveForms, VoidForm
from clause_marks import bearing
from irregular_vectors import IRREGULARITIES, runs_out
from paths import DATA
from table_driver import Game, game_at, new_game, seated

Case = dict[str, Any]
PROCEDURES: dict[str, Case] = {
    case["id"]: case for case in json.loads((DATA / "procedures.json").read_text(encoding="utf-8"))
}
BANKER_WINS, PLAYER_WINS, TIE = "7S 9D TH KC", "9S 7D TH KC", "7S 7D TH KC"
ROLES = {
    "dealer": Role.DEALER, "floorman": Role.FLOORPERSON, "floorperson": Role.FLOORPERSON,
    "casino supervisor": Role.CASINO_SUPERVISOR, "pit clerk": Role.PIT_CLERK, "pit boss": Role.PIT_BOSS,
    "surveillance": Role.SURVEILLANCE, "player": Role.PARTICIPANT,
}  # fmt: skip


def accepted(game: Game, command: Any, *, by: Role | None = None, who: str = "", second: str | None = None) -> bool:
    """Whether a command is taken; a refusal cites."""
    outcome = game.table.do(command, acting(game.table, command, by=by, who=who, second=second))
    assert not isinstance(outcome, Refused) or outcome.cites
    return not isinstance(outcome, Refused)


# ------------------------------------------------------------------------------- cut, cover card, burn


def _cut_order(case: Case) -> Case:
    given = case["given"]
    if given.get("mode") == "dealer_cuts" and "occupied" not in given:
        with pytest.raises(InvalidSubmission) as raised:
            rulebook(case["ruleset"], cut_mode="dealer_cuts")
        assert "cut_mode" in str(raised.value)
        return {"error": "option exists only in v4"}
    elections = {"cut_mode": given["mode"]} if "mode" in given else {}
    game = new_game(case["ruleset"], seats=given["seats"], seat_one=given["seat_one"], **elections)
    seated(game, given["occupied"])
    if given.get("reshuffle"):
        _play_out(game, curator=given["last_curator"])
    game.go("cut" if elections.get("cut_mode") == "dealer_cuts" else "offer_cut")
    order: list[int] = []
    while game.step == "offer_cut":
        due = game.next_act()
        for other in set(given["occupied"]) - {due.seat}:
            game.refused(AnswerCut(seat=other, accept=True), "out_of_order")
        order.append(due.seat)
        game.act()
    cutter = "dealer" if game.next_act().by is Role.DEALER else f"seat {game.next_act().seat}"
    return {"order": order, "then": cutter}


def _play_out(game: Game, *, curator: int) -> None:
    """A shoe brought to its end with one participant as its curator."""
    while game.step != "wager":
        game.act(accept=game.next_act().seat == curator)
    assert game.state.seats.curator == curator
    game.skip(left=13, cover_out=True)
    game.play(f"{curator} t 500")
    game.go("close").do(CloseShoe())


def _cut_depth(case: Case) -> Case:
    game = game_at(case["ruleset"], step="cut", decks=case["given"]["decks"])
    return {"valid": accepted(game, CutCards(in_front=case["given"]["cards_in_front"]))}


def _cover_depth(case: Case) -> Case:
    game = game_at(case["ruleset"], step="cover_card")
    if not accepted(game, PlaceCoverCard(behind=case["given"]["cards_behind"])):
        return {"valid": False}
    told: Case = {"valid": True}
    if game.last(CoverCardPlaced).warnings:
        told["warning"] = case["expected"]["warning"]
    return told


def _burn(case: Case) -> Case:
    option = case["given"]["burn_option"]
    elections = {"burn_exposure": option} if option else {}
    first = case["given"]["first_card"]
    rest = "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC"
    game = game_at(case["ruleset"], burn=f"{first} {rest}", **elections)
    burned = [place for event in game.of(CardsBurned) for place in event.positions]
    shown = len(game.state.shoe.burned)
    exposed = "all" if shown == len(burned) else "first" if shown == 1 else f"{shown}"
    return {"additional": len(burned) - 1, "exposed": exposed, "total_removed": game.state.shoe.next}


def _recut(case: Case) -> Case:
    given = case["given"]
    occupied = given.get("occupied", [1, 7, 9])
    elections: Case = {"recut_by": given["option"]} if "option" in given else {}
    if "seat_one" in given:
        elections["seat_one"] = given["seat_one"]
    game = game_at(case["ruleset"], seats=occupied, step="offer_cut", **elections)
    cutter = given.get("last_cutter", max(occupied))
    while game.next_act().seat != cutter:
        game.act()
    game.do(AnswerCut(seat=cutter, accept=True))
    game.do(CutCards(seat=cutter, in_front=100), by=Role.PARTICIPANT)
    if not accepted(
        game, OrderRecut(reason="the cut card was seen"), by=ROLES[given["by"]], second="D. Ealer", who="S. Upervisor"
    ):
        return {"accepted": False}
    told = game.next_act()
    game.refused(CutCards(seat=cutter, in_front=100), "not_entitled", by=Role.PARTICIPANT)
    game.act()
    assert game.step == "cover_card"
    return {"accepted": True, "recut_by": told.seat}


def _manual_shuffle(case: Case) -> Case:
    game = game_at(case["ruleset"], step="shuffle", manual_shuffle_strict=True)
    outcome = game.table.do(ShuffleCards(steps=tuple(case["given"]["steps"])))
    if isinstance(outcome, Refused):
        return {"valid": False, "reason": outcome.say.removeprefix("shuffle cards: ")}
    assert not game.last(CardsShuffled).warnings
    note = {"note": case["expected"]["note"]} if "note" in case["expected"] else {}
    return {"valid": True, **note}


# --------------------------------------------------------------------------------------- shoe, curator


def _shoe_offer(case: Case) -> Case:
    given = case["given"]
    game = game_at(case["ruleset"], seats=given["occupied"], step="offer_shoe")
    return _offers(game, given["accepts"])


def _offers(game: Game, accepts: list[int]) -> Case:
    offers: list[int] = []
    while game.step == "offer_shoe":
        seat = game.next_act().seat
        offers.append(seat)
        game.do(AnswerShoe(seat=seat, accept=seat in accepts))
    curator = game.state.seats.curator
    return {"offers": offers, "curator": "dealer" if curator == DEALER else curator}


def _after_round(case: Case) -> Case:
    given, cards = case["given"], {"player": PLAYER_WINS, "banker": BANKER_WINS, "tie": TIE}
    curator = DEALER if given["curator"] == "dealer" else given["curator"]
    game = game_at(case["ruleset"], cards[given["outcome"]], seats=[1, 2, 5], curator=curator)
    game.play("2 t 500")
    if curator == DEALER:
        game.go("offer_shoe")
        return {"shoe_offered_again_from_seat": game.next_act().seat}
    return {"must_pass": game.step == "pass_shoe"}


def _shoe_relinquished(case: Case) -> Case:
    given = case["given"]
    game = game_at(case["ruleset"], TIE, seats=given["occupied"], curator=given["previous"])
    game.play(f"{given['occupied'][0]} t 500")
    game.do(PassShoe(seat=given["previous"]))
    return _offers(game, given["accepts"])


def _order_pass(case: Case) -> Case:
    game = game_at(case["ruleset"], curator=1)
    told = accepted(game, OrderPass(reason=case["given"]["reason"]), by=ROLES[case["given"]["by"]])
    assert game.last(ShoePassed).reason == case["given"]["reason"]
    assert game.step == "offer_shoe"
    return {"accepted": told}


def _banker_first(case: Case) -> Case:
    given = case["given"]
    game = game_at(
        case["ruleset"], seats=[1, 4], curator=given["curator"], banker_first_on_request=given["option"]
    )  # fmt: skip
    return {"allowed": accepted(game, AskBankerFirst(seat=1))}


# ------------------------------------------------------------------------------------ turning the cards


def _squeeze(case: Case) -> Case:
    given = case["given"]
    game = game_at(case["ruleset"], BANKER_WINS, seats=given["occupied"], seat_one=given["seat_one"])
    game.wager(f"{given['previous']} p 2500").go("turn_player").act()
    game.do(Relinquish(seat=given["previous"]))
    offers: list[int] = []
    while game.state.round.offering is not None:
        seat = game.next_act().seat
        offers.append(seat)
        game.do(AnswerTurn(seat=seat, accept=seat in given["accepts"]))
    holder = game.state.round.holders[Side.PLAYER]
    return {"offers": offers, "holder": "dealer" if holder == DEALER else holder}


def _squeeze_ordered(case: Case) -> Case:
    given = case["given"]
    game = game_at(case["ruleset"], BANKER_WINS).wager("1 p 2500").go("turn_player")
    return {"accepted": accepted(game, OrderRelinquish(reason=given["reason"]), by=ROLES[given["by"]])}


def _nobody_wagered(case: Case) -> Case:
    given = case["given"]
    game = game_at(case["ruleset"], BANKER_WINS, allow_other_side=given["option"] == "allow_other_side")
    game.wager(*(f"{seat} {on} 2500" for seat, on in given["wagers"].items())).go("turn_player")
    game.act()
    return {"player_hand_may_be_turned_by": [game.state.round.holders[Side.PLAYER]]}


# ------------------------------------------------------------------------------------------- wagering


def _betting_window(case: Case) -> Case:
    game = game_at(case["ruleset"]).wager("1 b 2500")
    assert case["given"]["after"] == "no more bets"
    game.do(CallNoMoreBets())
    act = {
        "withdraw wager": WithdrawWager(seat=1, on=WagerKind.BANKER),
        "increase wager": ChangeWager(seat=1, on=WagerKind.BANKER, stake=5000),
        "new wager": PlaceWager(seat=3, on=WagerKind.BANKER, stake=2500),
    }[case["given"]["act"]]
    return {"accepted": accepted(game, act)}


def _verbal(case: Case) -> Case:
    game = game_at(case["ruleset"])
    if not accepted(game, SpeakWager(seat=1, on=WagerKind.BANKER, stake=2500, cash=case["given"]["cash"])):
        return {"accepted": False}
    for who in case["given"]["confirmed_by"]:
        game.do(ConfirmWager(seat=1, on=WagerKind.BANKER), by=ROLES[who])
    return {"accepted": bool(game.state.round.wagers)}


def _free_hand(case: Case) -> Case:
    game = game_at(case["ruleset"], free_hand=case["given"]["option"])
    for seat in (1, 3, 5)[: case["given"]["wagers"]]:
        game.wager(f"{seat} b 2500")
    return {"accepted": accepted(game, RequestFreeHand(seat=1))}


# ------------------------------------------------------------------------------------------ cover card


def _cover_card(case: Case) -> Case:
    """The cover card before the fourth card of a hand: that hand, "last hand", one more, the end."""
    game = game_at(case["ruleset"], end=f"{TIE} {TIE} 2C 3C 4C 5C 6C 7C 8C 9C TC")
    game.skip(left=17)
    hand = game.play("1 t 500")
    assert [type(event) for event in hand].count(CoverCardOut) == 1
    assert isinstance(hand[-2], LastHandCalled)
    told = {"hand_70": "completed", "then_say": game.last(LastHandCalled).say}
    game.play("1 t 500")
    told["hand_71"] = "last" if game.step == "close" else "not last"
    game.do(CloseShoe())
    if game.last(ShoeClosed).same_set:
        assert game.step == "shuffle", "not received anew"
        return {**told, "after_71": "no cards until reshuffle of the same set"}
    assert game.step == "receive"
    game.refused(ReceiveCards(set_id="set 1", decks=8), "wrong_cards")
    return {**told, "after_71": "cards replaced with new decks"}


# -------------------------------------------------------------------------------------------- vigorish


def _with_marker(case: Case) -> Game:
    """Seat 3 owes what the case says, by a Banker win."""
    ((seat, owed),) = case["given"].get("markers", {"3": 500}).items()
    game = game_at(case["ruleset"], BANKER_WINS, seats=[int(seat), 5], vig_collection="deferred")
    game.play(f"{seat} b {owed * 20}")
    assert game.state.money.markers == {int(seat): owed}
    if game.table.rules.edition.vigorish_form is not None:
        game.do(ReceiveForms(first=1, last=20))
    return game


def _form(game: Game) -> DocumentVigorish:
    ((seat, owed),) = game.state.money.markers.items()
    form = ComplimentaryForm(
        serial=1, amount=owed, patron=f"participant {seat}", dealer="D. Ealer", pit_boss="B. Oss", pit_clerk="C. Lerk",
        patron_signed=True,
    )  # fmt: skip
    return DocumentVigorish(seat=seat, form=form)


def _deferred(case: Case) -> Case:
    game, given = _with_marker(case), case["given"]
    if given["act"] == "seat 3 leaves":
        game.do(Leave(seat=3))
        assert game.state.money.markers == {}
        return {"collect": {str(event.seat): event.amount for event in game.of(VigorishCollected)}}
    if given["act"] == "reshuffle":
        game.skip(left=13, cover_out=True).play("5 t 500")
        assert game.step == "close"
        return {"allowed": accepted(game, CloseShoe())}
    assert given["form_completed"]
    return {"allowed": accepted(game, _form(game)) and not game.state.money.markers}


def _complimentary(case: Case) -> Case:
    game, given = _with_marker(case), case["given"]
    if given.get("void"):
        boss, clerk = (f"the {who}" if who in given["signatures"] else "" for who in ("pit boss", "pit clerk"))
        if not clerk:  # whoever voids a form signs it
            return {"valid_void": False}
        return {"valid_void": accepted(game, VoidForm(serial=1, copies=given["copies"]), who=clerk, second=boss)}
    if "prepared_by" in given:
        if accepted(game, _form(game), by=ROLES[given["prepared_by"]]):
            return {"allowed": True}
        return {"allowed": False, "reason": "only pit clerks have blank forms"}
    assert "pit clerk" in given["present"], "whoever prepares the form is there"
    form = _form(game)
    return {"allowed": accepted(game, form, second=form.form.pit_boss if "pit boss" in given["present"] else "")}


BY_TOPIC: dict[str, Callable[[Case], Case]] = {
    "cut offer order": _cut_order,
    "cut depth": _cut_depth,
    "cover card depth": _cover_depth,
    "burn": _burn,
    "recut": _recut,
    "manual shuffle": _manual_shuffle,
    "shoe offer": _shoe_offer,
    "curator after round": _after_round,
    "shoe relinquished": _shoe_relinquished,
    "curator ordered to pass": _order_pass,
    "banker hand first": _banker_first,
    "squeeze relinquished": _squeeze,
    "squeeze ordered to relinquish": _squeeze_ordered,
    "no wager on a hand": _nobody_wagered,
    "betting window": _betting_window,
    "verbal wager": _verbal,
    "free hand": _free_hand,
    "cover card": _cover_card,
    "deferred vigorish": _deferred,
    "complimentary vigorish form": _complimentary,
    "void round": runs_out,
}
ELSEWHERE = {"configuration", "limits", "match play", "must hit", "notice", "layout", "wager admissibility"}
"""Topics that the elections, a wager alone or the house decide."""
AT_THE_TABLE = [case for case in PROCEDURES.values() if case["topic"] not in ELSEWHERE]


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=case["id"], marks=bearing(case["refs"], case["ruleset"])) for case in AT_THE_TABLE]
)
def test_a_table_does_as_the_vector_says(case: Case) -> None:
    run = IRREGULARITIES[case["id"]] if case["topic"] == "irregularity" else BY_TOPIC[case["topic"]]
    assert run(case) == case["expected"]


def test_every_irregularity_of_the_vectors_has_its_own_translation() -> None:
    assert set(IRREGULARITIES) == {case["id"] for case in PROCEDURES.values() if case["topic"] == "irregularity"}
    assert len(AT_THE_TABLE) == 60
