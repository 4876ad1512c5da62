"""The rounds of each person: what was staked, won and paid, and why, so that nobody has to replay a table for them.

A row is written in the batch of the record that ends the round, as the index of all rounds is (`round_index.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec

from baccarat.house.stream import Stream, stream_name
from baccarat.law.rulebook import Rulebook
from baccarat.law.wager_name import BY_NAME
from baccarat.play.wager import WagerKind
from baccarat.serve.store.base import Statement, Value
from baccarat.serve.store.row import RowReads, as_int, as_text
from baccarat.table.base import table_rules
from baccarat.table.explanation import WagerLine, lines
from baccarat.table.state import TableState, seats_of

KEPT_IN_PRACTICE = 24 * 3_600_000_000
"""How long the rounds of visitors are stored at a practice table, in microseconds."""
MOST_AT_ONCE = 1000
_lines_decoder = msgspec.json.Decoder(tuple[WagerLine, ...])
_stakes_decoder = msgspec.json.Decoder(dict[str, int])


class OwnRound(msgspec.Struct, frozen=True, kw_only=True):
    """A round of one person that is over; rounds and shoes are counted from 1."""

    table: str
    shoe: int
    round: int
    at: int
    """When it was over, in microseconds UTC."""
    seat: int
    """Where the person sat when it ended, the lowest of several seats; 0 for one who had left."""
    rulebook: str
    staked: int
    won: int
    """What was paid beyond the stakes."""
    vigorish: int
    net: int
    """What the person won or lost altogether, awards and corrections included."""
    lines: tuple[WagerLine, ...]
    """Each wager with its outcome and its clauses."""


# ------------------------------------------------------------------------------------------------ writing


def own_round_rows(
    rules: Rulebook, before: TableState, gains: Mapping[str, int], *, stream: Stream, at: int
) -> tuple[Statement, ...]:
    """The rows of a round that has ended: one for each person who wagered in it, or to whom it gave something.

    `before` is the table before the record that ends the round, `gains` what the round gave to each person.
    """
    decided = lines(table_rules(rules), before)
    at_seat = {seat: person.who for seat in before.occupied if (person := before.at(seat)) is not None}
    wagering = {at_seat[line.seat] for line in decided if line.seat in at_seat}
    people = sorted(wagering | {who for who, gain in gains.items() if gain})
    return tuple(_row(rules, before, decided, who, gains.get(who, 0), stream=stream, at=at) for who in people)


def _row(
    rules: Rulebook, before: TableState, decided: Iterable[WagerLine], who: str, net: int, *, stream: Stream, at: int
) -> Statement:
    seats = seats_of(before, who)
    mine, stakes = [line for line in decided if line.seat in seats], Counter[str]()
    for wager in before.round.wagers if mine else ():
        if wager.seat in seats:
            stakes[wager.on.word] += wager.stake
    row = (
        who, at, stream, before.shoe.number + 1, before.round.number, next(iter(seats), 0), rules.hash,
        msgspec.json.encode(stakes).decode(), sum(stakes.values()), sum(line.win for line in mine),
        sum(line.vigorish for line in mine), net, msgspec.json.encode(mine).decode(),
    )  # fmt: skip
    return Statement(f"insert into own_round ({_COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)  # noqa: S608


def forget_own_rounds(stream: Stream, *, before: int) -> Statement:
    """Delete the rows of a practice table that are older than a time."""
    return Statement("delete from own_round where stream = ? and at < ?", (stream, before))


# ------------------------------------------------------------------------------------------------ reading

_COLUMNS = "person, at, stream, shoe, round, seat, rulebook, stakes, staked, won, vigorish, net, lines"
_SHOWN = "at, stream, shoe, round, seat, rulebook, staked, won, vigorish, net, lines"
RoundPlace = tuple[int, str, int, int]
"""Where a round stands in a person's list: when it was over, its stream, its shoe and its number."""
NEWEST: RoundPlace = (2**62, "", 0, 0)


def _own_round(row: tuple[Value, ...]) -> OwnRound:
    at, stream, shoe, round_, seat, rulebook, staked, won, vigorish, net, decided = row
    return OwnRound(
        table=stream_name(Stream(as_text(stream))), shoe=as_int(shoe), round=as_int(round_), at=as_int(at),
        seat=as_int(seat), rulebook=as_text(rulebook), staked=as_int(staked), won=as_int(won),
        vigorish=as_int(vigorish), net=as_int(net), lines=_lines_decoder.decode(as_text(decided)),
    )  # fmt: skip


def own_rounds(
    reads: RowReads, person: str, *, before: RoundPlace = NEWEST, limit: int, stream: Stream | None = None
) -> list[OwnRound]:
    """The rounds of a person, newest first, of one table or of all."""
    of_table = "" if stream is None else "and stream = ? "
    sql = (
        f"select {_SHOWN} from own_round where person = ? and (at, stream, shoe, round) < (?, ?, ?, ?) {of_table}"  # noqa: S608
        "order by at desc, stream desc, shoe desc, round desc limit ?"
    )
    params = (person, *before, *(() if stream is None else (stream,)), limit)
    return [_own_round(row) for row in reads.read(sql, params)]


def find_own_round(reads: RowReads, person: str, stream: Stream, shoe: int, round_: int) -> OwnRound | None:
    """What a round was for a person; None for somebody who had nothing in it."""
    sql = f"select {_SHOWN} from own_round where person = ? and stream = ? and shoe = ? and round = ?"  # noqa: S608
    rows = reads.read(sql, (person, stream, shoe, round_))
    return _own_round(rows[0]) if rows else None


def swings(reads: RowReads, person: str, *, limit: int) -> tuple[list[OwnRound], list[OwnRound]]:
    """The rounds in which a person won most, and those in which that person lost most."""
    sql = f"select {_SHOWN} from own_round where person = ? and net {{0}} 0 order by net {{1}}, at desc limit ?"  # noqa: S608
    best, worst = (
        [_own_round(row) for row in reads.read(sql.format(*how), (person, limit))] for how in ((">", "desc"), ("<", ""))
    )
    return best, worst


class OwnStakes(msgspec.Struct, frozen=True):
    """The number of a person's rounds with the same stakes under the same rules, and their sums."""

    rulebook: str
    stakes: dict[WagerKind, int]
    rounds: int
    staked: int
    vigorish: int
    net: int


def own_stakes(reads: RowReads, person: str) -> list[OwnStakes]:
    """What a person has staked, and what came of it."""
    sql = (
        "select rulebook, stakes, count(*), cast(sum(staked) as bigint), cast(sum(vigorish) as bigint), "
        "cast(sum(net) as bigint) from own_round where person = ? group by rulebook, stakes"
    )
    return [
        OwnStakes(
            as_text(rulebook),
            {BY_NAME[word]: stake for word, stake in _stakes_decoder.decode(as_text(stakes)).items()},
            *map(as_int, sums),
        )
        for rulebook, stakes, *sums in reads.read(sql, (person,))
    ]
