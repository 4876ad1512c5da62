"""Linked tables: three tables at once on shared meters, every award measured on what all of them put in."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from baccarat.house.book import decode, encode
from baccarat.house.house import decide_at_table
from baccarat.house.invariant import broken_invariants
from baccarat.house.joint_decision import SharedBooks, TableAct, decide_together
from baccarat.house.link import LINK, LinkState
from baccarat.house.link_entry import follow
from baccarat.house.link_event import (
    ContributionsReturned,
    LinkShown,
    MeterWon,
    WagersAdded,
)
from baccarat.house.reason import HouseReason
from baccarat.house.state import Decision, apply_decision, follows_from
from baccarat.house.stream import link_stream, table_stream
from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.money import MICRO
from baccarat.play.refusal import Refused
from baccarat.play.wager.royal9 import progressive
from baccarat.table.automation import command_for, next_due, run_until
from baccarat.table.base import Accepted
from baccarat.table.irregularity.face_up import ReportFaceUp
from baccarat.table.irregularity.remedy import RoundMadeSimulated
from baccarat.table.machine import begin, decide
from baccarat.table.step.announcing import ResultAnnounced
from baccarat.table.step.calling import CallNoMoreBets, NoMoreBetsCalled
from baccarat.table.step.dealing import RoundVoided
from baccarat.table.step.must_hit import MustHitEnded, SealTrigger
from baccarat.table.step.settlement import Awarded
from linked_floor import LINK_NAME, NAMES, RANGE, Floor
from linked_round import until_closed

pytestmark = pytest.mark.slow


@pytest.mark.clause("MA-v3-4:12(j).1", "MA-v3-4:12(j).2", "MA-v3-4:12(j).4")
@pytest.mark.slow
@pytest.mark.parametrize("kept_back", [0, 2500])
def test_m8_three_tables_share_meters_and_every_award_is_what_the_link_shows(kept_back: int) -> None:
    rules = rulebook("ma-midi-4-royal9", must_hit=RANGE, reserve_share_bp=kept_back)
    floor = Floor.opened(rules, 5)
    for number in range(9_000):
        floor.act(floor.chance.choice(NAMES), check=number % 5 == 0)
    logs = [event for name in NAMES for event in floor.tables[name].log]
    won = [event for event in floor.house.logs[link_stream(LINK_NAME)] if isinstance(event, MeterWon)]
    assert len(won) >= 5
    assert len({event.table for event in won}) > 1
    progress = progressive(rules)
    assert progress is not None
    rows = {prize.row for prize in progress.prizes if prize.meter}
    paid = {event.amount for event in logs if isinstance(event, Awarded) and event.row in rows}
    assert paid <= {amount for event in won for amount in event.shares.values()}, (
        "what was paid is what the link showed"
    )
    assert len(paid) >= 4
    hits = [event for event in logs if isinstance(event, MustHitEnded) and event.hit]
    assert len(hits) >= 5
    assert all(RANGE["start"] <= hit.trigger <= hit.award <= RANGE["ceiling"] + 50 for hit in hits if hit.trigger)
    assert not any(hit.withheld for hit in hits)
    assert len({table.state.meters.must_hit_flow.elsewhere for table in floor.tables.values()}) > 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_m8_holds_after_every_act_of_any_interleaving_and_the_link_replays_at_every_prefix(seed: int) -> None:
    rules = rulebook("ma-midi-4-royal9", must_hit=RANGE, reserve_share_bp=1000 * (seed % 2))
    floor = Floor.opened(rules, seed)
    start = floor.linked
    for _ in range(1_200):
        floor.act(floor.chance.choice(NAMES[: 1 + floor.chance.randrange(3)]))
    log = floor.house.logs[link_stream(LINK_NAME)]
    assert len({type(event) for event in log}) >= 4
    linked = start
    for event in log:
        linked = LINK.evolve(linked, decode(encode(event), type(event)))
        assert linked.is_conserved, event
        assert decode(encode(linked), LinkState) == linked
        assert LINK.tell(event).endswith(".")
        assert event.cites
    assert linked == floor.linked


def until_called(floor: Floor, name: str) -> None:
    """A table with Royal 9 wagers at which “no more bets” is the next act."""
    table = floor.tables[name]
    while True:
        floor.wager(name)
        if table.state.round.royal9_seats and isinstance(floor.next_command(name), CallNoMoreBets):
            return
        floor.act(name)


def test_two_decisions_on_one_head_of_the_link_cannot_both_stand() -> None:
    """Whoever stores them compares the heads: the second is decided again, on the new figure."""
    floor = Floor.opened(rulebook("ma-midi-4-royal9", must_hit=RANGE), 9)
    for name in NAMES[:2]:
        until_called(floor, name)
    before = floor.house.state
    first, second = (decide_at_table(before, name, CallNoMoreBets()) for name in NAMES[:2])
    assert isinstance(first, Decision)
    assert isinstance(second, Decision)
    assert {each.stream for each in first.appended} == {table_stream("T1"), link_stream(LINK_NAME)}
    after = apply_decision(before, first)
    assert not follows_from(after, second)
    with pytest.raises(AssertionError, match="decide again"):
        apply_decision(after, second)
    again = decide_at_table(after, "T2", CallNoMoreBets())
    assert isinstance(again, Decision)
    assert broken_invariants(apply_decision(after, again)) == []
    shown = [event for event in again.events if isinstance(event, LinkShown)]
    assert len(shown) == 1, "it is shown what the first has added"


def test_what_the_link_refuses_never_stands_at_a_table() -> None:
    """A table whose rulebook feeds other sums than the link's running jackpots: refused, and nothing has changed."""
    floor = Floor.opened(rulebook("ma-midi-4-royal9", must_hit=RANGE), 3)
    table = floor.tables["T1"]
    while not (table.state.step == "wager" and table.state.round.wagers and floor.linked.must_hit.seal):  # type: ignore[union-attr]
        floor.act("T1")
    other = rulebook("ma-midi-4-royal9", must_hit=RANGE, reserve_share_bp=700)
    given = SharedBooks(table="T1", seq=floor.house.state.head(table_stream("T1")), linked=floor.linked)
    dealer = table.usual_actor(CallNoMoreBets())
    right = decide_together(floor.rules, table.state, CallNoMoreBets(), dealer, given)
    assert isinstance(right, TableAct)
    assert [type(event) for event in right.link][-1] is WagersAdded
    wrong = decide_together(other, table.state, CallNoMoreBets(), dealer, given)
    assert isinstance(wrong, Refused)
    assert wrong.code is HouseReason.OTHER_TERMS
    alone = decide_together(other, table.state, CallNoMoreBets(), dealer, replace(given, linked=None))
    assert isinstance(alone, TableAct)


def test_the_link_believes_no_figure_and_enters_no_event_twice() -> None:
    floor = Floor.opened(rulebook("ma-midi-4-royal9"), 4)
    table = floor.tables["T1"]
    while not table.state.round.closed:
        before, linked, head = table.state, floor.linked, floor.house.state.head(table_stream("T1"))
        floor.act("T1")
    called = table.log[head:]
    seats = tuple(table.state.round.royal9_seats)
    given: dict[str, Any] = {"table": "T1", "seq": head, "state": before}
    (added, *_) = [e for e in follow_or_fail(floor.rules, linked, called, given) if isinstance(e, WagersAdded)]
    assert added.seats == seats
    for event in called:
        if isinstance(event, NoMoreBetsCalled):
            for wrong in (
                replace(event, contributions={name: 2 * amount for name, amount in event.contributions.items()}),
                replace(event, contributions={}),
                replace(event, reserve=event.reserve + 1),
            ):
                outcome = follow(floor.rules, linked, events=[wrong], **given)
                assert isinstance(outcome, Refused)
                assert outcome.code is HouseReason.OTHER_TERMS
    again = follow(floor.rules, floor.linked, events=called, **given)
    assert isinstance(again, Refused)
    assert again.code is HouseReason.TWICE
    outside = follow(floor.rules, linked, events=called, **{**given, "table": "T9"})
    assert isinstance(outside, Refused)
    assert outside.code is HouseReason.NO_SUCH_TABLE


def test_the_link_puts_up_the_next_seed_out_of_the_reserve_by_its_own_reckoning() -> None:
    floor = Floor.opened(rulebook("ma-midi-4-royal9", reserve_share_bp=2500), 4)
    until_closed(floor, "T1")
    table = floor.tables["T1"]
    while not table.state.round.announced:
        before, linked, head = table.state, floor.linked, floor.house.state.head(table_stream("T1"))
        floor.act("T1")
    result = next(event for event in table.log[head:] if isinstance(event, ResultAnnounced))
    given: dict[str, Any] = {"table": "T1", "seq": head, "state": before}
    follow_or_fail(floor.rules, linked, [result], given)
    outcome = follow(floor.rules, linked, events=[replace(result, from_reserve=result.from_reserve + 1)], **given)
    assert isinstance(outcome, Refused)
    assert outcome.code is HouseReason.WRONG_SUM


def follow_or_fail(rules: Rulebook, linked: LinkState, events: Any, given: dict[str, Any]) -> Any:
    outcome = follow(rules, linked, events=events, **given)
    assert not isinstance(outcome, Refused), outcome
    return outcome


def test_a_table_that_does_not_show_the_link_cannot_pay_on_its_own_figure() -> None:
    """A meter is won on a figure without what other tables put in."""
    floor = Floor.opened(rulebook("ma-midi-1-royal9"), 6)
    for name in ("T1", "T2", "T1", "T2"):
        for _ in range(400):
            floor.act(name, check=False)
    lonely, stale, seen = floor.tables["T3"], begin(floor.rules), list[Refused]()
    while not seen:
        floor.wager("T3")
        state, command = lonely.state, command_for(lonely, next_due(lonely, floor.sources["T3"]), floor.sources["T3"])
        unseen = replace(state, meters=replace(state.meters, amounts=stale.meters.amounts))
        alone = decide(floor.rules, unseen, command, lonely.usual_actor(command))
        assert isinstance(alone, Accepted)
        seq = floor.house.state.head(table_stream("T3"))
        followed = follow(floor.rules, floor.linked, table="T3", seq=seq, state=unseen, events=alone.events)
        if isinstance(followed, Refused):
            seen.append(followed)
        floor.act("T3", check=False)
    assert seen[0].code is HouseReason.WRONG_SUM
    assert "another figure than the link shows" in seen[0].say


def test_one_trigger_is_sealed_at_a_time() -> None:
    floor = Floor.opened(rulebook("ma-midi-4-royal9", must_hit=RANGE), 6)
    assert isinstance(floor.tables["T1"].do(SealTrigger(seal="0" * 64)), Accepted)
    before = floor.house.state
    second = floor.tables["T2"].do(SealTrigger(seal="1" * 64))
    assert isinstance(second, Refused), "it is shown the seal of the first"
    assert floor.house.state is before
    unseen = floor.house.state.tables["T3"]
    seal = SealTrigger(seal="1" * 64)
    alone = decide(floor.rules, unseen, seal, floor.tables["T3"].usual_actor(seal))
    assert isinstance(alone, Accepted)
    followed = follow(floor.rules, floor.linked, table="T3", seq=99, state=unseen, events=alone.events)
    assert isinstance(followed, Refused)
    assert followed.code is HouseReason.WRONG_SEAL


def test_the_trigger_that_was_won_last_is_not_sealed_again() -> None:
    """The other tables could not be shown it: each would wait for another trigger and play no further."""
    floor = Floor.opened(rulebook("ma-midi-4-royal9", must_hit=RANGE), 7)
    while floor.linked.must_hit is None or floor.linked.must_hit.jackpot < 2:
        seal = floor.linked.must_hit.seal if floor.linked.must_hit is not None else ""
        floor.act("T1", check=False)
    assert seal
    again = floor.tables["T2"].do(SealTrigger(seal=seal))
    assert isinstance(again, Refused)
    assert again.code is HouseReason.WRONG_SEAL
    assert "won already" in again.say
    assert isinstance(floor.tables["T2"].do(SealTrigger(seal="2" * 64)), Accepted)


def test_the_others_hear_what_was_won_and_the_winner_need_not() -> None:
    floor = Floor.opened(rulebook("ma-midi-4-royal9"), 5)
    log = floor.house.logs.setdefault(link_stream(LINK_NAME), [])
    while not any(isinstance(event, MeterWon) for event in log):
        floor.act("T1", check=False)
        floor.act("T2", check=False)
    (won,) = (event for event in log if isinstance(event, MeterWon))
    assert won.meter not in floor.linked.unheard.get(won.table, ())
    assert sorted(floor.linked.unheard["T3"]) == sorted({"must_hit", won.meter}), "each name once, however often"
    until_called(floor, "T3")
    floor.act("T3")
    assert "T3" not in floor.linked.unheard, "it has been shown the link"


def test_a_must_hit_is_ended_on_the_links_figure_and_on_no_other() -> None:
    floor = Floor.opened(rulebook("ma-midi-4-royal9", must_hit=RANGE), 12)
    ended = list[MustHitEnded]()
    while len({event.hit for event in ended}) < 2:
        linked, table = floor.linked, floor.tables["T1"]
        state, head = table.state, floor.house.state.head(table_stream("T1"))
        floor.act("T1", check=False)
        for number, event in enumerate(table.log[head:], start=head):
            if not isinstance(event, MustHitEnded):
                continue
            ended.append(event)
            given: dict[str, Any] = {"table": "T1", "seq": number, "state": state}
            assert not isinstance(follow(floor.rules, linked, events=[event], **given), Refused)
            for more in (1, -1, 25):
                wrong = (
                    replace(event, award=event.award + more) if event.hit else replace(event, meter=event.meter + more)
                )
                outcome = follow(floor.rules, linked, events=[wrong], **given)
                assert isinstance(outcome, Refused)
                assert outcome.code is HouseReason.WRONG_SUM


def make_simulated(floor: Floor, name: str) -> None:
    """A card found face up: the round that was about to begin holds no wagers."""
    table = floor.tables[name]
    card, _ = floor.sources[name].card(table.state, table.state.shoe.next)
    outcome = table.do(ReportFaceUp(card=card))
    assert isinstance(outcome, Accepted), outcome
    assert any(isinstance(event, RoundMadeSimulated) for event in outcome.events)


def displayed(floor: Floor) -> dict[str, int]:
    """What the link's meters show."""
    return {name: meter.displayed for name, meter in floor.linked.royal9.meters.items()}


@pytest.mark.clause("MA:13(d)")
def test_m7_m8_a_void_round_lowers_no_meter_that_another_table_has_been_shown() -> None:
    """T1 feeds its meters, T2 is shown the link and plays on, T1's round is void, and T2 plays on."""
    floor = Floor.opened(rulebook("ma-midi-4-royal9", must_hit=RANGE, reserve_share_bp=2500), 2)
    until_closed(floor, "T1")
    own, link = dict(floor.tables["T1"].state.meters.amounts), displayed(floor)
    assert all(own[name] > link[name] for name in link), "the round stands on its own table's meters"
    until_closed(floor, "T2")
    before = dict(floor.tables["T2"].state.meters.amounts)
    make_simulated(floor, "T1")
    assert "T1" not in floor.linked.open
    assert all(floor.tables["T1"].state.meters.amounts[name] < value for name, value in own.items())
    assert broken_invariants(floor.house.state) == []
    table = floor.tables["T2"]
    while not table.state.round.announced:
        floor.act("T2")
    assert table.state.meters.amounts == before
    assert displayed(floor) == before, "what T2 added stands with its result"


@pytest.mark.clause("MA:13(d)")
def test_m7_a_void_round_after_a_meter_was_won_elsewhere_costs_nobody_anything() -> None:
    """T1 feeds its meters, T2 wins one, which begins again, and then T1's round is void."""
    for seed in range(60):
        floor = Floor.opened(rulebook("ma-midi-4-royal9"), seed)
        until_closed(floor, "T1")
        for _ in range(400):
            floor.act("T2", check=False)
            won = [event for event in floor.house.logs[link_stream(LINK_NAME)] if isinstance(event, MeterWon)]
            if won and floor.tables["T2"].state.step == "wager":
                break
        else:
            continue
        meters, seeded = displayed(floor), floor.linked.royal9.seeded
        assert meters[won[0].meter] >= 35_000 * MICRO
        make_simulated(floor, "T1")
        assert (displayed(floor), floor.linked.royal9.seeded) == (meters, seeded)
        assert broken_invariants(floor.house.state) == []
        (returned,) = (
            event for event in floor.house.logs[link_stream(LINK_NAME)] if isinstance(event, ContributionsReturned)
        )
        assert isinstance(floor.tables["T1"].log[returned.of], NoMoreBetsCalled)
        run_until(
            floor.tables["T1"], floor.sources["T1"], stop=lambda t: t.state.step == "wager", wagers=lambda _: None
        )
        return
    pytest.fail("no meter was won at the other table")


@pytest.mark.clause("MA:13(d)")
def test_m7_a_round_made_simulated_before_betting_closed_has_added_nothing_to_give_back() -> None:
    floor = Floor.opened(rulebook("ma-midi-4-royal9"), 2)
    until_called(floor, "T1")
    assert floor.tables["T1"].state.round.royal9_seats
    before = floor.linked
    make_simulated(floor, "T1")
    assert floor.linked.royal9 == before.royal9
    assert not any(
        isinstance(event, ContributionsReturned) for event in floor.house.logs.get(link_stream(LINK_NAME), [])
    )
    assert broken_invariants(floor.house.state) == []


def test_m7_a_void_round_gives_back_what_the_link_has_on_record_and_no_other_sum() -> None:
    floor = Floor.opened(rulebook("ma-midi-4-royal9", reserve_share_bp=1000), 2)
    until_closed(floor, "T1")
    held = floor.linked.open["T1"]
    given: dict[str, Any] = {
        "table": "T1", "seq": floor.house.state.head(table_stream("T1")), "state": floor.house.state.tables["T1"],
    }  # fmt: skip
    right = RoundVoided(returned={}, contributions=held.amounts, reserve=held.reserve)
    (entry,) = follow_or_fail(floor.rules, floor.linked, [right], given)
    assert isinstance(entry, ContributionsReturned)
    for wrong in (
        replace(right, contributions={name: 2 * amount for name, amount in held.amounts.items()}),
        replace(right, contributions={}),
        replace(right, reserve=held.reserve + 1),
    ):
        outcome = follow(floor.rules, floor.linked, events=[wrong], **given)
        assert isinstance(outcome, Refused)
        assert outcome.code is HouseReason.WRONG_SUM
