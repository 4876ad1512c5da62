"""Stays are rulings: a hand that takes no card has been ruled on, by a row of the tableau, in its own event."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from baccarat.cards import Card
from baccarat.law.rulebook import rulebook
from baccarat.play.coup import deal
from baccarat.play.hand import Side
from baccarat.table.card_correction import CorrectCard
from baccarat.table.irregularity.error_card import ReportErrorCard
from baccarat.table.irregularity.face_up import ReportFaceUp
from baccarat.table.step.announcing import ResultAnnounced
from baccarat.table.step.dealing import CardDrawn
from baccarat.table.step.free_hand import RequestFreeHand
from baccarat.table.step.turning import CardTurned, CountAnnounced
from baccarat.table.story import tell
from baccarat.table.tableau import HandStays
from strategies import EDITIONS, MASSACHUSETTS
from table_driver import Game, game_at
from transcript import transcript

clause = pytest.mark.clause
each_edition = pytest.mark.parametrize("edition", EDITIONS)
TWO: dict[str, Any] = {"who": "D", "second": "F"}
PIPS = {0: "K", 1: "A", **{pips: str(pips) for pips in range(2, 10)}}


def rulings(game: Game) -> list[str]:
    """The stays of a table, in words."""
    return [tell(event) for event in game.of(HandStays)]


def paragraphs(event: HandStays) -> list[str]:
    """The paragraphs that a stay cites."""
    return [cite.partition("§")[2] for cite in event.cites]


@clause("MA:10(c)(2)(iii)", "MA:10 Table1 6", "NJ:3.9(c) [missing]", "NJ:3.9(d)", "NJ:3.9(e)", "NJ:3.9(f)")
@each_edition
def test_10_c_the_banker_stays_on_six_against_an_ace(edition: str) -> None:
    cards = "2S 3H AD 3D AC"
    game = game_at(edition, cards).wager("1 p 2500", "3 b 2500")
    game.finish_round()
    assert rulings(game) == ["The Banker stays on 6 against an ace."]
    (stays,) = game.of(HandStays)
    assert (stays.side, stays.count, stays.against) == (Side.BANKER, 6, Card.parse("AC"))
    if edition in MASSACHUSETTS:
        assert paragraphs(stays) == ["10(c)(2)(iii)", "10 Table 1"]
    else:
        assert paragraphs(stays) == ["3.9(c)", "3.9(d)", "3.9(e)", "3.9(f)"]
    log = game.table.log
    third = [at for at, event in enumerate(log) if isinstance(event, CardTurned)][-1]
    assert log[third + 1] is stays, "as soon as the Player's third card is known"
    story = list(transcript(log))
    assert any(line.startswith("The Banker stays on 6 against an ace.  [") for line in story)
    assert "Banker stays on 6 against an ace" in [ruling.say for ruling in deal(rulebook(edition), cards).why]


@clause("MA:10(b)(2)", "MA:10(c)(1)", "NJ:3.9(b) [missing]", "NJ:3.9(c) [missing]")
@each_edition
def test_10_b_both_stay_as_soon_as_both_counts_are_called(edition: str) -> None:
    game = game_at(edition, "2S 2H 4D 4C").wager("1 p 2500", "3 b 2500")
    game.finish_round()
    assert rulings(game) == ["The Player stays on 6.", "The Banker stays on 6, the Player having stayed."]
    log = game.table.log
    called = [at for at, event in enumerate(log) if isinstance(event, CountAnnounced)][-1]
    assert log[called + 1 : called + 3] == game.of(HandStays)
    player, banker = game.of(HandStays)
    if edition in MASSACHUSETTS:
        assert (paragraphs(player), paragraphs(banker)) == (["10(b)(2)", "10(b)"], ["10(c)(1)", "10(c)"])
    else:
        assert (paragraphs(player), paragraphs(banker)) == (["3.9(b)"], ["3.9(c)"])


@clause("MA:10(a)", "MA:10 Table1 8-9", "NJ:3.9(a) [missing]")
@each_edition
def test_10_a_a_natural_holds_both_hands(edition: str) -> None:
    game = game_at(edition, "9S 2H KD AD").wager("1 p 2500", "3 b 2500")
    game.finish_round()
    assert rulings(game) == [
        "The Player stays on 9: a natural ends the drawing.",
        "The Banker stays on 3: a natural ends the drawing.",
    ]
    assert all(
        paragraphs(event)[0] == ("10(a)" if edition in MASSACHUSETTS else "3.9(a)") for event in game.of(HandStays)
    )


@pytest.mark.slow
@clause("MA:10(b)(2)", "MA:10(c)(2)(ii)", "MA:10(c)(2)(iii)", "NJ:3.9(c) [missing]")
@each_edition
def test_10_every_hand_of_a_round_draws_or_stays_and_the_table_says_what_the_coup_says(edition: str) -> None:
    for player, banker, third in product(range(8), range(8), (0, 4, 8)):
        cards = f"{PIPS[player]}S {PIPS[banker]}H KD KC {PIPS[third]}D 2S"
        game = game_at(edition, cards).wager("1 p 2500", "3 b 2500")
        game.finish_round()
        drew = {event.to for event in game.of(CardDrawn)[4:]}
        stayed = [event.side for event in game.of(HandStays)]
        assert len(stayed) == len(set(stayed))
        assert drew | set(stayed) == set(Side)
        assert not drew & set(stayed)
        coup = deal(game.rules, cards, rest_of_shoe=True)
        why = [ruling for ruling in coup.why if " stays on " in ruling.say]
        assert rulings(game) == [f"The {ruling.say}." for ruling in why]
        assert [event.cites for event in game.of(HandStays)] == [tuple(map(str, ruling.cites)) for ruling in why]


@clause("MA:9(b)", "NJ:3.8(b)")
@each_edition
def test_a_corrected_card_is_ruled_on_anew(edition: str) -> None:
    game = game_at(edition, "2S 2H 4D 4C").wager("1 p 2500", "3 b 2500").go("announce")
    position = game.state.round.banker[1]
    corrects = next(at for at, e in enumerate(game.table.log) if isinstance(e, CardTurned) and e.position == position)
    game.do(
        CorrectCard(corrects=corrects, position=position, card=Card.parse("5C"), reason="a five"), **TWO
    )  # fmt: skip
    game.finish_round()
    assert rulings(game)[2:] == ["The Player stays on 6.", "The Banker stays on 7, the Player having stayed."]


@clause("MA:13(b).1", "NJ:3.12(a).1")
@each_edition
def test_13_b_a_banker_who_takes_the_players_card_has_not_stayed(edition: str) -> None:
    game = game_at(edition, "2S 2H 4D 2C 5D").wager("1 p 2500", "3 b 2500")
    while set(game.state.round.counted) != set(Side):
        game.act()
    game.do(ReportErrorCard(to=Side.PLAYER))
    game.finish_round()
    assert rulings(game) == ["The Player stays on 6."]


@clause("MA:13(d)", "MA-v4:7(c)")
def test_stays_are_ruled_in_rounds_without_wagers_too() -> None:
    simulated = game_at("ma-midi-4", "2S 2H 4D 4C")
    simulated.do(ReportFaceUp(card=Card.parse("2S")))
    simulated.finish_round()
    assert len(rulings(simulated)) == 2
    free = game_at("ma-midi-4", "2S 2H 4D 4C")
    free.do(RequestFreeHand(seat=1))
    free.finish_round()
    assert len(rulings(free)) == 2


def test_no_hand_stays_after_the_result_or_in_a_void_round() -> None:
    late = game_at("ma-midi-4", "2S 2H 4D 4C").wager("1 t 2500").go("clear")
    position = late.state.round.banker[1]
    corrects = next(at for at, e in enumerate(late.table.log) if isinstance(e, CardTurned) and e.position == position)
    late.do(
        CorrectCard(corrects=corrects, position=position, card=Card.parse("5C"), reason="a five"), **TWO
    )  # fmt: skip
    late.finish_round()
    at = next(at for at, event in enumerate(late.table.log) if isinstance(event, ResultAnnounced))
    assert not [event for event in late.table.log[at:] if isinstance(event, HandStays)]
    void = game_at("ma-midi-4", end="2S 3D AH KC").wager("1 b 2500").skip(left=4)
    void.finish_round()
    assert void.of(HandStays) == []
