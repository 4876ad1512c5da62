"""`baccarat roads`: the roads of a shoe, drawn or as data."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.text import Text

from baccarat.cli.lines import standard_input
from baccarat.cli.option import JSON
from baccarat.cli.output import console, exit_on, fail, put_json, put_line, save_and_say

if TYPE_CHECKING:
    from baccarat.play.road import Road, Roads
    from baccarat.play.road_text import RoadPicture, Segment

STYLES = {
    "banker": "bold red",
    "player": "bold blue",
    "tie": "bold green",
    "red": "red",
    "blue": "blue",
    "empty": "dim",
}


def roads(
    results: str = typer.Argument(..., help="The results in order, such as BBPTP; - reads standard input."),
    columns: int | None = typer.Option(
        None, min=1, max=500, help="How many of the newest columns to draw; by default as many as fit the terminal."
    ),
    svg: Path | None = typer.Option(None, help="Write all roads to this file as one picture, instead of drawing them."),
    json: bool = JSON,
) -> None:
    """Draw a shoe's roads: bead plate, big road, the three derived roads, and the ask road.

    Example: baccarat roads BBPPPBBBBPBTPPPPPPPPB
    """
    from baccarat.play.road import REACH, Road, parse_results  # noqa: PLC0415
    from baccarat.play.road import roads as make_roads  # noqa: PLC0415

    text = standard_input().read().decode(errors="replace") if results == "-" else results
    with exit_on(ValueError):
        drawn = make_roads(parse_results(text))
    if not drawn.results:
        fail("no results: name them in order, such as BBPTP")
    if svg is not None:
        write_picture(svg, drawn, columns=columns, quiet=json)
    if json:
        told = {
            "results": str(drawn),
            "bead_plate": drawn.bead_plate,
            "big_road": drawn.big_road,
            **{road.value: str(drawn.derived_road(road)) for road in REACH},
            "ask": drawn.ask,
            "statistics": drawn.statistics,
        }
        put_json(told)
    if json or svg is not None:
        return
    for road in Road:
        show_road(drawn, road, title=title_of(road), columns=columns)
    for side in ("banker", "player"):
        marks = getattr(drawn.ask, side)
        words = [f"{road.value.replace('_', ' ')} {_mark(getattr(marks, road.value))}" for road in REACH]
        console.print(f"A {side.capitalize()} next: {', '.join(words)}")
    counts = drawn.statistics
    console.print(f"Banker {counts.banker}  Player {counts.player}  Tie {counts.tie}  rounds {counts.rounds}")


def write_picture(path: Path, drawn: Roads, *, columns: int | None, quiet: bool) -> None:
    """Write all roads as one picture, and print its path, on standard error if the output is data."""
    from baccarat.picture.road import roads_picture  # noqa: PLC0415

    save_and_say(path, roads_picture(drawn, columns=columns).encode(), quiet=quiet)


def title_of(road: Road) -> str:
    """What a road is called above its picture."""
    return road.value.replace("_", " ").capitalize()


def _room() -> int | None:
    """How wide a picture may be; None if the output is not a terminal."""
    # a full line would wrap on some terminals
    return console.width - 1 if console.is_terminal or "COLUMNS" in os.environ else None


def show_road(drawn: Roads, road: Road, *, title: str = "", columns: int | None = None, is_short: bool = False) -> None:
    """Draw a road no wider than the terminal, preceded by what is left out. A short one ends with its marks."""
    from baccarat.play.road_text import cell_width, draw  # noqa: PLC0415

    room = _room()
    if room is not None:
        fitting = max(1, room // cell_width(drawn, road))
        columns = min(columns or fitting, fitting)
    picture = draw(drawn, road, columns=columns)
    parts = [(title, "bold"), ("  " if title and picture.left_out else "", ""), (picture.left_out, "yellow")]
    if title or picture.left_out:
        put_line(*parts)
    for row in _marked_rows(picture) if is_short else picture.rows:
        console.print(_style_row(row), no_wrap=True)


def _style_row(row: Sequence[Segment]) -> Text:
    return Text.assemble(*((text, STYLES[role]) for text, role in row))


def _marked_rows(picture: RoadPicture) -> list[tuple[Segment, ...]]:
    """The rows of a picture down to the last that has a mark."""
    rows = list(picture.rows)
    while rows and all(not text.strip() for text, _ in rows[-1]):
        rows.pop()
    return rows


GAP = 3
"""Columns of a terminal between two roads side by side."""


def show_all_roads(drawn: Roads) -> None:
    """All roads in few lines, for a player: the derived ones side by side, and none without a mark."""
    from baccarat.play.road import REACH, Road  # noqa: PLC0415
    from baccarat.play.road_text import cell_width, draw  # noqa: PLC0415

    if not drawn.results:
        console.print("No round has been played yet.")
        return
    show_road(drawn, Road.BEAD_PLATE, title=title_of(Road.BEAD_PLATE), is_short=True)
    show_road(drawn, Road.BIG_ROAD, title=title_of(Road.BIG_ROAD), is_short=True)
    derived = [road for road in REACH if drawn.derived_road(road).cells]
    if not derived:
        return
    room, pictures = _room(), {}
    if room is not None and sum(len(title_of(road)) + GAP for road in REACH) > room:
        for road in derived:
            show_road(drawn, road, title=title_of(road), is_short=True)
        return
    for road in derived:
        fitting = None if room is None else max(1, (room // len(REACH) - GAP) // cell_width(drawn, road))
        pictures[road] = draw(drawn, road, columns=fitting)
    _show_beside(pictures)
    left_out = [f"{each.earlier + each.later} of {title_of(road)}" for road, each in pictures.items() if each.left_out]
    if left_out:
        put_line((f"… columns not shown: {', '.join(left_out)}", "yellow"))


def _show_beside(pictures: Mapping[Road, RoadPicture]) -> None:
    """Draw roads side by side, each under its title."""
    blocks = []
    for road, picture in pictures.items():
        rows = [Text(title_of(road), "bold"), *map(_style_row, _marked_rows(picture))]
        width = max(row.cell_len for row in rows) + GAP
        blocks.append([_pad_row(row, width) for row in rows])
    for index in range(max(map(len, blocks))):
        parts = [block[index] if index < len(block) else Text(" " * block[0].cell_len) for block in blocks]
        console.print(Text.assemble(*parts), no_wrap=True)


def _pad_row(row: Text, width: int) -> Text:
    return Text.assemble(row, " " * (width - row.cell_len))


def _mark(mark: object) -> str:
    return "no mark" if mark is None else str(getattr(mark, "value", mark))
