"""`baccarat roads`: the roads of a shoe, drawn or as data."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.text import Text

from baccarat.cli.lines import standard_input
from baccarat.cli.out import FAULT, JSON, complain, console, fail, line, put_json

if TYPE_CHECKING:
    from baccarat.play.road import Road, Roads

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
        None, min=1, max=500, help="Draw so many of the newest columns; without it, as many as fit the terminal."
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
    try:
        drawn = make_roads(parse_results(text))
    except ValueError as error:
        fail(str(error), FAULT)
    if not drawn.results:
        fail("no results: name them in order, such as BBPTP", FAULT)
    if svg is not None:
        write_picture(svg, drawn, columns=columns, quiet=json)
    if json:
        told = {
            "results": str(drawn),
            "bead_plate": drawn.bead_plate,
            "big_road": drawn.big_road,
            **{road.value: str(drawn.derived(road)) for road in REACH},
            "ask": drawn.ask,
            "statistics": drawn.statistics,
        }
        put_json(told)
    if json or svg is not None:
        return
    for road in Road:
        show_road(drawn, road, title=road.value.replace("_", " ").capitalize(), columns=columns)
    for side in ("banker", "player"):
        marks = getattr(drawn.ask, side)
        words = [f"{road.value.replace('_', ' ')} {_mark(getattr(marks, road.value))}" for road in REACH]
        console.print(f"A {side.capitalize()} next: {', '.join(words)}")
    counts = drawn.statistics
    console.print(f"Banker {counts.banker}  Player {counts.player}  Tie {counts.tie}  rounds {counts.rounds}")


def write_picture(path: Path, drawn: Roads, *, columns: int | None, quiet: bool) -> None:
    """Write all roads as one picture, and say where: beside the output where that is data."""
    from baccarat.picture.road import roads_picture  # noqa: PLC0415
    from baccarat.record.text import visible  # noqa: PLC0415
    from baccarat.report.save import CannotWrite, save  # noqa: PLC0415

    try:
        written = save(path, roads_picture(drawn, columns=columns).encode())
    except CannotWrite as error:
        fail(str(error), FAULT)
    if quiet:
        complain(f"written: {visible(str(written))}")
    else:
        console.print(line(f"written: {written}"))


def show_road(drawn: Roads, road: Road, *, title: str = "", columns: int | None = None) -> None:
    """Draw a road no wider than the terminal; what is left out is said before it."""
    from baccarat.play.road_text import cell_width, draw  # noqa: PLC0415

    if console.is_terminal or "COLUMNS" in os.environ:
        fitting = max(1, (console.width - 1) // cell_width(drawn, road))  # a full line would wrap on some terminals
        columns = min(columns or fitting, fitting)
    picture = draw(drawn, road, columns=columns)
    parts = [(title, "bold"), ("  " if title and picture.left_out else "", ""), (picture.left_out, "yellow")]
    if title or picture.left_out:
        console.print(line(*parts))
    for row in picture.rows:
        console.print(Text.assemble(*((text, STYLES[role]) for text, role in row)), no_wrap=True)


def _mark(mark: object) -> str:
    return "no mark" if mark is None else str(getattr(mark, "value", mark))
