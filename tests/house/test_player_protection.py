"""Player protection: a limit on loss, a wait before a higher one, time-outs and exclusions, all from the record."""

from __future__ import annotations

import random

import pytest

from baccarat.house.book import HouseCommand
from baccarat.house.gaming_day import DayClosed
from baccarat.house.house import House
from baccarat.house.player_book import (
    ConfirmLossLimit,
    ElectProtection,
    ExcludeMyself,
    ReturnToPlay,
    SetLossLimit,
    SetPlayReminder,
    TakeTimeOut,
)
from baccarat.house.protected_play import loss_of_day
from baccarat.house.state import Decision, StreamEvents, apply_decision
from baccarat.house.stream import DAY_STREAM, PLAYER_STREAM, table_stream
from baccarat.law.rulebook import rulebook
from baccarat.play.refusal import Refused
from baccarat.play.wager import WagerKind
from baccarat.serve.runtime.read_set import read_set
from baccarat.table.actor import Actor
from baccarat.table.automation import run_until
from baccarat.table.base import Accepted
from baccarat.table.machine import Table
from baccarat.table.role import Role
from baccarat.table.seating_acts import BuyIn, Leave, Sit
from baccarat.table.source import KeyedCards
from baccarat.table.step.wagering import ChangeWager, PlaceWager
from house_books import ADMIN_AND_SUPERVISOR, Books, actor, open_table, stacks

RULES = rulebook("ma-midi-4")
ANN = Actor(who="ann", role=Role.PARTICIPANT)
NOW, DAY = 1_000_000, 24 * 3600


def chosen(house: House, command: HouseCommand, who: Actor = ANN) -> Decision:
    """A choice that is to be taken."""
    outcome = house.do(command, who, stream=PLAYER_STREAM)
    assert isinstance(outcome, Decision), outcome
    return outcome


def refused(house: House, command: HouseCommand, who: Actor = ANN) -> str:
    """A choice that is to be refused: the sentence's name."""
    outcome = house.do(command, who, stream=PLAYER_STREAM)
    assert isinstance(outcome, Refused), outcome
    assert [str(cite) for cite in outcome.cites] == ["house §player-protection"]
    return outcome.what


def go_on(table: Table, source: KeyedCards) -> None:
    """Play until wagers are open, in another round than now."""
    now = table.state

    def is_open(table: Table) -> bool:
        state = table.state
        is_same = (state.shoe.number, state.round.number) == (now.shoe.number, now.round.number)
        return state.step == "wager" and not (is_same and now.round.wagers)

    run_until(table, source, stop=is_open, wagers=lambda _table: None)


def at_table(limit: int = 0) -> Books:
    """A table where Ann sits with chips, and wagers are open."""
    books = Books(RULES)
    if limit:
        chosen(books.house, SetLossLimit(amount=limit, effective=NOW))
    assert isinstance(books.do(Sit(seat=1), ANN), Accepted)
    assert isinstance(books.do(BuyIn(seat=1, amount=1_000_000)), Accepted)
    go_on(books, stacks(RULES, "protection"))
    return books


def wager(books: Books, stake: int, on: WagerKind = WagerKind.PLAYER) -> str:
    """The refusal of a wager by name; empty if it lies."""
    outcome = books.do(PlaceWager(seat=1, on=on, stake=stake), ANN)
    return outcome.what if isinstance(outcome, Refused) else ""


def test_no_wager_is_taken_by_which_more_could_be_lost_than_the_limit() -> None:
    books = at_table(limit=10_000)
    assert books.house.journal[-1].appended, "something was done"
    assert wager(books, 10_100) == "above_the_limit_on_loss"
    assert wager(books, 7_500) == ""
    assert wager(books, 2_600, WagerKind.TIE) == "above_the_limit_on_loss", "with what lies there"
    higher = books.do(ChangeWager(seat=1, on=WagerKind.PLAYER, stake=10_100), ANN)
    assert isinstance(higher, Refused)
    assert (higher.what, higher.params["left"]) == ("above_the_limit_on_loss", 2_500)
    assert isinstance(books.do(ChangeWager(seat=1, on=WagerKind.PLAYER, stake=10_000), ANN), Accepted)


def test_what_lies_at_another_seat_of_the_same_person_counts_too() -> None:
    books = at_table(limit=10_000)
    by_dealer = Actor(who="dealer", role=Role.DEALER)
    assert isinstance(books.do(Sit(seat=3, person="ann"), by_dealer), Accepted)
    assert isinstance(books.do(BuyIn(seat=3, amount=1_000_000)), Accepted)
    assert isinstance(books.do(PlaceWager(seat=3, on=WagerKind.BANKER, stake=7_500), ANN), Accepted)
    assert wager(books, 7_500) == "above_the_limit_on_loss"
    assert wager(books, 2_500) == ""
    outcome = books.do(ChangeWager(seat=3, on=WagerKind.BANKER, stake=7_600), ANN)
    assert isinstance(outcome, Refused)
    assert outcome.params["left"] == 0


def test_what_was_lost_today_counts_and_a_new_day_begins_with_nothing_lost() -> None:
    books, source = at_table(limit=50_000), stacks(RULES, "protection")
    chance, lost = random.Random(5), 0
    for _ in range(40):
        state = books.house.state
        before = state.tables["T1"].at(1).chips  # type: ignore[union-attr]
        lost = 1_000_000 - before
        assert loss_of_day(state, "ann") == lost, "as the chips are"
        stake = min(10_000, 50_000 - lost)
        if stake < 2_500:
            break
        assert wager(books, 50_000 - lost + 100) == "above_the_limit_on_loss"
        assert wager(books, stake, chance.choice((WagerKind.PLAYER, WagerKind.BANKER))) == ""
        go_on(books, source)
    assert lost, "something was lost or won"
    state = books.house.state
    closed = StreamEvents(stream=DAY_STREAM, after=state.head(DAY_STREAM), events=(DayClosed(figures={}),))
    assert loss_of_day(apply_decision(state, Decision((closed,))), "ann") == 0


def test_a_lower_limit_holds_immediately_and_a_higher_one_waits_a_day_and_is_confirmed() -> None:
    house = at_table(limit=50_000).house
    chosen(house, SetLossLimit(amount=20_000, effective=NOW))
    assert house.state.protection.player("ann").limit == 20_000  # type: ignore[union-attr]
    for amount in (30_000, 0):
        chosen(house, SetLossLimit(amount=amount, effective=NOW))
        assert house.state.protection.player("ann").limit == 20_000, "not yet"  # type: ignore[union-attr]
        assert refused(house, ConfirmLossLimit(effective=NOW + DAY - 1)) == "higher_limit_waits"
    chosen(house, SetLossLimit(amount=20_000, effective=NOW))
    assert refused(house, ConfirmLossLimit(effective=NOW + DAY)) == "no_higher_limit_asked", "he thought better of it"
    chosen(house, SetLossLimit(amount=30_000, effective=NOW))
    chosen(house, ConfirmLossLimit(effective=NOW + DAY))
    assert house.state.protection.player("ann").limit == 30_000  # type: ignore[union-attr]
    elected = ElectProtection(wait_hours=48, reminder_minutes=30)
    chosen(house, elected, ADMIN_AND_SUPERVISOR)
    chosen(house, SetLossLimit(amount=0, effective=NOW))
    assert refused(house, ConfirmLossLimit(effective=NOW + 2 * DAY - 1)) == "higher_limit_waits"
    chosen(house, ConfirmLossLimit(effective=NOW + 2 * DAY))
    assert house.state.protection.player("ann").limit == 0  # type: ignore[union-attr]
    short = ElectProtection(wait_hours=23, reminder_minutes=30)
    assert isinstance(house.do(short, ADMIN_AND_SUPERVISOR, stream=PLAYER_STREAM), Refused)


@pytest.mark.parametrize("how", [TakeTimeOut(hours=2, effective=NOW), ExcludeMyself(days=1, effective=NOW)])
def test_who_is_away_sits_at_no_table_and_wagers_nowhere_until_he_is_back(how: HouseCommand) -> None:
    books = at_table()
    house = books.house
    other = open_table(house, RULES, "T2")
    end = NOW + (7200 if isinstance(how, TakeTimeOut) else DAY)
    chosen(house, how)
    what = "takes_a_time_out" if isinstance(how, TakeTimeOut) else "excludes_himself"
    assert wager(books, 2_500) == what, "who sits may stay, and wagers nothing"
    assert isinstance(books.do(Leave(seat=1), ANN), Accepted)
    by_dealer = Actor(who="dealer", role=Role.DEALER)
    for table in (books, other):
        for by in (ANN, by_dealer):
            outcome = table.do(Sit(seat=2, person="ann"), by)
            assert isinstance(outcome, Refused)
            assert outcome.what == what
    assert isinstance(other.do(Sit(seat=2, person="bob"), by_dealer), Accepted), "nobody else"
    shorter = TakeTimeOut(hours=1, effective=NOW)
    assert refused(house, shorter) == "stays_away_longer_already"
    assert refused(house, ReturnToPlay(effective=end - 1)) == "stays_away_for_hours"
    assert isinstance(other.do(Sit(seat=3), ANN), Refused), "time alone ends nothing"
    chosen(house, ReturnToPlay(effective=end))
    assert isinstance(other.do(Sit(seat=3), ANN), Accepted)


def test_the_book_is_told_at_which_tables_somebody_with_a_limit_plays() -> None:
    """On these tables depends a wager, wherever it is decided; who has no limit is in no book."""
    books = at_table(limit=10_000)
    house = books.house
    other = open_table(house, RULES, "T2")
    bob = Actor(who="bob", role=Role.PARTICIPANT)
    other.do(Sit(seat=2), bob)
    assert isinstance(other.do(Sit(seat=4), ANN), Accepted)
    assert [each.stream for each in house.journal[-1].appended] == [table_stream("T2"), PLAYER_STREAM]
    assert house.state.protection.player("bob") is None
    place = PlaceWager(seat=4, on=WagerKind.PLAYER, stake=2_500)
    found = set(read_set(house.state, table_stream("T2"), place, ANN, is_refused=False))
    assert {PLAYER_STREAM, table_stream("T1")} <= found
    assert wager(books, 8_000) == ""
    assert isinstance(other.do(BuyIn(seat=4, amount=100_000)), Accepted)
    go_on(other, stacks(RULES, "other"))
    outcome = other.do(place, ANN)
    assert isinstance(outcome, Refused), "what lies at the other table counts"
    assert outcome.params["left"] == 2_000


def test_only_for_oneself_and_within_bounds() -> None:
    house = at_table().house
    for role in set(Role) - {Role.PARTICIPANT}:
        outcome = house.do(SetLossLimit(amount=1, effective=NOW), actor(role), stream=PLAYER_STREAM)
        assert isinstance(outcome, Refused), role
    assert refused(house, SetLossLimit(amount=-1, effective=NOW)) == "limit_below_zero"
    assert refused(house, SetLossLimit(amount=0, effective=NOW)) == "limit_is_that_already"
    assert refused(house, ReturnToPlay(effective=NOW)) == "is_not_away"
    assert refused(house, TakeTimeOut(hours=0, effective=NOW)) == "time_out_of_hours"
    assert refused(house, ExcludeMyself(days=0, effective=NOW)) == "exclusion_of_days"
    assert refused(house, SetPlayReminder(minutes=-1, effective=NOW)) == "reminder_within_a_day"
    chosen(house, SetPlayReminder(minutes=20, effective=NOW))
    assert house.state.protection.player("ann").reminder_minutes == 20  # type: ignore[union-attr]
