"""What stands on a terminal is true: no road wraps into itself, nothing is left out without a word."""

from __future__ import annotations

import json
import os
import re

import pytest

from baccarat.play.road import Road, parse_results, roads
from baccarat.play.road_text import draw
from forked import run_text
from golden_journals import path_of
from road_lines import draw_text
from terminal import in_terminal

pytestmark = pytest.mark.slow

CHOPPY = "BP" * 45
"""A shoe that changes sides every round: a new column of the big road for each."""
STREAKS = "BBBBBBBBBBPPPPPPPPPBTTP" * 4


@pytest.mark.parametrize("columns", [40, 80, 132])
@pytest.mark.parametrize(
    "words",
    [
        ("roads", CHOPPY),
        ("roads", STREAKS),
        ("roads", CHOPPY, "--columns", "300"),
        ("play", "ma-midi-4", "--auto", "--seed", "rain", "--clauses"),
        ("play", "nj-punto-banco", "--seed", "rain", "--script", "banker 25;deal;why;player 30;deal;roads;help;quit"),
        ("deal", "ma-midi-4", "2s", "3h", "Ad", "Jd", "Tc", "5s", "-w", "3:banker:103", "-w", "3:house_money:5"),
        ("rules", "show", "ma-midi-4", "12(c)"),
        ("run", "--commands"),
    ],
    ids=lambda words: " ".join(words)[:40],
)
def test_no_line_is_wider_than_the_terminal(words: tuple[str, ...], columns: int) -> None:
    shown = in_terminal(*words, columns=columns)
    assert shown
    assert [line for line in shown if len(line) > columns] == []


@pytest.mark.parametrize(
    "words",
    [
        ("price", "ma-midi-4"),
        ("price", "ma-midi-4", "banker", "--stake", "103"),
        ("price", "ma-midi-4-royal9", "royal9"),
        ("compare", "ma-midi-4", "--set", "ez=true"),
        ("rules", "list"),
        ("rules", "diff", "ma-midi-3", "ma-midi-4"),
        ("rules", "check", "ma-midi-4"),
        ("rules", "coverage", "ma-midi-4"),
        ("resettle", str(path_of("ma-midi-4")), "-s", "ma-midi-4-ez"),
    ],
    ids=lambda words: " ".join(words)[:40],
)
def test_tables_fit_eighty_columns_with_every_figure_whole(words: tuple[str, ...]) -> None:
    shown = in_terminal(*words)
    assert [line for line in shown if len(line) > 80] == []
    piped = run_text(*words).stdout
    assert piped
    figures = set(re.findall(r"\$?[0-9][0-9,]*\.[0-9]{2,}", piped))
    assert figures <= set(re.findall(r"\$?[0-9][0-9,]*\.[0-9]{2,}", "\n".join(shown)))


def test_roads_count_the_columns_that_do_not_fit() -> None:
    shown = in_terminal("roads", CHOPPY)
    heading = shown.index("Big road  … 71 earlier columns not shown")
    assert shown[heading + 1].split() == ["P", *["B", "P"] * 9]
    assert "Bead plate" in shown, "what fits has nothing to say"
    assert "Big road" in in_terminal("roads", CHOPPY, columns=400)
    assert "Big road  … 80 earlier columns not shown" in in_terminal("roads", CHOPPY, "--columns", "10")


def test_in_play_the_big_road_keeps_to_the_terminal() -> None:
    shown = in_terminal("play", "ma-midi-4", "--auto", "--seed", "rain", columns=40)
    said = [line for line in shown if "earlier column" in line]
    assert said
    last = shown.index(said[-1], len(shown) - 13)
    assert all(len(line) <= 40 for line in shown[last + 1 : last + 7])


def test_in_play_all_roads_fit_a_terminal_with_their_titles() -> None:
    shown = in_terminal("play", "ma-midi-4", "--seed", "rain", "--script", ";" * 60 + "roads;quit", rows=24)
    start = shown.index("Bead plate")
    end = next(index for index, line in enumerate(shown) if re.match("[0-9]+ rounds, ", line))
    assert end - start <= 23, "all of it is in sight at once, with the next prompt"
    titles = [line for line in shown[start:] if line[:1].isalpha()]
    assert [title.split("  ")[0] for title in titles[:3]] == ["Bead plate", "Big road", "Big eye boy"]
    assert titles[2].split() == ["Big", "eye", "boy", "Small", "road", "Cockroach", "pig"]
    assert any(line.startswith("… columns not shown: ") for line in shown[start:])
    narrow = in_terminal("play", "ma-midi-4", "--seed", "rain", "--script", ";" * 60 + "roads;quit", columns=40)
    assert {"Small road", "Cockroach pig"} <= {line.split("  ")[0] for line in narrow}


def test_early_in_a_shoe_roads_take_a_line_or_two_and_those_without_marks_none() -> None:
    shown = in_terminal("play", "ma-midi-4", "--seed", "rain", "--script", "roads;deal;roads;quit")
    assert "No round has been played yet." in shown
    start = shown.index("Bead plate")
    assert shown[start + 2] == "Big road"
    assert shown[start + 4].startswith("1 round, "), "no empty rows, no empty roads"


def test_in_play_what_is_not_understood_is_said_so_and_the_seed_can_be_pasted() -> None:
    shown = in_terminal("play", "ma-midi-4", "--seed", "rain", "--script", "banc 25;quit")
    assert "'banc 25' is not understood; you can type" in shown
    seeds = [line for line in shown if line.startswith("--seed ")]
    assert len(seeds) == 1
    assert re.fullmatch(r"--seed [0-9a-f]{64}", seeds[0])
    again = in_terminal("play", "ma-midi-4", *seeds[0].split(), "--script", "quit")
    assert again[-1] == seeds[0]


def test_nobody_is_told_what_to_type_where_nobody_types() -> None:
    words = ("play", "ma-midi-4", "--seed", "rain")
    assert not [line for line in in_terminal(*words, "--auto") if "SPOT SUM" in line]
    assert [line for line in in_terminal(*words, typed="quit\n") if "SPOT SUM" in line]


def test_in_a_pipe_nothing_is_left_out() -> None:
    environment = {key: value for key, value in os.environ.items() if key != "COLUMNS"}
    done = run_text("roads", CHOPPY, environment=environment)
    assert "not shown" not in done.stdout
    assert max(map(len, done.stdout.splitlines())) > 300
    narrow = run_text("roads", CHOPPY, environment={**environment, "COLUMNS": "60"})
    assert "Big road  … 76 earlier columns not shown" in narrow.stdout
    whole = json.loads(run_text("roads", CHOPPY, "--json").stdout)
    assert len(whole["big_road"]) == 90


@pytest.mark.parametrize("road", list(Road))
@pytest.mark.parametrize("results", [CHOPPY, STREAKS, "B", "T", "BBBBBBBBBBBBPB"])
@pytest.mark.parametrize("columns", [1, 2, 7, 19, 200])
def test_what_is_drawn_and_what_is_said_to_be_left_out_make_up_the_road(road: Road, results: str, columns: int) -> None:
    drawn = roads(parse_results(results))
    whole, part = draw(drawn, road), draw(drawn, road, columns=columns)
    rows = ["".join(text for text, _ in row) for row in part.rows]
    width = len(draw_text(drawn, road, columns=1).splitlines()[0])
    complete = ["".join(text for text, _ in row) for row in whole.rows]
    assert (whole.earlier, whole.later, whole.left_out) == (0, 0, "")
    assert part.earlier + len(rows[0]) // width + part.later == len(complete[0]) // width
    assert len(rows[0]) // width <= columns
    start = part.earlier * width
    assert rows == [row[start : start + len(rows[0])] for row in complete]
    assert bool(part.left_out) == bool(part.earlier or part.later)
