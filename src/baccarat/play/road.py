"""Roads: a shoe's results as the grids that are displayed at the table, as data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from itertools import groupby
from typing import NamedTuple

import msgspec

from baccarat.values import brief_repr, expect, short_repr

ROWS = 6
"""The height of every road; a run may be longer, its drawing may not."""


class Outcome(Enum):
    """How a round ended, as a road shows it."""

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"

    @property
    def letter(self) -> str:
        """The outcome in notation: P, B or T."""
        return self.value[0].upper()


class RoadMark(Enum):
    """One mark of a derived road: red follows a pattern, blue breaks it; neither means Banker or Player."""

    RED = "red"
    BLUE = "blue"

    @property
    def letter(self) -> str:
        """The mark in notation: R or B."""
        return self.value[0].upper()


class Road(Enum):
    """The five roads; the value is also the name of the field of `Roads`."""

    BEAD_PLATE = "bead_plate"
    BIG_ROAD = "big_road"
    BIG_EYE_BOY = "big_eye_boy"
    SMALL_ROAD = "small_road"
    COCKROACH_PIG = "cockroach_pig"


REACH: dict[Road, int] = {Road.BIG_EYE_BOY: 1, Road.SMALL_ROAD: 2, Road.COCKROACH_PIG: 3}
"""The derived roads, each with the number of runs that it looks back."""


class Bead(msgspec.Struct, frozen=True):
    """One round as the roads see it: who won, and its marks."""

    outcome: Outcome
    player_pair: bool = False
    banker_pair: bool = False
    natural: bool = False

    def __str__(self) -> str:
        return self.outcome.letter


_LETTERS = {name: outcome for outcome in Outcome for name in (outcome.letter, outcome.letter.lower())}


def parse_results(text: str) -> tuple[Bead, ...]:
    """The results that `text` names: B, P and T in either case, blanks ignored; notation carries no marks."""
    results = []
    for position, letter in enumerate(text, start=1):
        if letter.isspace():
            continue
        outcome = _LETTERS.get(letter)
        if outcome is None:
            raise ValueError(f"no such result: {letter!r} at position {position}; expected B, P, T, b, p, t or a blank")
        results.append(Bead(outcome))
    return tuple(results)


def show_results(results: Iterable[Bead]) -> str:
    """The outcomes as one word that `parse_results` reads back."""
    return "".join(map(str, results))


class BeadCell(msgspec.Struct, frozen=True):
    """One place of the bead plate; columns and rows count from 0 at the top left."""

    column: int
    row: int
    result: Bead


class BigCell(msgspec.Struct, frozen=True):
    """One circle of the big road: where it is drawn, and which place (from 1) of which run (from 0) it is.

    The outcome is a tie only where nothing but ties has been dealt. Pair marks are those of the circle's own
    round: a pair that came with a tie is on the bead plate; here it would be taken for the winner's.
    """

    column: int
    row: int
    run: int
    place: int
    outcome: Outcome
    ties: int = 0
    player_pair: bool = False
    banker_pair: bool = False


class MarkCell(msgspec.Struct, frozen=True):
    """One mark of a derived road: where it is drawn, and which place (from 1) of which run (from 0) it is."""

    column: int
    row: int
    run: int
    place: int
    mark: RoadMark


class DerivedRoad(msgspec.Struct, frozen=True):
    """Big Eye Boy, Small Road or Cockroach Pig: its marks in the order of play; prints as `RBBR`."""

    cells: tuple[MarkCell, ...] = ()

    def __str__(self) -> str:
        return "".join(cell.mark.letter for cell in self.cells)


class NextMarks(msgspec.Struct, frozen=True):
    """What one more result would add to each derived road; None where it would add nothing."""

    big_eye_boy: RoadMark | None = None
    small_road: RoadMark | None = None
    cockroach_pig: RoadMark | None = None


class AskRoad(msgspec.Struct, frozen=True):
    """The marks that a Banker, and those that a Player, would add next."""

    banker: NextMarks
    player: NextMarks


class Statistics(msgspec.Struct, frozen=True):
    """The counts of a shoe. Ties do not break a run of Banker or Player, as on the big road."""

    banker: int = 0
    player: int = 0
    tie: int = 0
    banker_pair: int = 0
    player_pair: int = 0
    natural: int = 0
    longest_banker: int = 0
    longest_player: int = 0
    longest_tie: int = 0

    @property
    def rounds(self) -> int:
        """How many results the shoe has."""
        return self.banker + self.player + self.tie


class Roads(msgspec.Struct, frozen=True):
    """All roads of a shoe after its last result; prints as the notation of its results."""

    results: tuple[Bead, ...]
    bead_plate: tuple[BeadCell, ...]
    big_road: tuple[BigCell, ...]
    big_eye_boy: DerivedRoad
    small_road: DerivedRoad
    cockroach_pig: DerivedRoad
    ask: AskRoad
    statistics: Statistics

    def __repr__(self) -> str:
        return short_repr(self, f"of {len(self.results)} results: {self}")

    def __str__(self) -> str:
        return show_results(self.results)

    def after(self, result: Bead) -> Roads:
        """The roads with one more result."""
        return roads((*self.results, result))

    def derived_road(self, road: Road) -> DerivedRoad:
        """The derived road of that name."""
        return {
            Road.BIG_EYE_BOY: self.big_eye_boy,
            Road.SMALL_ROAD: self.small_road,
            Road.COCKROACH_PIG: self.cockroach_pig,
        }[road]


def roads(results: str | Iterable[Bead]) -> Roads:
    """All roads of a shoe with these results, in the order of play; a text is read as notation."""
    if isinstance(results, str):
        results = parse_results(results)
    if not isinstance(results, Iterable):
        raise TypeError(f"expected results as text, such as 'BBPTP', or a series of Beads, not {brief_repr(results)}")
    dealt = tuple(expect(result, Bead, "a Bead, or all results as one text, such as 'BBPTP'") for result in results)
    decided = [result for result in dealt if result.outcome is not Outcome.TIE]
    lengths = _run_lengths(result.outcome for result in decided)
    return Roads(
        results=dealt,
        bead_plate=tuple(BeadCell(i // ROWS, i % ROWS, result) for i, result in enumerate(dealt)),
        big_road=_big_road(dealt, lengths),
        big_eye_boy=_derived_road(lengths, REACH[Road.BIG_EYE_BOY]),
        small_road=_derived_road(lengths, REACH[Road.SMALL_ROAD]),
        cockroach_pig=_derived_road(lengths, REACH[Road.COCKROACH_PIG]),
        ask=_ask_road(lengths, decided[-1].outcome if decided else None),
        statistics=_statistics(dealt),
    )


# The layout that the big road and the derived roads share.


class _Spot(NamedTuple):
    column: int
    row: int
    run: int
    place: int


def _run_lengths(signs: Iterable[Enum]) -> list[int]:
    return [sum(1 for _ in run) for _, run in groupby(signs)]


def _lay_out(lengths: Iterable[int]) -> Iterator[_Spot]:
    """Where each place of each run is drawn: down, and from the first obstacle on to the right."""
    taken: set[tuple[int, int]] = set()
    start = -1
    for run, length in enumerate(lengths):
        start += 1
        while (start, 0) in taken:
            start += 1
        column, row, turned = start, 0, False
        for place in range(1, length + 1):
            if place > 1:
                turned = turned or row + 1 == ROWS or (column, row + 1) in taken
                column, row = (column + 1, row) if turned else (column, row + 1)
            # A tail meets no other: an earlier tail in this row begins further left without a gap, so it
            # would have stood under this run's own column and turned it one row higher.
            assert (column, row) not in taken
            taken.add((column, row))
            yield _Spot(column, row, run, place)


def _big_road(results: Sequence[Bead], lengths: Sequence[int]) -> tuple[BigCell, ...]:
    decided: list[Bead] = []
    ties = [0]
    for result in results:
        if result.outcome is Outcome.TIE:
            ties[-1] += 1
            continue
        if decided:  # the first result joins the ties that came before it
            ties.append(0)
        decided.append(result)
    if not decided:
        return (BigCell(0, 0, 0, 1, Outcome.TIE, ties=ties[0]),) if ties[0] else ()
    return tuple(
        BigCell(*spot, result.outcome, count, player_pair=result.player_pair, banker_pair=result.banker_pair)
        for spot, result, count in zip(_lay_out(lengths), decided, ties, strict=True)
    )


# Derived roads.


def _mark(lengths: Sequence[int], *, run: int, place: int, reach: int) -> RoadMark | None:
    """The mark for a result at that place (from 1) of that run (from 0), given the runs before it.

    Lengths are those of the game, not of the drawing: six rows cap nothing here.
    """
    if place == 1:  # a run has ended: was it as long as its neighbour?
        if run - 1 - reach < 0:
            return None
        return RoadMark.RED if lengths[run - 1] == lengths[run - 1 - reach] else RoadMark.BLUE
    if run - reach < 0:
        return None
    # Blue once only, for the step past the neighbour's end: further on, both places below are void alike.
    return RoadMark.BLUE if place == lengths[run - reach] + 1 else RoadMark.RED


def _derived_road(lengths: Sequence[int], reach: int) -> DerivedRoad:
    marks = [
        mark
        for run, length in enumerate(lengths)
        for place in range(1, length + 1)
        if (mark := _mark(lengths, run=run, place=place, reach=reach)) is not None
    ]
    spots = _lay_out(_run_lengths(marks))
    return DerivedRoad(tuple(MarkCell(*spot, mark) for spot, mark in zip(spots, marks, strict=True)))


def _ask_road(lengths: Sequence[int], last: Outcome | None) -> AskRoad:
    def ask(outcome: Outcome) -> NextMarks:
        goes_on = outcome is last
        run = len(lengths) - 1 if goes_on else len(lengths)
        place = lengths[-1] + 1 if goes_on else 1
        return NextMarks(*(_mark(lengths, run=run, place=place, reach=reach) for reach in REACH.values()))

    return AskRoad(banker=ask(Outcome.BANKER), player=ask(Outcome.PLAYER))


def _statistics(results: Sequence[Bead]) -> Statistics:
    outcomes = [result.outcome for result in results]

    def longest(outcome: Outcome, among: Iterable[Outcome]) -> int:
        return max((sum(1 for _ in run) for of, run in groupby(among) if of is outcome), default=0)

    decided = [outcome for outcome in outcomes if outcome is not Outcome.TIE]
    return Statistics(
        banker=outcomes.count(Outcome.BANKER),
        player=outcomes.count(Outcome.PLAYER),
        tie=outcomes.count(Outcome.TIE),
        banker_pair=sum(result.banker_pair for result in results),
        player_pair=sum(result.player_pair for result in results),
        natural=sum(result.natural for result in results),
        longest_banker=longest(Outcome.BANKER, decided),
        longest_player=longest(Outcome.PLAYER, decided),
        longest_tie=longest(Outcome.TIE, outcomes),
    )
