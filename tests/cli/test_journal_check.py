"""The check of a log: whatever a table did is possible, and a seeded bug or an edit is not."""

from __future__ import annotations

import random
from collections.abc import Callable

import msgspec
import pytest
from msgspec.structs import replace

from baccarat.law.rulebook import rulebook, shipped_submissions
from baccarat.play.wager import Kind
from baccarat.table import check
from baccarat.table.base import Event
from baccarat.table.check import first_impossible
from baccarat.table.owing import ComplimentaryForm, DocumentVigorish, ReceiveForms
from baccarat.table.people import BuyIn, Leave, Sit
from baccarat.table.role import Role
from baccarat.table.step.closing import CollectVigorish
from baccarat.table.step.cutting import OrderRecut
from baccarat.table.step.must_hit import MustHitEnded
from baccarat.table.step.settlement import Paid
from baccarat.table.step.wagering import ConfirmWager, SpeakWager
from table_driver import Game, game_at, new_game, seated
from table_stories import STORIES, Story
from table_walk import COMMANDS, Walk, keyed, sealed

pytestmark = pytest.mark.slow

BANKER_WINS, TIE = "7S 9D TH KC", "7S 7D TH KC"


@pytest.mark.parametrize("story", [pytest.param(story, id=f"{story.edition}-{story.name}") for story in STORIES])
def test_every_story_can_have_happened(story: Story) -> None:
    game = story.tell(story.edition, story.elections)
    if not game.skipped:
        assert first_impossible(game.rules, game.table.log) is None


@pytest.mark.parametrize("seed", range(len(shipped_submissions())))
def test_what_a_table_did_with_any_commands_can_have_happened(seed: int) -> None:
    chance, rules = random.Random(seed), rulebook(shipped_submissions()[seed])
    walk = Walk(rules, (keyed if seed % 3 else sealed)(rules, seed))
    for seat in (1, 3, 5):
        walk.do(Sit(seat=seat, person=f"participant {seat}"))
        walk.do(BuyIn(seat=seat, amount=chance.choice([5_000, 100_000, 10_000_000])))
    for _ in range(300):
        if walk.state.stopped:
            break
        if chance.random() < 0.4:
            walk.try_a(chance.choice(COMMANDS), chance)
        elif walk.state.step == "wager" and not walk.state.round.wagers:
            walk.wager(chance)
        elif any(not due.optional for due in walk.expected):
            walk.go_on(short=40)
    assert len(walk.log) > 20
    assert first_impossible(rules, walk.log) is None


def recut() -> Game:
    game = game_at("ma-midi-4", step="load")
    game.do(OrderRecut(reason="the cut card was seen"), second="D. Ealer", who="S. Upervisor")
    return game


def spoken() -> Game:
    game = game_at("ma-midi-4", BANKER_WINS)
    game.do(SpeakWager(seat=1, on=Kind.BANKER, stake=2500, cash=True))
    law = game.rules.edition.verbal
    assert law is not None
    for role in law.confirmed_by:
        game.do(ConfirmWager(seat=1, on=Kind.BANKER), by=Role(role))
    game.wager("3 p 2500").finish_round()
    return game


def marked() -> Game:
    game = game_at("ma-midi-4", f"{BANKER_WINS} {BANKER_WINS}", vig_collection="deferred")
    game.play("1 b 2500", "3 b 2500")
    game.go("wager").do(CollectVigorish(seat=1))
    game.do(Leave(seat=3))
    return game


def forms() -> Game:
    game = game_at("nj-punto-banco", BANKER_WINS, vig_collection="deferred")
    game.do(ReceiveForms(first=5001, last=5010))
    game.play("1 b 2500")
    form = ComplimentaryForm(serial=5001, amount=game.state.money.markers[1], patron="participant 1", dealer="D. Ealer",
                pit_boss="P. Boss", pit_clerk="P. Clerk", patron_signed=True)  # fmt: skip
    game.do(DocumentVigorish(seat=1, form=form), who="P. Clerk")
    return game


def royal() -> Game:
    game = seated(new_game("ma-midi-4-royal9", f"{TIE} {TIE}"), (1, 3))
    game.go("wager").play("1 t 500", "1 royal9 500", "3 t 500", "3 royal9 500")
    assert game.of(MustHitEnded)[0].hit
    return game


def leaving() -> Game:
    game = game_at("ma-midi-4").wager("1 b 2500", "1 t 500", "3 p 2500")
    game.do(Leave(seat=1))
    return game


@pytest.mark.parametrize("scene", [recut, spoken, marked, forms, royal, leaving])
def test_an_act_that_chance_seldom_finds_can_have_happened(scene: Callable[[], Game]) -> None:
    game = scene()
    assert first_impossible(game.rules, game.table.log) is None


def test_every_whole_number_that_follows_from_another_is_derived() -> None:
    """Whatever the dealer does not choose: one more or less of it, anywhere in a round, cannot have happened."""
    game = game_at("ma-midi-4", "2S 2H 4D 2C 3C", seats=[1, 3])
    begun = len(game.table.log)
    game.play("1 p 2500", "3 b 2500", "3 house_money 500")
    game.go("wager").do(Leave(seat=3))
    chosen = {("wager_placed", "stake"), ("wager_placed", "coupon"), ("card_turned", "position")}
    edits = 0
    for place, event in enumerate(game.table.log[begun:], start=begun):
        for field, value in msgspec.structs.asdict(event).items():
            if type(value) is int and (event.__struct_config__.tag, field) not in chosen:
                log: list[Event] = list(game.table.log)
                log[place] = replace(event, **{field: value + 1})
                found = first_impossible(game.rules, log)
                assert found is not None, (event, field)
                assert found.at >= place
                edits += 1
    assert edits > 20


def test_the_first_fault_is_named_with_what_would_have_come() -> None:
    game = game_at("ma-midi-4", BANKER_WINS)
    game.play("1 b 2500")
    place = next(at for at, event in enumerate(game.table.log) if isinstance(event, Paid))
    log = list(game.table.log)
    log[place] = replace(log[place], win=9)
    found = first_impossible(game.rules, log)
    assert found is not None
    assert (found.at, found.breaks_off) == (place, False)
    assert found.say == "win is 9 and would be 2500"
    cut_off = first_impossible(game.rules, game.table.log[:-1])
    assert cut_off is not None
    assert cut_off.breaks_off
    assert first_impossible(game.rules, []) is None


def test_a_state_that_breaks_an_invariant_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_at("ma-midi-4")
    monkeypatch.setattr(check, "broken", lambda _rules, state: ["M3 seat 1 has -5"] if state.round.wagers else [])
    assert first_impossible(game.rules, game.table.log) is None
    found = first_impossible(game.rules, game.wager("1 b 2500").table.log)
    assert found is not None
    assert (found.at, found.say) == (len(game.table.log) - 1, "M3 seat 1 has -5")
