"""The index of what was played: the record with which each round and each shoe of a table ends, and the result.

A row is written in the same batch as the record that ends the round, so that the index and the journal never disagree.
It holds what everybody at the table has seen, and nothing else. Everything else about a round is read from the journal,
as far as the person may see it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from baccarat.house.stream import Stream
from baccarat.law.rulebook import Rulebook
from baccarat.law.wager_name import BY_NAME
from baccarat.play.book import open_book
from baccarat.play.hand import BANKER_SIDE, PLAYER_SIDE, Side
from baccarat.play.road import Bead, Outcome
from baccarat.play.wager import WagerKind
from baccarat.serve.store.base import Statement, Value
from baccarat.serve.store.row import RowReads, as_int, as_text
from baccarat.table.base import Event, table_rules
from baccarat.table.machine import evolve
from baccarat.table.round_state import WAGERED
from baccarat.table.rules_adoption import RulesAdopted
from baccarat.table.seating_acts import Left, Sat
from baccarat.table.state import TableState
from baccarat.table.step.announcing import ResultAnnounced, corrected_winner
from baccarat.table.step.clearing import TableCleared
from baccarat.table.step.closing import ShoeClosed

INDEXED_EVENTS: frozenset[type[Event]] = frozenset({Sat, Left, RulesAdopted, ResultAnnounced, TableCleared, ShoeClosed})
"""The events by which a person comes or goes, or a round or a shoe ends; the index ignores all others."""


class Hand(msgspec.Struct, frozen=True, gc=False):
    """A hand on the layout: its cards, such as 9s, and its count."""

    cards: list[str]
    count: int


class RoundResult(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The result of a round, as everybody saw it."""

    kind: str
    """Wagered, or one of the kinds without wagers."""
    outcome: str = ""
    """`player`, `banker` or `tie`; empty if the round had no result."""
    player: Hand | None = None
    banker: Hand | None = None
    void: bool = False
    player_pair: bool = False
    banker_pair: bool = False
    natural: bool = False

    @property
    def bead(self) -> Bead | None:
        """The round as the roads show it; None if nothing was announced, or nobody could wager."""
        if not self.outcome or self.kind != WAGERED.value:
            return None
        return Bead(
            Outcome(self.outcome), player_pair=self.player_pair, banker_pair=self.banker_pair, natural=self.natural
        )


class IndexedRound(msgspec.Struct, frozen=True, kw_only=True):
    """A round of a table that is over; rounds are counted from 1 in their shoe, shoes from 1 at their table."""

    shoe: int
    round: int
    last_seq: int
    """The record with which it ended."""
    at: int
    """When, in microseconds UTC."""
    result: RoundResult


# ------------------------------------------------------------------------------------------------ writing


def round_rows(
    rules: Rulebook, before: TableState, events: Iterable[Event], *, stream: Stream, seq: int, at: int
) -> tuple[Statement, ...]:
    """The rows of the rounds that end with a record, usually none. `before` is the table before its events."""
    found, state, outcome = list[Statement](), before, ""
    for event in events:
        if isinstance(event, ResultAnnounced):
            outcome = event.outcome
        after = evolve(state, event)
        if (after.shoe.number, after.round.number) != (state.shoe.number, state.round.number):
            made = _result(rules, state, outcome)
            dealt, data = int(bool(state.round.player)), msgspec.json.encode(made).decode()
            row = (stream, state.shoe.number + 1, state.round.number, seq, at, dealt, data)
            sql = "insert into played (stream, shoe, round, last_seq, at, dealt, result) values (?, ?, ?, ?, ?, ?, ?)"
            found.append(Statement(sql, row))
            outcome = ""
        state = after
    return tuple(found)


def seat_rows(before: TableState, after: TableState, *, stream: Stream, seq: int) -> tuple[Statement, ...]:
    """The rows of the persons who sit down or leave with a record, usually none."""
    held, found = before.seats.participants, after.seats.participants
    if held is found:
        return ()
    made = list[Statement]()
    for index in range(max(len(held), len(found))):
        old = held[index] if index < len(held) else None
        new = found[index] if index < len(found) else None
        if (old and old.who) == (new and new.who):
            continue
        if old is not None:
            sql = "update seated set to_seq = ? where stream = ? and seat = ? and to_seq is null"
            made.append(Statement(sql, (seq, stream, index + 1)))
        if new is not None:
            sql = "insert into seated (stream, seat, from_seq, person) values (?, ?, ?, ?)"
            made.append(Statement(sql, (stream, index + 1, seq, new.who)))
    return tuple(made)


def stake_rows(
    state: TableState, lay: Mapping[int, Mapping[WagerKind, int]], *, stream: Stream, day: int, rulebook: str
) -> tuple[Statement, ...]:
    """The rows of the stakes of a round that has its result; none if nobody wagered."""
    if not lay:
        return ()
    stakes = {seat: {kind.word: stake for kind, stake in sorted(held.items(), key=str)} for seat, held in lay.items()}
    data = msgspec.json.encode(dict(sorted(stakes.items()))).decode()
    sql = "insert into staked (stream, shoe, round, day, rulebook, stakes) values (?, ?, ?, ?, ?, ?)"
    return (Statement(sql, (stream, state.shoe.number + 1, state.round.number, day, rulebook, data)),)


def ends_round_or_shoe(before: TableState, after: TableState) -> bool:
    """Whether a round or a shoe has ended between two states."""
    return (after.shoe.number, after.round.number) != (before.shoe.number, before.round.number)


def _result(rules: Rulebook, state: TableState, outcome: str) -> RoundResult:
    round_ = state.round
    if round_.announced and (round_.corrected or not outcome):
        winner = corrected_winner(table_rules(rules), state)
        outcome = winner.value if winner is not None else Outcome.TIE.value
    player, banker = _hand(rules, state, PLAYER_SIDE), _hand(rules, state, BANKER_SIDE)
    return RoundResult(
        kind=round_.kind.value,
        outcome=outcome,
        player=player,
        banker=banker,
        void=round_.void,
        player_pair=_is_pair(player),
        banker_pair=_is_pair(banker),
        natural=bool(outcome) and (_is_natural(rules, state, PLAYER_SIDE) or _is_natural(rules, state, BANKER_SIDE)),
    )


def _hand(rules: Rulebook, state: TableState, side: Side) -> Hand | None:
    cards = state.round.cards(side)
    if not cards:
        return None
    value = open_book(rules).value
    return Hand([str(card) for card in cards], sum(value[card] for card in cards) % 10)


def _is_pair(hand: Hand | None) -> bool:
    return hand is not None and len(hand.cards) > 1 and hand.cards[0][:-1] == hand.cards[1][:-1]


def _is_natural(rules: Rulebook, state: TableState, side: Side) -> bool:
    book, cards = open_book(rules), state.round.cards(side)
    return len(cards) == 2 and book.natural[sum(book.value[card] for card in cards) % 10]


def forget_statements(stream: Stream, dropped: int) -> tuple[Statement, ...]:
    """Delete what belongs to dropped records of a table.

    The row that ends with the last of them stays, because the next round begins after it.
    """
    return (
        Statement("delete from played where stream = ? and last_seq < ?", (stream, dropped)),
        Statement("delete from seated where stream = ? and to_seq < ?", (stream, dropped)),
    )


# ------------------------------------------------------------------------------------------------ reading

_COLUMNS = "shoe, round, last_seq, at, result"


def _indexed_round(row: tuple[Value, ...]) -> IndexedRound:
    shoe, round_, last_seq, at, result = row
    made = msgspec.json.decode(as_text(result), type=RoundResult)
    return IndexedRound(shoe=as_int(shoe), round=as_int(round_), last_seq=as_int(last_seq), at=as_int(at), result=made)


def rounds_before(
    reads: RowReads, stream: Stream, shoe: int, round_: int, *, limit: int, after_seq: int = 0
) -> list[IndexedRound]:
    """The rounds of a table before one, newest first; those that ended with a record up to `after_seq` are left out."""
    sql = (
        f"select {_COLUMNS} from played where stream = ? and (shoe < ? or (shoe = ? and round < ?)) "  # noqa: S608
        "and dealt = 1 and last_seq > ? order by shoe desc, round desc limit ?"
    )
    return [_indexed_round(row) for row in reads.read(sql, (stream, shoe, shoe, round_, after_seq, limit))]


def rounds_of_shoe(reads: RowReads, stream: Stream, shoe: int) -> list[IndexedRound]:
    """The rounds of a shoe, in order."""
    sql = f"select {_COLUMNS} from played where stream = ? and shoe = ? and dealt = 1 order by round"  # noqa: S608
    return [_indexed_round(row) for row in reads.read(sql, (stream, shoe))]


def find_round(reads: RowReads, stream: Stream, shoe: int, round_: int) -> IndexedRound | None:
    """One round that is over."""
    sql = f"select {_COLUMNS} from played where stream = ? and shoe = ? and round = ? and dealt = 1"  # noqa: S608
    rows = reads.read(sql, (stream, shoe, round_))
    return _indexed_round(rows[0]) if rows else None


def first_seq(reads: RowReads, stream: Stream, shoe: int, round_: int) -> int:
    """The record with which a round begins: the first after the end of the one before."""
    sql = (
        "select last_seq from played where stream = ? and (shoe < ? or (shoe = ? and round < ?)) "
        "order by shoe desc, round desc limit 1"
    )
    rows = reads.read(sql, (stream, shoe, shoe, round_))
    return as_int(rows[0][0]) + 1 if rows else 1


def seat_at(reads: RowReads, stream: Stream, person: str, seq: int) -> int:
    """The seat of a person when a record was written; 0 if none."""
    sql = (
        "select seat from seated where person = ? and stream = ? and from_seq <= ? "
        "and (to_seq is null or to_seq >= ?) order by from_seq desc limit 1"
    )
    rows = reads.read(sql, (person, stream, seq, seq))
    return as_int(rows[0][0]) if rows else 0


class ShoeEnds(msgspec.Struct, frozen=True):
    """The place of a shoe in the journal of its table: its first record, and the last of each round that is over."""

    begins: int
    rounds: list[tuple[int, int]]
    """The number of a round, and its last record; what lies between rounds has a round number of its own."""
    is_over: bool


def ends_of_shoe(reads: RowReads, stream: Stream, shoe: int) -> ShoeEnds:
    """The records with which a shoe and its rounds begin and end."""
    rows = reads.read("select round, last_seq from played where stream = ? and shoe = ? order by round", (stream, shoe))
    later = reads.read("select 1 from played where stream = ? and shoe > ? limit 1", (stream, shoe))
    closed = reads.read("select 1 from shoe_states where stream = ? and shoe = ? limit 1", (stream, shoe + 1))
    rounds = [(as_int(number), as_int(last)) for number, last in rows]
    return ShoeEnds(first_seq(reads, stream, shoe, 0), rounds, bool(later or closed))


def last_seq(reads: RowReads, stream: Stream, shoe: int) -> int:
    """The record with which a shoe that is over ended."""
    rows = reads.read("select max(last_seq) from played where stream = ? and shoe = ?", (stream, shoe))
    return as_int(rows[0][0])


class Stakes(msgspec.Struct, frozen=True):
    """The number of rounds with the same stakes, by seat and wager, under the same rules."""

    rulebook: str
    by_seat: dict[int, dict[WagerKind, int]]
    rounds: int


def stakes_of_day(reads: RowReads, stream: Stream, day: int) -> list[Stakes]:
    """What was staked at a table on a gaming day."""
    sql = "select rulebook, stakes, count(*) from staked where stream = ? and day = ? group by rulebook, stakes"
    return [
        Stakes(
            as_text(rulebook),
            {
                seat: {BY_NAME[word]: stake for word, stake in held.items()}
                for seat, held in msgspec.json.decode(as_text(stakes), type=dict[int, dict[str, int]]).items()
            },
            as_int(rounds),
        )
        for rulebook, stakes, rounds in reads.read(sql, (stream, day))
    ]


class IndexedShoe(msgspec.Struct, frozen=True, kw_only=True):
    """A shoe of a table: how many rounds of it are over, and the records of the last of them."""

    shoe: int
    rounds: int
    last_seq: int
    began: int
    """When its first round was over, in microseconds UTC."""
    at: int
    """When its last round was over."""


def shoes_before(reads: RowReads, stream: Stream, shoe: int, *, limit: int, after_seq: int = 0) -> list[IndexedShoe]:
    """The shoes of a table before one, newest first."""
    sql = (
        "select shoe, cast(sum(dealt) as bigint), max(last_seq), min(at), max(at) from played "
        "where stream = ? and shoe < ? and last_seq > ? group by shoe order by shoe desc limit ?"
    )
    rows = reads.read(sql, (stream, shoe, after_seq, limit))
    return [
        IndexedShoe(
            shoe=as_int(number), rounds=as_int(rounds), last_seq=as_int(last), began=as_int(began), at=as_int(at)
        )
        for number, rounds, last, began, at in rows
    ]


HOUR = 3_600_000_000
"""In microseconds."""


def rounds_an_hour(reads: RowReads, stream: Stream, *, now: int) -> int | None:
    """The pace of a table in the last hour: rounds since the first of them, per hour; None if fewer than two are over.
    It falls while nothing is played."""
    sql = "select count(*), min(at) from played where stream = ? and dealt = 1 and at > ?"
    count, first = reads.read(sql, (stream, now - HOUR))[0]
    if as_int(count) < 2 or first is None:
        return None
    return (as_int(count) - 1) * HOUR // max(1, now - as_int(first))
