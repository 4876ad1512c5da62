"""The state of a house: its tables, what they share, its books; and how each event of each stream changes it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from baccarat.house.book import HouseEvent
from baccarat.house.cage import Cage, drop_box_of, tray_of
from baccarat.house.cage_posting import postings_of_cage
from baccarat.house.coupon import CouponBook
from baccarat.house.coupon_book import uncounted_coupons
from baccarat.house.filed_rules import FiledRules, file_rules, read_rules
from baccarat.house.form import FormBook
from baccarat.house.gaming_day import DayClosed, GamingDay
from baccarat.house.house_book import HouseLayout, PitAdded, TablesLinked
from baccarat.house.link import LinkState, join
from baccarat.house.pit import Pit
from baccarat.house.player import DayGains, PlayerBook, with_day_gain
from baccarat.house.posting import ROYAL9, postings_of, seeds_of
from baccarat.house.registry import BOOKS, held_book
from baccarat.house.round_gain import RoundGains, by_person
from baccarat.house.stream import CAGE_STREAM, Stream, is_table_stream, stream_name, stream_of
from baccarat.house.table_opening import TableOpened
from baccarat.house.win import WagerPrices, WinTally, count, count_cage
from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.ledger import Account, BalanceLine, Ledger, Place, Posting, post_micro
from baccarat.play.refusal import RefusalNote
from baccarat.table.base import Event
from baccarat.table.machine import begin, evolve_all
from baccarat.table.rules_adoption import RulesAdopted
from baccarat.table.state import TableState

PricesByRulebook = Mapping[str, WagerPrices]
"""The theory of each table's wagers, by the hash of its rulebook; supplied by the caller, which can compute odds."""


class HouseState(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Everything that a house is at one moment; `heads` says how many events each stream has had."""

    opened: HouseLayout = HouseLayout()
    pits: dict[str, Pit] = {}
    tables: dict[str, TableState] = {}
    playing: dict[str, FiledRules] = {}
    """The rules that each table plays by now."""
    shares: dict[str, str] = {}
    """The link that each linked table belongs to."""
    links: dict[str, LinkState] = {}
    forms: FormBook = FormBook()
    coupons: CouponBook = CouponBook()
    cage: Cage = Cage()
    day: GamingDay = GamingDay(name="1")
    tallies: dict[str, WinTally] = {}
    protection: PlayerBook = PlayerBook()
    day_gains: DayGains = {}
    """What people with a limit on loss have won in this gaming day."""
    gains: dict[str, RoundGains] = {}
    """What the people at each table have won in its round."""
    ledger: Ledger = Ledger()
    heads: dict[Stream, int] = {}

    def rules(self, table: str) -> Rulebook:
        """The rulebook of a table."""
        return read_rules(self.playing[table])

    def link_of_table(self, table: str) -> LinkState | None:
        """The link of a table, if it has one."""
        return self.links.get(self.shares.get(table, ""))

    def book(self, stream: Stream) -> Any:
        """The book of a stream as it stands; None where the house has none."""
        found = held_book(stream)
        if found is None:
            return None
        held = getattr(self, found.field)
        return held.get(stream_name(stream)) if found.is_named else held

    def book_streams(self) -> Iterator[Stream]:
        """The streams of all books of the house."""
        for kind, found in BOOKS.items():
            if found.is_named:
                yield from (stream_of(kind, name) for name in getattr(self, found.field))
            else:
                yield Stream(kind)

    def with_event(self, stream: Stream, event: HouseEvent) -> HouseState:
        """The house with the book of a stream after an event, and nothing else changed."""
        found = held_book(stream)
        assert found is not None, f"no stream {stream!r}"
        after = found.book.evolve(self.book(stream), event)
        held = {**getattr(self, found.field), stream_name(stream): after} if found.is_named else after
        return replace(self, **{found.field: held})

    def head(self, stream: Stream) -> int:
        """How many events a stream has had."""
        return self.heads.get(stream, 0)


class HouseSnapshot(msgspec.Struct, frozen=True, kw_only=True):
    """A house as it can be stored: the state without its ledger, and the ledger's lines."""

    state: HouseState
    lines: tuple[BalanceLine, ...]
    posted: int


def snapshot(state: HouseState) -> HouseSnapshot:
    """A state as it can be stored."""
    lines, posted = state.ledger.trial_balance(), state.ledger.posted
    return HouseSnapshot(state=replace(state, ledger=Ledger()), lines=lines, posted=posted)


def restore(stored: HouseSnapshot) -> HouseState:
    """The state that was stored."""
    return replace(stored.state, ledger=Ledger.from_balances(stored.lines, stored.posted))


class StreamEvents(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Events to append to one stream, and how many it had when they were decided."""

    stream: Stream
    after: int
    events: tuple[Any, ...]


class Decision(msgspec.Struct, frozen=True, gc=False):
    """What one act leads to, in all the streams it touches: appended to all of them in one go, or to none."""

    appended: tuple[StreamEvents, ...]

    @property
    def events(self) -> tuple[Any, ...]:
        """The events of all streams."""
        return tuple(event for each in self.appended for event in each.events)


def follows_from(state: HouseState, decision: Decision) -> bool:
    """Whether nothing has been appended since to any stream that the decision touches."""
    heads = state.heads
    for each in decision.appended:  # noqa: SIM110  runs with every act, and twice as fast as all()
        if heads.get(each.stream, 0) != each.after:
            return False
    return True


def apply_decision(state: HouseState, decision: Decision, prices: PricesByRulebook | None = None) -> HouseState:
    """The house after a decision that was made on it."""
    assert follows_from(state, decision), "another act came first: decide again"
    before, heads = state, dict(state.heads)
    for each in decision.appended:
        if is_table_stream(each.stream):
            state = _table_events(state, stream_name(each.stream), each.events, prices or {})
        else:
            for event in each.events:
                state = _evolve(state, each.stream, event)
        heads[each.stream] = each.after + len(each.events)
    state = replace(state, heads=heads)
    if not before.shares:
        return state
    for each in decision.appended:
        if is_table_stream(each.stream):
            state = _put_up_by_the_house(before, state, stream_name(each.stream))
    return state


def _evolve(state: HouseState, stream: Stream, event: Any) -> HouseState:
    """The house after an event in one of its books: first the book, then what else of the house follows from it."""
    state = state.with_event(stream, event)
    if stream == CAGE_STREAM:
        return _apply_postings(state, getattr(event, "table", ""), postings_of_cage(event))
    match event:
        case PitAdded(name=name):
            return replace(state, pits={**state.pits, name: Pit(name=name)})
        case TableOpened():
            return _open_table(state, event)
        case TablesLinked():
            return _link_tables(state, event)
        case DayClosed():  # the day's figures are closed with it: the count of each table begins again
            tallies = {name: replace(each, shoes={}, goodwill=0) for name, each in state.tallies.items()}
            return replace(state, tallies=tallies, day_gains={})
    return state


NO_GAINS = RoundGains()
_last_decision: list[tuple[TableState, tuple[Event, ...], TableState] | None] = [None]


def remember_decided(before: TableState, events: tuple[Event, ...], after: TableState) -> None:
    """Remember what deciding an act at a table has computed: the act is usually applied next, and need not be evolved
    again. The result is used only for the identical state and events."""
    _last_decision[0] = before, events, after


def _table_events(state: HouseState, table: str, events: tuple[Event, ...], prices: PricesByRulebook) -> HouseState:
    """Post, count and evolve event by event; the new house is built once, from the outcome of all of them."""
    ledger, tally, playing, held = state.ledger, state.tallies[table], state.playing, state.tables[table]
    former_gains = gains = state.gains.get(table, NO_GAINS)
    day_gains = state.day_gains
    for event in events:
        made = postings_of(ledger, event, table=table)
        tally = count(tally, event, made, prices.get(playing[table].hash))
        moved = by_person(made, held) if made else {}
        gains = gains.after(event, moved)
        for who, amount in moved.items() if state.protection.people else ():
            player = state.protection.player(who)
            if player is not None and player.limit:
                day_gains = with_day_gain(day_gains, who, amount)
        if made:
            ledger = ledger.post(*made)
        if isinstance(event, RulesAdopted) and event.submission is not None:
            playing = {**playing, table: file_rules(rulebook(event.submission))}
    known = _last_decision[0]
    is_known = known is not None and known[0] is held and known[1] is events
    held = known[2] if known is not None and is_known else evolve_all(held, events)
    return replace(
        state,
        ledger=ledger,
        playing=playing,
        tallies=state.tallies if tally is state.tallies[table] else {**state.tallies, table: tally},
        gains=state.gains if gains is former_gains else {**state.gains, table: gains},
        day_gains=day_gains,
        tables={**state.tables, table: held},
    )


def _apply_postings(state: HouseState, table: str, postings: tuple[Posting, ...]) -> HouseState:
    """The ledger, and the tally of the table concerned."""
    tally = state.tallies.get(table)
    tallies = state.tallies if tally is None else {**state.tallies, table: count_cage(tally, postings)}
    return replace(state, ledger=state.ledger.post(*postings), tallies=tallies)


def _open_table(state: HouseState, event: TableOpened) -> HouseState:
    table, rules = event.table, read_rules(event.filed)
    state = replace(
        state,
        tables={**state.tables, table: begin(rules, event.cards, event.witnesses, event.reveal_within)},
        playing={**state.playing, table: event.filed},
        tallies={**state.tallies, table: WinTally(table=table)},
    )
    return _apply_postings(state, table, seeds_of(rules, table=table))


def _link_tables(state: HouseState, event: TablesLinked) -> HouseState:
    linked = join({table: state.rules(table) for table in event.tables})
    assert isinstance(linked, LinkState), linked
    shares = {**state.shares, **dict.fromkeys(event.tables, event.name)}
    state = replace(state, links={**state.links, event.name: linked}, shares=shares)
    for table in event.tables[1:]:
        state = _apply_postings(state, table, _seeded_once(state.rules(table), table, event))
    return state


def _seeded_once(rules: Rulebook, table: str, event: HouseEvent) -> tuple[Posting, ...]:
    """The seeds of a link exist once: at all its tables but the first they are booked against the link."""
    legs = [
        leg for posting in seeds_of(rules, table=table) for leg in posting.legs if leg.account.place is Place.SEEDING
    ]
    back = [(leg.account, -leg.amount) for leg in legs]
    against = [(Account(Place.LINK, table, 0, leg.account.name), leg.amount) for leg in legs]
    return post_micro("link", [*back, *against], event.cites)


def _put_up_by_the_house(before: HouseState, after: HouseState, table: str) -> HouseState:
    """What the link took from the house besides what the table did: a contribution that had already been paid out when
    its round was void, or another seed for the next jackpot."""
    old, new = before.link_of_table(table), after.link_of_table(table)
    if old is None or new is None:
        return after
    at_table = after.tables[table].meters.seeded - before.tables[table].meters.seeded
    more = new.royal9.seeded - old.royal9.seeded - at_table
    legs = ((Account(Place.SEEDING, table, 0, ROYAL9), -more), (Account(Place.LINK, table, 0, ROYAL9), more))
    made = post_micro("link, put up by the house", legs)
    return _apply_postings(after, table, made) if made else after


def closing_objections(state: HouseState) -> tuple[RefusalNote, ...]:
    """What keeps a gaming day open, besides its forms: rounds in play; trays, drop boxes, coupons not counted."""
    found: list[RefusalNote] = []
    for table, each in state.tables.items():
        if each.round.wagers or each.round.spoken or each.round.closed:
            found.append(RefusalNote("round_in_play", {"table": table, "round": each.round.number}))
        tray, lies = state.cage.trays.get(table), state.ledger.cents(tray_of(table))
        if tray is not None and tray.counted != lies:
            found.append(RefusalNote("tray_not_counted", {"table": table}))
        if tray is None and lies:
            found.append(RefusalNote("tray_used_and_not_open", {"table": table, "amount": lies}))
        dropped = state.ledger.cents(drop_box_of(table))
        if dropped:
            found.append(RefusalNote("drop_box_not_counted", {"table": table, "amount": dropped}))
    return (*found, *uncounted_coupons(state.coupons))
