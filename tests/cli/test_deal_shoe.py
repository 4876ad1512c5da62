"""A whole shoe at the keyboard: cut where it is said, burned before it is dealt, meters carried from round to round."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from typer.testing import CliRunner

from baccarat.cards import CODES, decks
from baccarat.cli import app
from baccarat.cli.deal_run import seed_of, shuffled_shoe
from baccarat.law.rulebook import rulebook
from baccarat.play.shoe import burn
from baccarat.play.wager.royal9 import MICRO, progressive

pytestmark = pytest.mark.slow

SEED = "a rainy day"


def dealt(*words: str) -> str:
    """What `deal` prints."""
    done = CliRunner().invoke(app, ["deal", *words])
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.fixture(scope="module")
def shoe() -> dict[str, Any]:
    """A shoe in which seat 1 plays Royal 9 beside Player, and so the Must Hit."""
    words = ("ma-midi-4-royal9", "--shoe", "--seed", SEED, "-w", "1:player:25", "-w", "1:royal9:5", "--json")
    made: dict[str, Any] = json.loads(dealt(*words))
    return made


def test_what_a_round_leaves_in_the_meters_the_next_one_finds_there(shoe: dict[str, Any]) -> None:
    rules = rulebook("ma-midi-4-royal9")
    progress, terms = progressive(rules), rules.elections.must_hit
    assert progress is not None
    assert terms is not None
    rounds = [each for each in shoe["rounds"] if each["outcome"] != "void"]
    assert len(rounds) > 50
    added = {meter.name: meter.contribution // MICRO for meter in progress.meters}
    assert all(added.values()), "whole cents, so that what is shown can be added up"
    for before, after in pairwise(rounds):
        shown = {name: cents + added[name] for name, cents in before["meters_after_round"].items()}
        assert after["meters_after_contributions"] == shown
        assert after["must_hit"]["meter_after"] == before["must_hit"]["meter_after"] + terms.contribution
    assert rounds[0]["must_hit"]["meter_after"] == terms.start + terms.contribution


def test_the_cards_of_a_shoe_are_burned_and_dealt_in_their_order(shoe: dict[str, Any]) -> None:
    rules = rulebook("ma-midi-4-royal9")
    cards = [CODES[card] for card in shuffled_shoe(rules, seed_of(SEED))]
    assert sorted(cards) == sorted(CODES[card] for card in decks(rules.elections.decks or 8))
    burned = shoe["burned"]["cards"]
    assert burned == cards[: len(burned)]
    position = len(burned)
    for each in shoe["rounds"]:
        assert each["position"] == position
        count = each["cards_dealt"]
        hands = [card for hand in (each["player_hand"], each["banker_hand"]) for card in hand]
        assert sorted(hands) == sorted(cards[position : position + count]), "burned and dealt cards are written alike"
        position += count


def test_a_shoe_is_cut_where_it_is_said_and_in_the_middle_otherwise() -> None:
    rules, seed = rulebook("ma-midi-4"), seed_of(SEED)
    whole = shuffled_shoe(rules, seed, cut_at=52)
    assert shuffled_shoe(rules, seed) == shuffled_shoe(rules, seed, cut_at=208) == whole[156:] + whole[:156]
    assert shuffled_shoe(rules, seed, cut_at=100) == whole[48:] + whole[:48]


def test_another_seed_or_another_rulebook_has_another_order() -> None:
    first = shuffled_shoe(rulebook("ma-midi-4"), seed_of(SEED))
    assert first != shuffled_shoe(rulebook("ma-midi-4"), seed_of("another day"))
    assert first != shuffled_shoe(rulebook("ma-midi-4-ez"), seed_of(SEED))


def test_cards_that_are_burned_face_down_are_not_shown() -> None:
    rules = rulebook("ma-midi-4")
    found = burn(rules, shuffled_shoe(rules, seed_of(SEED)))
    assert (found.exposed, len(found.cards) > 1) == (1, True)
    said = dealt("ma-midi-4", "--shoe", "--seed", SEED)
    assert f"burned: {found.cards[0]}{' ··' * (len(found.cards) - 1)}  " in said


@pytest.mark.parametrize("wager", ["1:player:0", "1:player:-5", "1:player", "x:player:5", "1:nobody:5"])
def test_a_wager_of_nothing_or_of_nonsense_is_refused(wager: str) -> None:
    done = CliRunner().invoke(app, ["deal", "ma-midi-4", "2s", "3h", "Ad", "Jd", "Tc", "5s", "-w", wager])
    assert done.exit_code == 2
    assert "--wager" in done.output
