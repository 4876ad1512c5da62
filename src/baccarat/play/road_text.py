"""Roads as plain text for a terminal: letters and shapes, so that nothing depends on colour alone."""

from __future__ import annotations

from typing import Literal

import msgspec

from baccarat.play.road import ROWS, Bead, BigCell, Outcome, Road, RoadMark, Roads

MarkColour = Literal["banker", "player", "tie", "red", "blue", "empty"]
"""What a piece of text stands for, so that a terminal may colour it."""

Segment = tuple[str, MarkColour]
"""A piece of text, free of markup, and its role."""

SHAPES: dict[Road, dict[RoadMark, str]] = {
    Road.BIG_EYE_BOY: {RoadMark.RED: "○", RoadMark.BLUE: "◎"},
    Road.SMALL_ROAD: {RoadMark.RED: "●", RoadMark.BLUE: "◐"},
    Road.COCKROACH_PIG: {RoadMark.RED: "/", RoadMark.BLUE: "\\"},
}
"""The rings, discs and slashes of the derived roads; red and blue differ in shape too."""

BANKER_PAIR, PLAYER_PAIR = "˙", "."
"""Pair dots: Banker's at the top left, Player's at the bottom right."""

_OUTCOME_ROLES: dict[Outcome, MarkColour] = {Outcome.BANKER: "banker", Outcome.PLAYER: "player", Outcome.TIE: "tie"}
_MARK_ROLES: dict[RoadMark, MarkColour] = {RoadMark.RED: "red", RoadMark.BLUE: "blue"}


class RoadPicture(msgspec.Struct, frozen=True, kw_only=True):
    """A road drawn as six rows of segments, all equally wide, and how many of its columns are not in the picture."""

    rows: tuple[tuple[Segment, ...], ...]
    earlier: int = 0
    later: int = 0

    @property
    def left_out(self) -> str:
        """What is not in the picture, in words; empty where all is."""
        counted = ((self.earlier, "earlier"), (self.later, "later"))
        parts = [f"{count} {word} column{'s' if count > 1 else ''}" for count, word in counted if count]
        return f"… {' and '.join(parts)} not shown" if parts else ""


def draw(shown: Roads, road: Road, *, columns: int | None = None) -> RoadPicture:
    """One road in at most `columns` columns, its newest; those that do not fit are counted."""
    assert columns is None or columns > 0, columns
    width, cells = _drawn_cells(shown, road)
    end = max((column for column, _ in cells), default=-1) + 1
    first = 0
    if columns is not None and columns < end:
        newest = next(reversed(cells), (0, 0))[0]
        # A long tail may reach further right than the newest cell, which must stay in view.
        first = min(end - columns, newest)
    last = end if columns is None else min(end, first + columns)
    void: list[Segment] = [(" " * width, "empty")]
    rows = tuple(
        tuple(segment for column in range(first, last) for segment in cells.get((column, row), void))
        for row in range(ROWS)
    )
    return RoadPicture(rows=rows, earlier=first, later=end - last)


def draw_segments(shown: Roads, road: Road, *, columns: int | None = None) -> list[list[Segment]]:
    """One road as six rows of segments, all equally wide.

    `columns` is how many columns to show: a longer road loses its oldest ones, a shorter one is padded.
    """
    picture = draw(shown, road, columns=columns)
    width = cell_width(shown, road)
    taken = sum(len(text) for text, _ in picture.rows[0])
    missing = 0 if columns is None else columns - taken // width
    return [[*row, *[(" " * width, "empty")] * missing] for row in picture.rows]  # type: ignore[list-item]


def _drawn_cells(shown: Roads, road: Road) -> tuple[int, dict[tuple[int, int], list[Segment]]]:
    """The width of a cell, and the segments of each by column and row, in the order of play."""
    if road is Road.BEAD_PLATE:
        return 3, {(cell.column, cell.row): _bead(cell.result) for cell in shown.bead_plate}
    if road is Road.BIG_ROAD:
        digits = max((len(str(cell.ties)) for cell in shown.big_road), default=1)
        return 3 + digits, {(cell.column, cell.row): _circle(cell, digits) for cell in shown.big_road}
    return 2, {
        (cell.column, cell.row): [(SHAPES[road][cell.mark], _MARK_ROLES[cell.mark]), (" ", "empty")]
        for cell in shown.derived_road(road).cells
    }


def _bead(result: Bead) -> list[Segment]:
    return [
        (BANKER_PAIR, "banker") if result.banker_pair else (" ", "empty"),
        (result.outcome.letter, _OUTCOME_ROLES[result.outcome]),
        (PLAYER_PAIR, "player") if result.player_pair else (" ", "empty"),
    ]


def _circle(cell: BigCell, digits: int) -> list[Segment]:
    return [
        (BANKER_PAIR, "banker") if cell.banker_pair else (" ", "empty"),
        (cell.outcome.letter, _OUTCOME_ROLES[cell.outcome]),
        (str(cell.ties).ljust(digits), "tie") if cell.ties else (" " * digits, "empty"),
        (PLAYER_PAIR, "player") if cell.player_pair else (" ", "empty"),
    ]


def cell_width(shown: Roads, road: Road) -> int:
    """The width of one column of a road, in characters."""
    return _drawn_cells(shown, road)[0]
