"""Roads as plain text for a terminal: letters and shapes, so that nothing depends on colour alone."""

from __future__ import annotations

from typing import Literal

from baccarat.play.road import ROWS, Bead, BigCell, Mark, Outcome, Road, Roads

Role = Literal["banker", "player", "tie", "red", "blue", "empty"]
"""What a piece of text stands for, so that a terminal may colour it."""

Segment = tuple[str, Role]
"""A piece of text, free of markup, and its role."""

SHAPES: dict[Road, dict[Mark, str]] = {
    Road.BIG_EYE_BOY: {Mark.RED: "○", Mark.BLUE: "◎"},
    Road.SMALL_ROAD: {Mark.RED: "●", Mark.BLUE: "◐"},
    Road.COCKROACH_PIG: {Mark.RED: "/", Mark.BLUE: "\\"},
}
"""The rings, discs and slashes of the derived roads; red and blue differ in shape too."""

BANKER_PAIR, PLAYER_PAIR = "˙", "."
"""Pair dots: Banker's at the top left, Player's at the bottom right."""

_OUTCOME_ROLES: dict[Outcome, Role] = {
    Outcome.BANKER: "banker",
    Outcome.PLAYER: "player",
    Outcome.TIE: "tie",
}
_MARK_ROLES: dict[Mark, Role] = {Mark.RED: "red", Mark.BLUE: "blue"}


def draw_segments(shown: Roads, road: Road, *, columns: int | None = None) -> list[list[Segment]]:
    """One road as six rows of segments, all equally wide.

    `columns` is how many columns to show: a longer road loses its oldest ones, a shorter one is filled up.
    """
    assert columns is None or columns > 0, columns
    width, cells = _drawn_cells(shown, road)
    last = max((column for column, _ in cells), default=-1)
    first = 0
    if columns is not None:
        newest = next(reversed(cells), (0, 0))[0]
        # A long tail may reach further right than the newest cell, which must stay in view.
        first = min(max(0, last + 1 - columns), newest)
        last = first + columns - 1
    void: list[Segment] = [(" " * width, "empty")]
    return [
        [segment for column in range(first, last + 1) for segment in cells.get((column, row), void)]
        for row in range(ROWS)
    ]


def draw_text(shown: Roads, road: Road, *, columns: int | None = None) -> str:
    """One road as six lines of plain text; the same characters as `draw_segments`."""
    rows = draw_segments(shown, road, columns=columns)
    return "\n".join("".join(text for text, _ in row) for row in rows)


def _drawn_cells(shown: Roads, road: Road) -> tuple[int, dict[tuple[int, int], list[Segment]]]:
    """The width of a cell, and the segments of each by column and row, in the order of play."""
    if road is Road.BEAD_PLATE:
        return 3, {(cell.column, cell.row): _bead(cell.result) for cell in shown.bead_plate}
    if road is Road.BIG_ROAD:
        digits = max((len(str(cell.ties)) for cell in shown.big_road), default=1)
        return 3 + digits, {(cell.column, cell.row): _circle(cell, digits) for cell in shown.big_road}
    return 2, {
        (cell.column, cell.row): [(SHAPES[road][cell.mark], _MARK_ROLES[cell.mark]), (" ", "empty")]
        for cell in shown.derived(road).cells
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


def last_column(shown: Roads, road: Road) -> int:
    """How many columns a road takes; one at the least."""
    return max((column for column, _ in _drawn_cells(shown, road)[1]), default=0) + 1
