"""Patches: a view and its patches are the view after, for every audience; who sees no difference is sent nothing."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import msgspec
import pytest

from baccarat.law.rulebook import Rulebook, rulebook, shipped_submissions
from baccarat.play.wager import Verbal, Wager, WagerKind
from baccarat.table.audience import NOBODY, STATE_SHOWN, Shown, Sight
from baccarat.table.automation import run_until
from baccarat.table.base import Accepted, Event
from baccarat.table.machine import Table
from baccarat.table.patch import EQUIVALENT_ROLES, apply_patch, frame, patches
from baccarat.table.role import Role
from baccarat.table.round_state import WAGERED, Spoken
from baccarat.table.rules_adoption import AdoptRules
from baccarat.table.seating_acts import BuyIn, Leave, Sit
from baccarat.table.state import TableState, with_money
from baccarat.table.state_difference import is_fully_seen, listed_parts
from baccarat.table.step.wagering import PlaceWager, WithdrawWager
from baccarat.table.view import Viewer, moment
from house_books import stacks, wagering
from linked_floor import RANGE, Floor
from table_stories import STORIES, Story
from table_walk import COMMANDS, Walk, keyed, sealed
from watching import EVERY_SIGHT, EVERYBODY, Watchers, canonical, every_table_watched, read

PUBLIC, DEALER = Viewer(Role.PUBLIC), Viewer(Role.DEALER)


def opened(rules: Rulebook, seats: tuple[int, ...] = (1, 3, 5)) -> Table:
    """A table with people at it."""
    table = Table(rules)
    for seat in seats:
        table.do(Sit(seat=seat, person=f"person {seat}"))
        table.do(BuyIn(seat=seat, amount=10**9))
    return table


@cache
def a_shoe(name: str) -> tuple[Rulebook, tuple[tuple[TableState, tuple[Event, ...], TableState], ...]]:
    """One whole shoe, command by command: the state before, what happened, the state after.

    Its cover card lies in the middle: what happens in the second half has happened in the first.
    """
    rules = rulebook(name, cover_card_depth=200)
    found: list[tuple[TableState, tuple[Event, ...], TableState]] = []

    class Noted(Table):
        def do(self, command: Any, actor: Any = None) -> Any:
            before = self.state
            outcome = super().do(command, actor)
            if isinstance(outcome, Accepted):
                found.append((before, outcome.events, outcome.state))
            return outcome

    table = Noted(rules)
    for seat in (1, 3, 5):
        table.do(Sit(seat=seat, person=f"person {seat}"))
        table.do(BuyIn(seat=seat, amount=10**9))
    run_until(table, stacks(rules, name), stop=lambda t: t.state.shoe.number == 1, wagers=wagering(random.Random(name)))
    return rules, tuple(found)


# -------------------------------------------------------------------------------------------------- the law


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped_submissions())
def test_a_whole_shoe_is_followed_by_patches_alone(name: str) -> None:
    rules, acts = a_shoe(name)
    watchers = Watchers(rules, acts[0][0], EVERY_SIGHT, compare_every=9)
    for _before, events, after in acts:
        watchers.publish(rules, after, events)
    watchers.compare_every = 1
    watchers.publish(rules, acts[-1][2], ())
    assert len(acts) > 500


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped_submissions())
def test_commands_of_one_commit_are_one_patch(name: str) -> None:
    rules, acts = a_shoe(name)
    chance, watchers, at = random.Random(name), Watchers(rules, acts[0][0]), 0
    while at < len(acts):
        folded = acts[at : at + chance.choice((2, 3, 10, 40, 200))]
        watchers.publish(rules, folded[-1][2], [event for _, events, _ in folded for event in events])
        at += len(folded)
    assert watchers.published < len(acts) / 10


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ma-midi-4-royal9", "nj-punto-banco"])
def test_a_patch_leads_from_any_state_to_any_other(name: str) -> None:
    """Backwards too: what is sent depends on the two states and not on how one came from the other."""
    rules, acts = a_shoe(name)
    chance, states = random.Random(name), [state for _, _, state in acts]
    watchers = Watchers(rules, states[10])
    for state in chance.sample(states[10:], 60):
        watchers.publish(rules, state, ())


def test_keys_that_could_not_stand_in_a_path_are_sent_with_their_dictionary() -> None:
    rules = rulebook("nj-punto-banco")
    table = opened(rules)
    watchers = Watchers(rules, table.state)
    plain = {f"p{number}": number for number in range(9)}
    odd = {"a.b": 1, "__proto__": 2, 'say "x"': 3, "": 4, "né": 5}
    paths = []
    for receivables in (
        plain,
        {**plain, "p3": 9},
        {**plain, **odd},
        {**plain, **odd, "a.b": 7},
        {**plain, "": 4},
        plain,
    ):
        state = with_money(table.state, receivables=receivables)
        watchers.publish(rules, state, ())
        patch = msgspec.json.decode(watchers.frames[Viewer(Role.CAGE_CASHIER)][-1])
        paths += [*patch.get("set", ()), *patch.get("drop", ())]
    assert paths == ["money.receivables", "money.receivables.p3", *["money.receivables"] * 4]


def walked(rules: Rulebook, seed: int, acts: int, *, electronic: bool = False) -> None:
    """A table where people do what is due, and much that is not, by whoever does it."""
    chance = random.Random(seed)
    walk = Walk(rules, sealed(rules, seed) if electronic else keyed(rules, seed, rich=seed % 3 == 0))
    walk.seat(1, 3, 4, 6)
    for _ in range(acts):
        if chance.random() < 0.3:
            walk.try_a(chance.choice(COMMANDS), chance)
        elif walk.state.stopped:
            break
        else:
            if walk.state.step == "wager" and not walk.state.round.wagers:
                walk.wager(chance)
            walk.go_on(short=30)


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped_submissions())
@pytest.mark.parametrize("electronic", [False, True])
def test_a_random_walk_is_followed_by_patches_alone(name: str, electronic: bool) -> None:
    with every_table_watched() as watched:
        walked(rulebook(name), 7, 160, electronic=electronic)
    assert sum(each.published for each in watched) > 80


@pytest.mark.slow
@pytest.mark.parametrize("story", STORIES[::3], ids=lambda story: story.path.stem)
def test_irregularities_corrections_and_house_money_are_followed(story: Story) -> None:
    with every_table_watched(compare_every=3) as watched:
        story.tell(story.edition, story.elections)
    assert watched


def test_other_rules_and_more_or_fewer_seats_are_followed() -> None:
    with every_table_watched():
        table, seats = opened(rulebook("ma-midi-4", seats=5), (1, 2)), []
        for rules in (rulebook("nj-punto-banco"), rulebook("ma-midi-1", seats=3), rulebook("ma-midi-4-royal9")):
            submission = read({"ruleset": rules.edition.name, **rules.stated})
            assert isinstance(table.do(AdoptRules(submission=submission)), Accepted)
            seats.append(len(table.state.seats.participants))
            for command in (Sit(seat=3, person="late"), BuyIn(seat=3, amount=500), Leave(seat=3)):
                assert isinstance(table.do(command), Accepted)
    assert seats == [14, 3, 7]


def test_a_seat_that_comes_with_other_rules_may_be_taken_in_the_same_commit() -> None:
    table = opened(rulebook("ma-midi-4", seats=5), (1, 2))
    watchers, length = Watchers(table.rules, table.state), len(table.log)
    table.do(AdoptRules(submission=read({"ruleset": "nj-punto-banco", **rulebook("nj-punto-banco").stated})))
    table.do(Sit(seat=6, person="late"))
    watchers.publish(table.rules, table.state, table.log[length:])
    assert [each["taken"] for each in watchers.views[PUBLIC]["state"]["seats"]["participants"][:7]] == [
        True, True, False, False, False, True, False,
    ]  # fmt: skip


@pytest.mark.slow
def test_linked_tables_are_followed() -> None:
    rules = rulebook("ma-midi-4-royal9", must_hit=RANGE)
    floor = Floor.opened(rules, 3)
    watchers = {name: Watchers(rules, table.state, compare_every=3) for name, table in floor.tables.items()}
    seen = {name: len(table.log) for name, table in floor.tables.items()}
    chance, meters = random.Random(4), set[int]()
    for _ in range(400):
        floor.act(chance.choice(tuple(floor.tables)), check=False)
        for name, table in floor.tables.items():
            watchers[name].publish(rules, table.state, table.log[seen[name] :])
            seen[name] = len(table.log)
            meters.add(table.state.meters.must_hit)
    assert len(meters) > 3, "the shared meter has moved"


# ------------------------------------------------------------------------------------- alone and in company


def test_a_viewer_is_sent_the_same_alone_as_in_company() -> None:
    rules, acts = a_shoe("ma-midi-4-royal9")
    for before, events, after in acts[::7]:
        was, now = moment(rules, before), moment(rules, after)
        together = patches(was, now, events, EVERYBODY)
        for viewer in EVERYBODY:
            assert patches(was, now, events, [viewer]).get(viewer) == together.get(viewer)
    assert patches(was, now, events, []) == {}


def test_roles_with_the_same_sight_are_sent_the_same_bytes() -> None:
    floor = {Role.FLOORPERSON, Role.CASINO_SUPERVISOR, Role.PIT_BOSS, Role.SURVEILLANCE, Role.REGULATOR}
    assert {role for role, like in EQUIVALENT_ROLES.items() if like is Role.FLOORPERSON} == floor
    assert all(EQUIVALENT_ROLES[role] is role for role in set(Role) - floor)
    rules, acts = a_shoe("ma-midi-4")
    before, events, after = acts[300]
    sent = patches(moment(rules, before), moment(rules, after), events, EVERYBODY)
    assert len({id(sent[Viewer(role)]) for role in floor}) == 1


def test_what_changed_back_within_one_commit_is_not_sent() -> None:
    rules = rulebook("ma-midi-4")
    table = opened(rules)
    run_until(table, stacks(rules, "back"), stop=lambda t: t.state.step == "wager", wagers=lambda _: None)
    table.do(PlaceWager(seat=1, on=WagerKind.PLAYER, stake=2_500))
    before, length = table.state, len(table.log)
    for command in (
        PlaceWager(seat=3, on=WagerKind.BANKER, stake=2_500),
        WithdrawWager(seat=3, on=WagerKind.BANKER),
        Sit(seat=2, person="short"),
        Leave(seat=2),
    ):
        assert isinstance(table.do(command), Accepted)
    assert table.state.round.wagers is not before.round.wagers
    was, now = moment(rules, before), moment(rules, table.state)
    sent = patches(was, now, table.log[length:], EVERYBODY)
    assert {tuple(msgspec.json.decode(each)) for each in sent.values()} == {("events",)}
    assert patches(was, now, [], EVERYBODY) == {}


def test_the_public_is_sent_nothing_while_people_wager() -> None:
    rules, acts = a_shoe("ma-midi-4")
    placed = [act for act in acts if type(act[1][0]).__name__ == "WagerPlaced"]
    wagers = [act for act in placed if act[0].round.kind is WAGERED]  # the first wager after a Free Hand ends it
    assert len(wagers) > 50
    for before, events, after in wagers:
        sent = patches(moment(rules, before), moment(rules, after), events, EVERYBODY)
        assert {Viewer(Role.PUBLIC), Viewer(Role.CAGE_CASHIER), Viewer(Role.ADMINISTRATOR)}.isdisjoint(sent)
        assert DEALER in sent


def test_a_struct_is_sent_whole_only_where_all_of_it_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def everybody_at_the_table(sight: Sight) -> bool:
        return Role.PARTICIPANT in sight.roles

    assert listed_parts(tuple[Spoken, ...]) == [Spoken, Verbal]
    assert is_fully_seen(Wager, everybody_at_the_table)
    fields = {name: sight for name, sight in STATE_SHOWN["Wager"].fields.items() if name != "coupon"}
    monkeypatch.setitem(STATE_SHOWN, "Wager", Shown(STATE_SHOWN["Wager"].to, fields))
    assert not is_fully_seen(Wager, everybody_at_the_table), "a field that is not listed is for nobody"
    monkeypatch.setitem(STATE_SHOWN, "Wager", Shown(NOBODY, {**fields, "coupon": fields["stake"]}))
    assert not is_fully_seen(Wager, everybody_at_the_table)


# ---------------------------------------------------------------------------------------------- the format


def test_a_wager_a_card_and_a_payment_as_they_are_sent() -> None:
    rules, acts = a_shoe("ma-midi-4")
    first: dict[str, dict[str, Any]] = {}
    for before, events, after in acts:
        name = type(events[0]).__name__
        if before.round.wagers and (before.round.turned or name == "WagerPlaced"):
            sent = patches(moment(rules, before), moment(rules, after), events, [Viewer(Role.PARTICIPANT, 3)])
            first.setdefault(name, msgspec.json.decode(sent.get(Viewer(Role.PARTICIPANT, 3), b"{}")))
    placed = first["WagerPlaced"]["splice"]["round.wagers"]
    assert (placed[1], placed[2]["stake"]) == (0, first["WagerPlaced"]["events"][0]["stake"])
    turned = first["CardTurned"]
    assert next(iter(turned["set"].values())) == turned["events"][0]["card"]
    paid = first["Paid"]
    assert paid["splice"]["round.acts"][1:] == [1]


def test_a_frame_is_a_patch_with_the_numbers_of_its_audience() -> None:
    sent = frame(b'{"set":{"step":"deal"}}', last=7, seq=8)
    assert sent == b'{"type":"patch","from":7,"seq":8,"set":{"step":"deal"}}'


def test_a_patch_changes_what_it_says_and_nothing_else() -> None:
    view: dict[str, Any] = {"state": {"a": {"list": [1, 2, 3], "by": {"1": 5, "2": 6}}, "step": "x"}, "due": [1]}
    apply_patch(view, {"splice": {"a.list": [1, 1, 8, 9]}, "set": {"a.list.3": 4, "a.by.3": 7}, "drop": ["a.by.1"]})
    assert view == {"state": {"a": {"list": [1, 8, 9, 4], "by": {"2": 6, "3": 7}}, "step": "x"}, "due": [1]}
    apply_patch(view, {"set": {"step": "y"}, "due": [], "events": [{"event": "step"}]})
    assert (view["state"]["step"], view["due"]) == ("y", [])
    with pytest.raises(KeyError):
        apply_patch(view, {"set": {"nowhere.at": 1}})
    assert canonical(view)
