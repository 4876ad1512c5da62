"""Roads drawn from `play.road`: each a grid that a screen reader can walk; and all of them on one sheet."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from baccarat.picture.mark import bead, circle, mark
from baccarat.picture.paint import with_paint
from baccarat.picture.svg import Markup, document, element, path_data, translation
from baccarat.play.road import REACH, ROWS, Bead, BigCell, Outcome, Road, RoadMark, Roads
from baccarat.values import count_text

NAMES = {
    Road.BEAD_PLATE: "Bead plate",
    Road.BIG_ROAD: "Big road",
    Road.BIG_EYE_BOY: "Big Eye Boy",
    Road.SMALL_ROAD: "Small Road",
    Road.COCKROACH_PIG: "Cockroach Pig",
}
SIZES = {Road.BEAD_PLATE: 22, Road.BIG_ROAD: 16, Road.BIG_EYE_BOY: 11, Road.SMALL_ROAD: 11, Road.COCKROACH_PIG: 11}
COLUMNS = {Road.BEAD_PLATE: 8, Road.BIG_ROAD: 22, Road.BIG_EYE_BOY: 16, Road.SMALL_ROAD: 16, Road.COCKROACH_PIG: 16}
"""The default size of a cell, and the default number of columns."""

NO_RESULTS = "-"
_MARK = re.compile("(?P<outcome>[BPT])(?P<banker_pair>b?)(?P<player_pair>p?)(?P<natural>n?)")
_OUTCOMES = {outcome.letter: outcome for outcome in Outcome}


# ------------------------------------------------------------------------------------------ marks as text


def write_marks(results: Iterable[Bead]) -> str:
    """Results as one word: B, P or T, then `b` for a Banker pair, `p` for a Player pair, `n` for a natural.

    `BPbnT` is a Banker, a Player by a natural with a Banker pair, and a Tie. A shoe without results is a dash.
    """
    words = [
        each.outcome.letter + "b" * each.banker_pair + "p" * each.player_pair + "n" * each.natural for each in results
    ]
    return "".join(words) or NO_RESULTS


def read_marks(text: str) -> tuple[Bead, ...]:
    """The results that such a word names."""
    if text == NO_RESULTS:
        return ()
    results, at = list[Bead](), 0
    while at < len(text) or not results:
        found = _MARK.match(text, at)
        if found is None:
            raise ValueError(
                f"not marks of a road: {text[at : at + 1]!r} at position {at + 1}; expected B, P or T, each "
                "followed by b, p and n if they apply, in this order, or a dash for no results"
            )
        flags = {name: bool(found[name]) for name in ("banker_pair", "player_pair", "natural")}
        results.append(Bead(_OUTCOMES[found["outcome"]], **flags))
        at = found.end()
    return tuple(results)


# ------------------------------------------------------------------------------------------------- cells


class RoadCell(NamedTuple):
    """One filled cell of a road: its position, its label, and what it shows."""

    column: int
    row: int
    label: str
    shows: Bead | BigCell | RoadMark


def cells_of(drawn: Roads, road: Road) -> list[RoadCell]:
    """The filled cells of a road in the order of play."""
    if road is Road.BEAD_PLATE:
        return [
            RoadCell(each.column, each.row, f"Round {number}: {_bead_label(each.result)}", each.result)
            for number, each in enumerate(drawn.bead_plate, start=1)
        ]
    if road is Road.BIG_ROAD:
        return [RoadCell(each.column, each.row, _circle_label(each), each) for each in drawn.big_road]
    return [RoadCell(each.column, each.row, each.mark.value, each.mark) for each in drawn.derived_road(road).cells]


def _bead_label(result: Bead) -> str:
    return ", ".join([result.outcome.value.capitalize(), *(["natural"] if result.natural else []), *_pairs(result)])


def _circle_label(cell: BigCell) -> str:
    if cell.outcome is Outcome.TIE:
        return f"{count_text(cell.ties, 'tie')} before the first result"
    ties = [count_text(cell.ties, "tie")] if cell.ties else []
    return ", ".join([cell.outcome.value.capitalize(), *ties, *_pairs(cell)])


def _pairs(shown: Bead | BigCell) -> list[str]:
    found = [("Banker pair", shown.banker_pair), ("Player pair", shown.player_pair)]
    return [name for name, holds in found if holds]


def first_column(cells: list[RoadCell], road: Road, columns: int) -> int:
    """The first column that is shown: the newest ones are, with a free one at the end for the next result."""
    wide = max((cell.column for cell in cells), default=-1) + 1
    free = 0 if road is Road.BEAD_PLATE else 1
    return max(0, wide + free - columns)


# ----------------------------------------------------------------------------------------------- drawing


def road_picture(drawn: Roads, road: Road, *, columns: int | None = None, size: int | None = None) -> Markup:
    """One road as a picture: `columns` of its newest columns, in cells of `size` pixels."""
    columns, size = columns or COLUMNS[road], size or SIZES[road]
    label = f"{NAMES[road]}, {count_text(len(drawn.results), 'round')}"
    body = _grid(drawn, road, columns, size)
    filled = bool(cells_of(drawn, road))
    return document(
        columns * size + 1, ROWS * size + 1, body, label=label, role="grid" if filled else "img", class_="road",
        aria_rowcount=ROWS if filled else None, aria_colcount=columns if filled else None,
    )  # fmt: skip


def _grid(drawn: Roads, road: Road, columns: int, size: int) -> Markup:
    cells = cells_of(drawn, road)
    first = first_column(cells, road, columns)
    shown = [cell for cell in cells if first <= cell.column < first + columns]
    lines = [part for x in range(columns + 1) for part in ("M", x * size + 0.5, 0.5, "V", ROWS * size + 0.5)]
    lines += [part for y in range(ROWS + 1) for part in ("M", 0.5, y * size + 0.5, "H", columns * size + 0.5)]
    paper = with_paint("rect", "road-paper", x=0, y=0, width=columns * size + 1, height=ROWS * size + 1)
    parts = [paper, with_paint("path", "road-grid", d=path_data(*lines))]
    if shown and road is not Road.BEAD_PLATE:
        last = shown[-1]
        at = {"x": (last.column - first) * size + 1, "y": last.row * size + 1}
        parts.append(with_paint("rect", "road-last", **at, width=size - 1, height=size - 1))
    for row in range(ROWS):
        members = sorted((cell for cell in shown if cell.row == row), key=lambda cell: cell.column)
        drawn_cells = [_cell(cell, road, cell.column - first, size) for cell in members]
        if drawn_cells:
            parts.append(element("g", drawn_cells, role="row", aria_rowindex=row + 1))
    return Markup("".join(parts))


def _cell(cell: RoadCell, road: Road, column: int, size: int) -> Markup:
    x, y = column * size + size / 2 + 0.5, cell.row * size + size / 2 + 0.5
    shows = cell.shows
    if isinstance(shows, Bead):
        picture = bead(shows, x, y, size)
    elif isinstance(shows, BigCell):
        picture = circle(shows, x, y, size)
    else:
        picture = mark(road, shows, x, y, size)
    return element(
        "g", element("title", cell.label), picture, class_="cell", role="gridcell", aria_colindex=column + 1,
        aria_label=cell.label,
    )  # fmt: skip


# ------------------------------------------------------------------------------------------- all on a sheet

MARGIN, GAP, HEAD = 16.0, 20.0, 22.0
BEAD, BIG, SMALL = 24, 20, 11


def roads_picture(drawn: Roads, *, columns: int | None = None) -> Markup:
    """All roads of a shoe on one sheet, with the ask road and the counts; `columns` of their newest columns, or all."""
    beads = columns or max(8, -(-len(drawn.results) // ROWS))
    third = columns or max(16, *(_widest(drawn, road) for road in REACH))
    big = columns or max(int((3 * third * SMALL + 2 * GAP) // BIG), _widest(drawn, Road.BIG_ROAD))
    parts, y = list[Markup](), MARGIN
    parts.append(_titled_road(drawn, Road.BEAD_PLATE, MARGIN, y, beads, BEAD))
    aside = MARGIN + beads * BEAD + GAP * 1.5
    parts.append(_ask_road(drawn, aside, y))
    y += HEAD + ROWS * BEAD + GAP
    parts.append(_titled_road(drawn, Road.BIG_ROAD, MARGIN, y, big, BIG))
    y += HEAD + ROWS * BIG + GAP
    x = MARGIN
    for road in REACH:
        parts.append(_titled_road(drawn, road, x, y, third, SMALL))
        x += third * SMALL + GAP
    y += HEAD + ROWS * SMALL + MARGIN
    width = max(x - GAP + MARGIN, MARGIN * 2 + big * BIG, aside + 230)
    sheet = with_paint("rect", "sheet", width=width, height=y, rx=10)
    label = f"Roads of {count_text(len(drawn.results), 'round')}: {drawn}"
    return document(width, y, sheet, parts, label=label, role="group", class_="roads")


def _widest(drawn: Roads, road: Road) -> int:
    """The columns of a road, with a free one at the end."""
    return max((cell.column for cell in cells_of(drawn, road)), default=-1) + 2


def _titled_road(drawn: Roads, road: Road, x: float, y: float, columns: int, size: int) -> Markup:
    """A road on the sheet, under its name."""
    name = with_paint("text", "word-start", NAMES[road], x=x, y=y + 14, font_size=13, font_weight=600)
    grid = element(
        "g", _grid(drawn, road, columns, size), transform=translation(x, y + HEAD), role="grid", aria_label=NAMES[road]
    )
    return Markup(name + grid)


def _ask_road(drawn: Roads, x: float, y: float) -> Markup:
    parts = [with_paint("text", "word-start", "Ask road", x=x, y=y + 14, font_size=13, font_weight=600)]
    for line, outcome in enumerate((Outcome.BANKER, Outcome.PLAYER)):
        at = y + HEAD + 14 + line * 28
        asked = getattr(drawn.ask, outcome.value)
        parts.append(bead(Bead(outcome), x + 11, at, 22))
        parts.append(with_paint("text", "word-start", f"If {outcome.value.capitalize()}", x=x + 32, y=at + 4.5,
                             font_size=13))  # fmt: skip
        for k, road in enumerate(REACH):
            colour = getattr(asked, road.value)
            if colour is not None:
                parts.append(mark(road, colour, x + 122 + k * 30, at, 18))
    counts = drawn.statistics
    words = [
        f"Banker {counts.banker}   Player {counts.player}   Tie {counts.tie}",
        f"Banker pairs {counts.banker_pair}   Player pairs {counts.player_pair}   naturals {counts.natural}",
        f"longest run: Banker {counts.longest_banker}, Player {counts.longest_player}",
    ]
    parts += [
        with_paint("text", "faint-start", text, x=x, y=y + HEAD + 84 + line * 19, font_size=12)
        for line, text in enumerate(words)
    ]
    return Markup("".join(parts))
