"""The attacker: a table driven by chance alone, alone and in a link; what it once found, it finds again if unmended."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from acting import acting
from baccarat.cards import Card
from baccarat.law.rulebook import rulebook, shipped_submissions
from baccarat.play.wager import WagerKind
from baccarat.table import departure, seating_acts
from baccarat.table.base import Accepted, TableRules
from baccarat.table.card_correction import CorrectCard
from baccarat.table.foul_card import ConfirmCard
from baccarat.table.meters import MetersShown, ShowMeters
from baccarat.table.payment_correction import CorrectPayment
from baccarat.table.registry import EVOLVERS, HANDLERS
from baccarat.table.round_state import Round
from baccarat.table.seating_acts import Leave
from baccarat.table.state import TableState, with_shoe
from baccarat.table.step import announcing, dealing, house_money, must_hit
from baccarat.table.step.house_money import HouseMoneyPaid, PressHouseMoney, PressUndone
from baccarat.table.step.must_hit import EndRound
from baccarat.table.step.turning import CardTurned
from baccarat.table.step.wagering import PlaceWager
from table_attack import booked_campaign, campaign, linked_campaign, linked_rulebooks, varied
from table_driver import new_game
from table_walk import Walk, keyed

Patch = pytest.MonkeyPatch


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped_submissions())
def test_an_attacked_table_loses_no_chip_and_lets_everybody_go(name: str) -> None:
    campaign(rulebook(name), 0, events=300)
    for seed in (1, 2):
        campaign(varied(name, seed), seed, events=300)


@pytest.mark.slow
@pytest.mark.parametrize("index", range(4))
def test_attacked_tables_of_a_link_lose_no_chip_and_let_everybody_go(index: int) -> None:
    linked_campaign(linked_rulebooks()[index], index, events=1500)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ma-midi-1-royal9", "ma-midi-4", "nj-punto-banco"])
def test_the_books_of_a_house_agree_with_an_attacked_table(name: str) -> None:
    booked_campaign(rulebook(name), 1, events=300)


# --------------------------------------------------------------------------- found again if it is not mended


def pressed_by_the_corrected_card(patch: Patch) -> None:
    """What was pressed is reckoned anew from the cards as they stand at the result."""

    def pressed(state: TableState) -> dict[tuple[int, object], int]:
        pairs = house_money._pairs(state)
        stakes = {w.seat: w.stake for w in state.round.wagers if w.on.value == "house_money"}
        pays = {0: 0, 1: 3, 2: 15}[pairs]
        return {(seat, onto): stakes[seat] * pays for seat, onto in state.round.presses.items() if seat in stakes}

    patch.setattr(announcing, "_pressed", pressed)


def choice_kept_over_a_correction(patch: Patch) -> None:
    """A choice to press stands although the card on which it was made was wrong."""
    evolvers: dict[Any, Any] = EVOLVERS
    patch.setitem(evolvers, PressUndone, lambda state, _event: state)


def correction_not_taken_back(patch: Patch) -> None:
    """A void round forgets that House Money was corrected."""

    def handed_over(state: TableState) -> dict[int, int]:
        plain = Round(wagers=state.round.wagers, house_lines=state.round.house_lines, pressed=state.round.pressed)
        return real(TableState(step="", round=plain))

    real = seating_acts.house_money_given
    patch.setattr(dealing, "house_money_given", handed_over)


def held_by_a_void_round(patch: Patch) -> None:
    """Whoever held cards when the table stopped is held for ever."""
    real = departure._refuse_departure

    def held_back(rules: TableRules, state: TableState, seat: int) -> object:
        going = TableState(step=state.step, seats=state.seats, round=open_again(state.round))
        return real(rules, going, seat)

    def open_again(round_: Round) -> Round:
        return Round(handed=round_.handed, returned=round_.returned, holders=round_.holders)

    patch.setattr(departure, "_refuse_departure", held_back)


def quiet_end_of_a_round(patch: Patch) -> None:
    """The dealer's word is enough that a trigger was not reached."""
    patch.setattr(must_hit, "_is_not_reached", lambda *_terms, **_more: True)


def meters_of_no_link(patch: Patch) -> None:
    """A dealer shows whatever figures he likes."""

    def shown(_rules: TableRules, state: TableState, command: ShowMeters) -> list[MetersShown]:
        meters = state.meters
        if not meters.amounts:
            return []
        return [
            MetersShown(
                meters={name: value * 1000 for name, value in meters.amounts.items()},
                reserve=command.reserve,
                must_hit=meters.must_hit,
                must_hit_seal=meters.must_hit_seal,
                cites=("somewhere",),
            )
        ]

    handlers: dict[Any, Any] = HANDLERS
    patch.setitem(handlers, ShowMeters, shown)


# ------------------------------------------------------------------------------------------------ scenes


def walked(cards: str, name: str = "ma-midi-4") -> Walk:
    """A table at its wagers, watched by the auditor, with $50 on the Player and $10 of House Money at seat 1."""
    game = new_game(name, cards)
    walk = Walk(game.rules, game.source)
    walk.seat(1, 3)
    walk.go_to("wager")
    for on, stake in ((WagerKind.PLAYER, 5000), (WagerKind.HOUSE_MONEY, 1000)):
        assert isinstance(walk.do(PlaceWager(seat=1, on=on, stake=stake)), Accepted)
    return walk


def correct(walk: Walk, position: int, card: str) -> None:
    """A turned card is corrected by two persons."""
    number = next(
        at for at, event in enumerate(walk.log) if isinstance(event, CardTurned) and event.position == position
    )
    fixed = CorrectCard(corrects=number, position=position, card=Card.parse(card), reason="mis-keyed")
    assert isinstance(walk.do(fixed, acting(walk, fixed, who="Dora", second="Flo")), Accepted)


def corrected_after_a_press() -> None:
    """One pair is paid and pressed, and is none afterwards."""
    walk = walked("4S 2H 4H KD 2C 3C 6C 7C")
    walk.go_to("house_money")
    walk.do(PressHouseMoney(seat=1, onto=WagerKind.PLAYER))
    walk.go_on()
    correct(walk, walk.state.round.player[1], "5H")
    walk.go_to("wager")


def corrected_before_a_payment() -> None:
    """A press is chosen on one pair, and there are two."""
    walk = walked("4S 2H 4H KD 2C 3C 6C 7C")
    walk.go_to("house_money")
    walk.do(PressHouseMoney(seat=1, onto=WagerKind.PLAYER))
    correct(walk, walk.state.round.banker[1], "2D")
    walk.go_to("house_money")
    walk.go_on()
    walk.go_to("wager")


def payment_corrected_before_the_end_of_the_cards() -> None:
    """House Money is paid, its payment corrected, and the shoe stops."""
    walk = walked("4S 2H AH 2D 2C 3C 6C 7C")
    walk.go_to("house_money")
    walk.go_on()
    number = next(at for at, event in enumerate(walk.log) if isinstance(event, HouseMoneyPaid))
    pair = walk.state.round.banker[1]
    turned = next(at for at, event in enumerate(walk.log) if isinstance(event, CardTurned) and event.position == pair)
    right = CorrectCard(corrects=turned, position=pair, card=Card.parse("3d"), reason="no pair")
    assert isinstance(walk.do(right, acting(walk, right, who="Dora", second="Flo")), Accepted)
    fixed = CorrectPayment(corrects=number, seat=1, amount=-4000, reason="mis-paid")
    assert isinstance(walk.do(fixed, acting(walk, fixed, who="Dora", second="Flo")), Accepted)
    stop(walk)


def stop(walk: Walk) -> None:
    """A card comes once more than the decks hold it."""
    card, decks = Card.parse("As"), walk.state.shoe.decks
    walk.state = with_shoe(walk.state, seen={**walk.state.shoe.seen, str(card): decks})
    walk.auditor.cards_seen["AS"] = decks
    assert isinstance(walk.do(ConfirmCard(position=walk.state.shoe.next, card=card)), Accepted)


def stopped_with_cards_in_a_hand() -> None:
    """The Player's cards are with their holder when the shoe proves foul."""
    walk = walked("4S 2H 4H KD 2C 3C 6C 7C")
    while not walk.state.round.handed:
        walk.go_on()
    stop(walk)
    outcome = walk.do(Leave(seat=1))
    assert isinstance(outcome, Accepted), f"seat 1 cannot leave: {outcome}"


def rounds_of_a_must_hit() -> None:
    """Wagers feed the Must Hit, and its rounds are ended on a word alone."""
    walk = Walk(rulebook("ma-midi-4-royal9"), keyed(rulebook("ma-midi-4-royal9"), 0))
    walk.seat(1)
    walk.go_to("wager")
    for on, stake in ((WagerKind.TIE, 500), (WagerKind.ROYAL9, 500)):
        assert isinstance(walk.do(PlaceWager(seat=1, on=on, stake=stake)), Accepted)
    walk.go_to("must_hit")
    walk.do(EndRound())


def figures_of_a_dealer() -> None:
    """Somebody shows figures at a table in no link."""
    walk = Walk(rulebook("ma-midi-1-royal9"), new_game("ma-midi-1").source)
    assert isinstance(walk.do(ShowMeters()), Accepted)


FOUND: list[tuple[Callable[[Patch], None], Callable[[], None]]] = [
    (pressed_by_the_corrected_card, corrected_after_a_press),
    (choice_kept_over_a_correction, corrected_before_a_payment),
    (correction_not_taken_back, payment_corrected_before_the_end_of_the_cards),
    (held_by_a_void_round, stopped_with_cards_in_a_hand),
    (quiet_end_of_a_round, rounds_of_a_must_hit),
    (meters_of_no_link, figures_of_a_dealer),
]


@pytest.mark.parametrize(("bug", "scene"), FOUND, ids=[bug.__name__ for bug, _ in FOUND])
def test_the_auditor_or_the_way_out_finds_again_what_was_found_once(
    bug: Callable[[Patch], None], scene: Callable[[], None], monkeypatch: Patch
) -> None:
    if scene is not figures_of_a_dealer:
        scene()
    bug(monkeypatch)
    with pytest.raises(AssertionError):
        scene()
