"""The procedure vectors about irregularities, each translated once into acts at a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from baccarat.cards import Card
from baccarat.play.hand import Side
from baccarat.play.wager import WagerKind
from baccarat.table.irregularity.error_card import ReportErrorCard
from baccarat.table.irregularity.exposed import ReportExposedCard
from baccarat.table.irregularity.face_up import ReportFaceUp
from baccarat.table.irregularity.remedy import CardCarried, CardReassigned, CardsDiscarded, DiscardShown
from baccarat.table.round_state import RoundKind
from baccarat.table.step.announcing import ResultAnnounced
from baccarat.table.step.clearing import WagersReturned
from baccarat.table.step.closing import CloseShoe
from baccarat.table.step.dealing import RoundVoided
from baccarat.table.step.house_money import HouseMoneyCollected
from baccarat.table.step.wagering import (
    PlaceWager,
)
from table_driver import Game, game_at, parse

Case = dict[str, Any]
BANKER_WINS, PLAYER_WINS, TIE = "7S 9D TH KC", "9S 7D TH KC", "7S 7D TH KC"


def _dealt(case: Case, more: str = "", **elections: Any) -> Game:
    """The hands of the case with their counts called."""
    player, banker = case["given"]["P"], case["given"]["B"]
    cards = f"{player[0]} {banker[0]} {player[1]} {banker[1]} {more}"
    game = game_at(case["ruleset"], cards, **elections).wager("1 p 2500", "3 b 2500")
    while set(game.state.round.counted) != set(Side):
        game.act()
    return game


def _result(game: Game) -> Case:
    called = game.last(ResultAnnounced)
    winner = None if called.outcome == "tie" else called.outcome
    return {"player": called.player, "banker": called.banker, "winner": winner}


def _error_card(card: str, *, to: Side | None, seen: bool) -> Callable[[Case], Case]:
    """A card drawn in error while the case's hands lie there."""

    def run(case: Case) -> Case:
        elections = {"disclosed_card_procedure": case["given"]["option"]} if "option" in case["given"] else {}
        if elections.get("disclosed_card_procedure") == 1:
            elections["ten_value_extra"] = 1
        game = _dealt(case, card, **elections)
        position = game.state.shoe.next
        game.do(ReportErrorCard(to=to, card=Card.parse(card) if seen else None))
        return _what_became(game, case, position, card)

    return run


def _what_became(game: Game, case: Case, position: int, card: str) -> Case:
    if game.of(CardsDiscarded):
        gone = game.last(CardsDiscarded)
        assert gone.positions[0] == position
        game.go("announce")
        return {"discard": [card], "extra_face_up": len(game.of(DiscardShown))}
    if game.of(CardReassigned):
        game.go("announce")
        assert game.state.round.banker[2] == position
        told: Case = {"use": "third card of the Banker hand"}
        if "B" in case["expected"]:
            told["B"] = [card.code for card in game.state.round.cards(Side.BANKER)]
        game.finish_round()
        return {**told, "result": _result(game)}
    assert game.last(CardCarried).position == position
    game.finish_round()
    told = {"use": "first card of the next hand", "result": _result(game)}
    game.go("wager").wager("1 t 500").go_to_act("draw_card").act()
    assert game.state.round.player == (position,)
    return told if "result" in case["expected"] else {"use": told["use"]}


def _extra_card(*, seen: bool) -> Callable[[Case], Case]:
    """The 9C drawn after both hands are complete."""

    def run(case: Case) -> Case:
        game = game_at(case["ruleset"], f"{BANKER_WINS} 9C").wager("1 b 2500").go("announce")
        position = game.state.shoe.next
        game.do(ReportErrorCard(card=Card.parse("9C") if seen else None))
        if not seen:
            return _what_became(game, case, position, "9C")
        game.finish_round()
        assert game.state.round.kind is RoundKind.SIMULATED
        assert game.state.round.player == (position,)
        game.refused(PlaceWager(seat=1, on=WagerKind.BANKER, stake=2500))
        game.finish_round()
        assert game.step == "wager"
        return {"use": "first card of a simulated round", "wagers": "none accepted"}

    return run


def _first_face_up(case: Case) -> Case:
    game = game_at(case["ruleset"], "9C").wager("1 b 2500", "3 p 5000")
    game.do(ReportFaceUp(card=Card.parse("9C")))
    assert game.last(WagersReturned).amounts == {1: 2500, 3: 5000}
    assert game.state.round.kind is RoundKind.SIMULATED
    assert game.hand(Side.PLAYER) == "9c"
    assert (game.chips(1), game.chips(3)) == (10_000_000, 10_000_000)
    return {"use": "first card of a simulated round", "wagers": "returned"}


def _seen_in_its_place(case: Case) -> Case:
    game = game_at(case["ruleset"], BANKER_WINS, disclosed_correct_card="stays").wager("1 p 2500").go("turn_player")
    place = game.state.round.banker[1]
    game.do(ReportExposedCard(position=place, card=Card.parse("KC")))
    assert game.state.round.turned[place] == Card.parse("KC")
    game.finish_round()
    assert game.state.round.kind is RoundKind.WAGERED
    assert not game.state.shoe.disclosed
    return {"use": "stays in its hand", "irregularity": False}


def _third_card_face_up(case: Case) -> Case:
    card, following = case["given"]["card"], case["given"]["next_cards"][0]
    game = game_at(case["ruleset"], f"2S 7D {card} {following} KC").wager("1 t 500").go("deal")
    game.act()
    game.act()
    game.do(ReportFaceUp(card=Card.parse(card)))
    game.go("announce")
    assert game.hand(Side.PLAYER) == f"2s {Card.parse(following)}"
    assert game.hand(Side.BANKER) == "7d Kc"
    game.finish_round()
    assert game.state.round.kind is RoundKind.SIMULATED
    assert game.hand(Side.PLAYER) == str(Card.parse(card))
    return {"use": "set aside; the next card 4D takes its place; after the round 9C opens a simulated round"}


def _face_up_in_the_shoe(case: Case) -> Case:
    game = game_at(case["ruleset"], "3D 4C 5C 6C").wager("1 t 500")
    game.do(ReportFaceUp(card=Card.parse("3D")))
    assert game.step == "expose"
    game.go("wager")
    shown = [event.card for event in game.of(DiscardShown)]
    assert shown == parse("4C 5C 6C")
    return {"discard": ["3D"], "extra_face_up": len(shown)}


def runs_out(case: Case) -> Case:
    royal9 = "royal9" in str(case["given"]["wagers"])
    source = f"{case['ruleset']}-royal9" if royal9 else case["ruleset"]
    game = game_at(source, end="2S 3D AH KC 3C", seats=[1, 2])
    for seat, placed in case["given"]["wagers"].items():
        game.wager(*(f"{seat} {on} {stake}" for on, stake in placed.items()))
    game.skip(left=5)
    meters, chips = game.state.meters.amounts, {seat: game.chips(int(seat)) for seat in case["given"]["wagers"]}
    events = game.finish_round()
    assert isinstance(events[-2], RoundVoided)
    assert game.state.meters.amounts == meters
    returned = {seat: game.chips(int(seat)) - before for seat, before in chips.items()}
    if case["topic"] == "void round":
        assert game.of(HouseMoneyCollected)
        return {"returned": returned}
    assert game.step == "close"
    game.do(CloseShoe())
    told = "new set of cards" if game.step == "receive" else "reshuffle"
    return {"round": "void", "returned": returned, "next": told}


IRREGULARITIES: dict[str, Callable[[Case], Case]] = {
    "P146": _error_card("5D", to=Side.PLAYER, seen=False),
    "P148": _error_card("5D", to=Side.PLAYER, seen=False),
    "P149": _error_card("5D", to=Side.PLAYER, seen=True),
    "P152": _extra_card(seen=False),
    "P153": _extra_card(seen=True),
    "P154": _first_face_up,
    "P155": _seen_in_its_place,
    "P156": runs_out,
    "P158": _error_card("5D", to=Side.PLAYER, seen=True),
    "P159": _error_card("7D", to=Side.PLAYER, seen=True),
    "P165": _face_up_in_the_shoe,
    "P186": _error_card("KD", to=Side.BANKER, seen=False),
    "P188": _third_card_face_up,
}
