"""Which rules a shoe is played by: every shoe names its rulebook, and a table goes over to another between shoes."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import msgspec
import pytest

from acting import acting
from baccarat import WagerKind, rulebook
from baccarat.law.rulebook import Rulebook, read_submission, shipped_submissions
from baccarat.play.refusal import Refused
from baccarat.play.wager.royal9 import progressive
from baccarat.table.automation import command_for, next_due, run_until
from baccarat.table.base import Accepted
from baccarat.table.invariant import broken_invariants, worth
from baccarat.table.machine import EVENT_DECODER, Table, replay
from baccarat.table.meters import JoinLink
from baccarat.table.role import Role
from baccarat.table.rules_adoption import AdoptRules, RulesAdopted, rules_after
from baccarat.table.seating_acts import BuyIn, Leave, Sit
from baccarat.table.state import TableState
from baccarat.table.step.closing import ShoeClosed
from baccarat.table.step.wagering import PlaceWager
from house_books import stacks, wagering

SEATS = (1, 2, 5)
ROYAL9 = "ma-midi-4-royal9"


def filed(rules: Rulebook | str) -> dict[str, Any]:
    """A Submission as JSON brings it."""
    rules = rulebook(rules) if isinstance(rules, str) else rules
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode({"ruleset": rules.edition.name, **rules.stated}))
    return found


def adopt(rules: Rulebook | str) -> AdoptRules:
    return AdoptRules(submission=filed(rules))


def opened(rules: Rulebook, seats: tuple[int, ...] = SEATS) -> Table:
    table = Table(rules)
    for seat in seats:
        assert isinstance(table.do(Sit(seat=seat, person=f"p{seat}")), Accepted)
        assert isinstance(table.do(BuyIn(seat=seat, amount=10**9)), Accepted)
    return table


def play(table: Table, seed: str, *, rounds: int | None = None) -> None:
    """A shoe to its end, or some rounds of it."""
    number = table.state.shoe.number

    def over(table: Table) -> bool:
        if table.state.shoe.number > number:
            return True
        return rounds is not None and table.state.round.number > rounds and table.state.step == "wager"

    run_until(table, stacks(table.rules, seed), stop=over, wagers=wagering(random.Random(seed)))


@cache
def after_a_shoe(name: str) -> tuple[Rulebook, TableState, tuple[Any, ...]]:
    """A table at which one shoe has been played."""
    table = opened(rulebook(name))
    play(table, name)
    return table.rules, table.state, tuple(table.log)


def table_after(name: str) -> Table:
    rules, state, log = after_a_shoe(name)
    table = Table(rules)
    table.state, table.log = state, list(log)
    return table


PAIRS = [(one, other) for one in shipped_submissions() for other in shipped_submissions()]


@pytest.mark.slow
@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_every_pair_is_adopted_and_played_to_its_end_or_refused_with_what_stands_in_the_way(
    one: str, other: str
) -> None:
    table = table_after(one)
    before = table.state
    new = rulebook(one) if one == other else rulebook(other, cover_card_depth=330)  # a short shoe has every step too
    outcome = table.do(adopt(new))
    if isinstance(outcome, Refused):
        coming = progressive(new)
        lost = set(before.meters.amounts) - {meter.name for meter in (coming.meters if coming else ())}
        assert lost or before.meters.must_hit, outcome
        assert "shows $" in outcome.say
        assert outcome.cites
        assert table.state is before
        return
    assert table.rules.hash == new.hash
    assert worth(table.state) == worth(before), "nothing is made or lost by a change of rules"
    people = [[each for each in held.seats.participants if each is not None] for held in (before, table.state)]
    assert people[0] == people[1]
    play(table, f"{one} {other}")
    assert table.state.shoe.number == 2
    assert not table.state.stopped
    assert broken_invariants(table.rules, table.state) == []
    assert replay(rulebook(one), table.log) == table.state
    assert rules_after(rulebook(one), table.log) is table.rules
    written = [EVENT_DECODER.decode(msgspec.json.encode(event)) for event in table.log]
    assert replay(rulebook(one), written) == table.state
    adopted = [event for event in table.log if isinstance(event, RulesAdopted)]
    assert [event.hash for event in adopted] == [rulebook(one).hash, new.hash]


def test_every_shoe_names_its_rulebook_before_its_first_card() -> None:
    for name in ("ma-midi-4", "nj-punto-banco"):
        table = table_after(name)
        assert table.state.rules == "", "between two shoes"
        source = stacks(table.rules, "again")
        while not isinstance(table.log[-1], RulesAdopted) and table.state.rules == "":
            assert isinstance(table.do(command_for(table, next_due(table, source), source)), Accepted)
        assert table.state.rules == table.rules.hash
        adopted = [index for index, event in enumerate(table.log) if isinstance(event, RulesAdopted)]
        assert len(adopted) == 2
        assert any(isinstance(event, ShoeClosed) for event in table.log[adopted[0] : adopted[1]])
        assert table.log[adopted[1]].submission is None  # type: ignore[attr-defined]


def test_royal_9_is_taken_up_between_shoes_and_its_meters_begin_at_their_seeds() -> None:
    table = table_after("ma-midi-4")
    new = rulebook(ROYAL9)
    assert isinstance(table.do(adopt(new)), Accepted)
    progress = progressive(new)
    assert progress is not None
    assert table.state.meters.amounts == {meter.name: meter.seed for meter in progress.meters}
    assert len(table.state.seats.participants) == new.elections.seats
    play(table, "royal", rounds=1)
    assert isinstance(table.do(PlaceWager(seat=1, on=WagerKind.BANKER, stake=2_500)), Accepted)
    assert isinstance(table.do(PlaceWager(seat=1, on=WagerKind.ROYAL9, stake=500)), Accepted)


def test_a_meter_that_has_been_fed_stands_in_the_way_of_rules_without_it() -> None:
    table = table_after(ROYAL9)
    outcome = table.do(adopt("ma-midi-4"))
    assert isinstance(outcome, Refused)
    assert "the meter star shows $" in outcome.say
    assert "no such meter to carry it to" in outcome.say


def test_meters_that_have_been_fed_go_over_with_what_they_show() -> None:
    table = table_after(ROYAL9)
    before = table.state.meters
    progress = progressive(rulebook(ROYAL9))
    assert progress is not None
    assert before.amounts != {meter.name: meter.seed for meter in progress.meters}, "people have fed them"
    assert isinstance(table.do(adopt(rulebook(ROYAL9, tie_odds=9))), Accepted)
    assert table.state.meters == before


def test_meters_that_nobody_has_fed_go_with_their_seeds() -> None:
    table = opened(rulebook(ROYAL9))
    before = table.state
    assert isinstance(table.do(adopt("ma-midi-4")), Accepted)
    assert table.state.meters.amounts == {}
    assert table.state.meters.must_hit == 0
    assert worth(table.state) == worth(before)
    assert broken_invariants(table.rules, table.state) == []


def test_the_must_hit_goes_over_to_other_terms_only_when_it_has_been_won() -> None:
    table = opened(rulebook(ROYAL9))
    terms = table.rules.elections.must_hit
    assert terms is not None
    meters = table.state.meters
    flow = msgspec.structs.replace(meters.must_hit_flow, contributed=1)
    fed = msgspec.structs.replace(meters, must_hit=meters.must_hit + 1, must_hit_flow=flow)
    table.state = msgspec.structs.replace(table.state, meters=fed)
    wider = rulebook(ROYAL9, must_hit={**msgspec.to_builtins(terms), "ceiling": terms.ceiling + 100})
    outcome = table.do(adopt(wider))
    assert isinstance(outcome, Refused)
    assert "the Must Hit shows $1,000.01: new terms take effect only after it has been won" in outcome.say
    assert isinstance(table.do(adopt(rulebook(ROYAL9, tie_odds=9))), Accepted), "on the same terms it goes on"
    assert table.state.meters == fed
    fresh = opened(rulebook(ROYAL9))
    assert isinstance(fresh.do(adopt(wider)), Accepted)
    assert fresh.state.meters.must_hit_seal == ""


def test_a_seat_that_is_occupied_stands_in_the_way_of_fewer_seats() -> None:
    table = opened(rulebook("ma-midi-4"), seats=(1, 8, 9))
    outcome = table.do(adopt(ROYAL9))
    assert isinstance(outcome, Refused)
    assert "seat 8, 9 is occupied, and the new rules have 7 seats" in outcome.say
    for seat in (8, 9):
        assert isinstance(table.do(Leave(seat=seat)), Accepted)
    assert isinstance(table.do(adopt(ROYAL9)), Accepted)
    assert isinstance(table.do(adopt("ma-midi-4")), Accepted), "once more, before a card is touched"
    assert len(table.state.seats.participants) == 9


def test_a_shoe_is_played_to_its_end_by_its_own_rules() -> None:
    table = opened(rulebook("ma-midi-4"))
    play(table, "middle", rounds=2)
    outcome = table.do(adopt("ma-midi-4-ez"))
    assert isinstance(outcome, Refused)
    assert "played to its end by the rules that it began with" in outcome.say
    begun = opened(rulebook("ma-midi-4"))
    source = stacks(begun.rules, "begun")
    begun.do(command_for(begun, next_due(begun, source), source))
    assert isinstance(begun.do(adopt("ma-midi-4-ez")), Refused)


@pytest.mark.parametrize(
    "submission",
    [{}, {"ruleset": "ma-midi-9"}, {"ruleset": "ma-midi-4"}, {**read_submission("ma-midi-4"), "decks": "many"}],
)
def test_what_is_no_submission_is_refused_with_its_faults(submission: dict[str, Any]) -> None:
    table = opened(rulebook("ma-midi-4"))
    outcome = table.do(AdoptRules(submission=submission))
    assert isinstance(outcome, Refused)
    assert "these rules cannot be adopted because of " in outcome.say
    assert outcome.cites


def test_participants_and_dealers_change_no_rules() -> None:
    table = opened(rulebook("ma-midi-4"))
    for role in (Role.PARTICIPANT, Role.DEALER, Role.SURVEILLANCE):
        command = adopt("ma-midi-4-ez")
        outcome = table.do(command, table.usual_actor(command, by=role))
        assert isinstance(outcome, Refused)
        assert outcome.code.value == "wrong_role"


def test_a_set_that_was_to_be_shuffled_again_goes_where_other_decks_are_wanted() -> None:
    table = table_after("nj-punto-banco")
    assert table.state.shoe.set_id
    assert isinstance(table.do(adopt(rulebook("nj-punto-banco", decks=6))), Accepted)
    assert table.state.shoe.set_id == ""
    assert table.state.step == "receive"
    kept = table_after("nj-punto-banco")
    assert isinstance(kept.do(adopt(rulebook("nj-punto-banco", vig_rate=4))), Accepted)
    assert kept.state.shoe.set_id


def test_a_linked_table_keeps_the_meters_that_it_shares_and_a_new_must_hit_is_a_new_run() -> None:
    other = rulebook(ROYAL9, must_hit={"start": "$100.00", "ceiling": "$200.00", "contribution": "$0.50"})
    linked, alone = Table(rulebook(ROYAL9)), Table(rulebook(ROYAL9))
    join = JoinLink(link="L")
    assert isinstance(linked.do(join, acting(linked, join, who="Sue", second="Max")), Accepted)
    for new in (other, rulebook("ma-midi-4"), rulebook(ROYAL9, reserve_share_bp=1000)):
        outcome = linked.do(adopt(new))
        assert isinstance(outcome, Refused)
        assert "shares the meters of L" in outcome.say
    assert isinstance(linked.do(adopt(rulebook(ROYAL9, cover_card_depth=20))), Accepted)
    assert isinstance(alone.do(adopt(other)), Accepted)
    assert alone.state.meters.must_hit_run == 1
