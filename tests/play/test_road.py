"""Roads: the vectors, a second derivation by eye on the grid, the layouts, the ask road, the notation."""

from __future__ import annotations

from itertools import groupby, pairwise, product
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from baccarat.play.road import (
    REACH,
    ROWS,
    Bead,
    BigCell,
    MarkCell,
    NextMarks,
    Outcome,
    Road,
    RoadMark,
    Roads,
    Statistics,
    parse_results,
    roads,
    show_results,
)
from baccarat.play.road_text import SHAPES, draw_segments
from paths import DATA
from road_lines import draw_text


class Vector(msgspec.Struct, frozen=True):
    """One shoe of the shared vectors, with its three derived roads."""

    outcomes: str
    big_eye_boy: str
    small_road: str
    cockroach_pig: str


VECTORS = msgspec.json.decode((DATA / "roads.json").read_bytes(), type=list[Vector], strict=True)
EXAMPLE = Vector("BBPPPBBBBPBTPPPPPPPPB", "RBBRRBBBRBRRRRRRB", "RBRBBBBRRRRRRB", "BBRRRBRRRB")

shoes = st.text(alphabet="BPT", max_size=100)
streaks = st.lists(st.integers(1, 16), max_size=14).map(
    lambda lengths: "".join("BP"[i % 2] * length for i, length in enumerate(lengths))
)
"""Shoes of long runs, which chance alone hardly deals: tails and their collisions."""
marked = st.lists(st.builds(Bead, st.sampled_from(Outcome), st.booleans(), st.booleans(), st.booleans()), max_size=80)


def of(text: str) -> Roads:
    return roads(parse_results(text))


def derived(shown: Roads) -> tuple[str, str, str]:
    return str(shown.big_eye_boy), str(shown.small_road), str(shown.cockroach_pig)


def drawn(shown: Roads, road: Road = Road.BIG_ROAD) -> list[str]:
    """The lines of a road without the blanks at their ends."""
    return [line.rstrip() for line in draw_text(shown, road).split("\n")]


# Derived roads


def test_there_are_forty_vectors() -> None:
    assert len(VECTORS) == 40


@pytest.mark.parametrize("vector", [EXAMPLE, *VECTORS], ids=lambda vector: vector.outcomes[:12])
def test_a_shoe_has_the_derived_roads_of_the_vectors(vector: Vector) -> None:
    assert derived(of(vector.outcomes)) == (vector.big_eye_boy, vector.small_road, vector.cockroach_pig)


def by_eye(shoe: str, reach: int) -> str:
    """A derived road as it is read off a growing grid, with neither run lengths nor a formula.

    A new column: red if the two columns to its left, `reach` apart, end level. Further down: look `reach`
    columns to the left; red if that place is as full as the one above it, blue if only the one above is full.
    """
    grid: set[tuple[int, int]] = set()
    column, row, last, marks = -1, 0, "", ""
    for outcome in shoe.replace("T", ""):
        column, row = (column, row + 1) if outcome == last else (column + 1, 0)
        last = outcome
        if row == 0 and column > reach:
            left = {y for x, y in grid if x == column - 1}
            further_left = {y for x, y in grid if x == column - 1 - reach}
            marks += "R" if left == further_left else "B"
        if row > 0 and column >= reach:
            place, above = (column - reach, row) in grid, (column - reach, row - 1) in grid
            marks += "R" if place == above else "B"
        grid.add((column, row))
    return marks


def assert_derived_by_eye(shoe: str) -> None:
    assert derived(of(shoe)) == (by_eye(shoe, 1), by_eye(shoe, 2), by_eye(shoe, 3)), shoe


def test_every_shoe_of_eleven_decided_rounds_agrees_with_the_eye() -> None:
    # Marks depend on what came before only, so the shorter shoes are the beginnings of these.
    for shoe in product("BP", repeat=11):
        assert_derived_by_eye("".join(shoe))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_random_shoes_agree_with_the_eye(seed: int) -> None:
    random = Random(seed)
    for _ in range(400):
        shoe = "".join(random.choices("BPT", weights=(459, 446, 95), k=random.randint(0, 90)))
        assert_derived_by_eye(shoe)


@given(shoes | streaks)
def test_any_shoe_agrees_with_the_eye(shoe: str) -> None:
    assert_derived_by_eye(shoe)


@given(shoes)
def test_ties_change_no_derived_road(shoe: str) -> None:
    assert derived(of(shoe)) == derived(of(shoe.replace("T", "")))


@pytest.mark.parametrize(("reach", "road"), [(reach, road) for road, reach in REACH.items()])
def test_the_first_mark_comes_with_the_second_place_of_a_run_or_the_first_of_the_next(reach: int, road: Road) -> None:
    chop = ("BP" * 3)[: reach + 1]
    assert str(of(chop).derived_road(road)) == ""
    goes_on, changes = chop + chop[-1], chop + "BP"[chop[-1] == "B"]
    assert str(of(goes_on).derived_road(road)) == "B", "second place beside a run of one"
    assert str(of(changes).derived_road(road)) == "R", "two runs of one are level"


def test_only_the_first_step_past_the_neighbour_is_blue() -> None:
    assert str(of("BB" + "P" * 20).big_eye_boy) == "RB" + "R" * 17


# Ask road


def assert_ask_is_append(shown: Roads) -> None:
    for outcome, marks in ((Outcome.BANKER, shown.ask.banker), (Outcome.PLAYER, shown.ask.player)):
        after = shown.after(Bead(outcome))
        for road, asked in zip(REACH, (marks.big_eye_boy, marks.small_road, marks.cockroach_pig), strict=True):
            added = after.derived_road(road).cells[len(shown.derived_road(road).cells) :]
            assert [cell.mark for cell in added] == ([] if asked is None else [asked])


def test_the_ask_road_is_what_one_more_result_adds_after_every_short_shoe() -> None:
    for length in range(7):
        for shoe in product("BPT", repeat=length):
            assert_ask_is_append(of("".join(shoe)))


@given(shoes | streaks)
def test_the_ask_road_is_what_one_more_result_adds(shoe: str) -> None:
    assert_ask_is_append(of(shoe))


def test_the_ask_road_of_the_example() -> None:
    ask = of(EXAMPLE.outcomes).ask
    assert ask.banker == NextMarks(RoadMark.RED, RoadMark.BLUE, RoadMark.BLUE)
    assert ask.player == NextMarks(RoadMark.BLUE, RoadMark.RED, RoadMark.RED)
    assert of("").ask.banker == of("TT").ask.player == NextMarks(None, None, None)


# Layout


def test_the_bead_plate_fills_six_rows_downwards_with_ties() -> None:
    shown = of("BPTBPTB")
    assert [(cell.column, cell.row) for cell in shown.bead_plate] == [*((0, row) for row in range(6)), (1, 0)]
    assert tuple(cell.result for cell in shown.bead_plate) == shown.results


def test_no_result_no_cell() -> None:
    shown = of("")
    assert shown.bead_plate == ()
    assert shown.big_road == ()
    assert derived(shown) == ("", "", "")
    assert shown.statistics == Statistics()
    assert drawn(shown) == [""] * ROWS


def test_ties_alone_stand_in_the_first_cell() -> None:
    assert of("TTT").big_road == (BigCell(0, 0, 0, 1, Outcome.TIE, ties=3),)
    assert drawn(of("TTT"))[0] == " T3"


def test_ties_before_the_first_result_stand_in_its_cell_with_those_after_it() -> None:
    assert of("TTP").big_road == (BigCell(0, 0, 0, 1, Outcome.PLAYER, ties=2),)
    assert of("TTPTB").big_road == (
        BigCell(0, 0, 0, 1, Outcome.PLAYER, ties=3),
        BigCell(1, 0, 1, 1, Outcome.BANKER),
    )


def test_ties_are_counted_on_the_last_cell_and_break_no_run() -> None:
    assert of("BTTBTP").big_road == (
        BigCell(0, 0, 0, 1, Outcome.BANKER, ties=2),
        BigCell(0, 1, 0, 2, Outcome.BANKER, ties=1),
        BigCell(1, 0, 1, 1, Outcome.PLAYER),
    )


def test_pair_marks_are_those_of_the_round_itself() -> None:
    shown = roads([
        Bead(Outcome.TIE, player_pair=True),
        Bead(Outcome.BANKER, banker_pair=True),
        Bead(Outcome.TIE, player_pair=True),
        Bead(Outcome.PLAYER, player_pair=True),
    ])  # fmt: skip
    assert [(cell.banker_pair, cell.player_pair) for cell in shown.big_road] == [(True, False), (False, True)]
    assert drawn(shown)[0] == "˙B2  P ."
    assert drawn(shown, Road.BEAD_PLATE)[:4] == [" T.", "˙B", " T.", " P."]


def test_a_run_of_twenty_turns_right_at_the_bottom() -> None:
    cells = of("B" * 20).big_road
    assert [(cell.column, cell.row) for cell in cells] == [
        *((0, row) for row in range(6)),
        *((column, 5) for column in range(1, 15)),
    ]
    assert {cell.run for cell in cells} == {0}
    assert [cell.place for cell in cells] == list(range(1, 21))


def test_a_run_after_a_tail_starts_in_the_next_drawn_column() -> None:
    cells = of("B" * 20 + "PB").big_road
    assert [(cell.column, cell.row, cell.run) for cell in cells[20:]] == [(1, 0, 1), (2, 0, 2)]


def test_a_tail_above_a_tail_turns_a_row_higher_and_stays_there() -> None:
    # Past the end of the lower tail there is room below again; a tail that has turned does not go down.
    assert drawn(of("B" * 8 + "P" * 8 + "BBB")) == [
        " B   P   B",
        " B   P   B",
        " B   P   B",
        " B   P",
        " B   P   P   P   P",
        " B   B   B",
    ]


def test_a_run_with_no_room_below_its_first_cell_runs_along_the_top() -> None:
    shown = of(("B" * 12 + "P" * 12) * 3 + "BBBP")
    starts = [cell.column for cell in shown.big_road if cell.place == 1]
    assert starts == [0, 1, 2, 3, 4, 5, 17, 18], "drawn columns"
    assert [cell.run for cell in shown.big_road if cell.place == 1] == list(range(8)), "runs"
    assert [cell.column for cell in shown.big_road if cell.run == 5] == list(range(5, 17))
    assert {cell.row for cell in shown.big_road if cell.run == 5} == {0}
    assert [(cell.column, cell.row) for cell in shown.big_road if cell.run == 6] == [
        (17, 0),
        (17, 1),
        (17, 2),
    ]


def assert_laid_out(cells: tuple[BigCell, ...] | tuple[MarkCell, ...]) -> None:
    """Every cell is where the rule puts it, given those before it."""
    taken: set[tuple[int, int]] = set()
    starts = [-1]
    before = None
    for cell in cells:
        assert (cell.column, cell.row) not in taken
        assert 0 <= cell.row < ROWS
        if before is None or cell.place == 1:
            assert cell.row == 0
            assert cell.run == (0 if before is None else before.run + 1)
            assert cell.column > starts[-1]
            assert all((column, 0) in taken for column in range(starts[-1] + 1, cell.column))
            starts.append(cell.column)
        else:
            assert (cell.run, cell.place) == (before.run, before.place + 1)
            turned = before.column > starts[-1]
            blocked = before.row == ROWS - 1 or (before.column, before.row + 1) in taken
            step = (cell.column - before.column, cell.row - before.row)
            assert step == ((1, 0) if turned or blocked else (0, 1))
        taken.add((cell.column, cell.row))
        before = cell


@given(shoes | streaks)
def test_every_road_is_laid_out_by_the_rule(shoe: str) -> None:
    shown = of(shoe)
    assert_laid_out(shown.big_road)
    for first, second in pairwise(shown.big_road):
        assert (first.outcome is second.outcome) == (first.run == second.run)
    for road in REACH:
        cells = shown.derived_road(road).cells
        assert_laid_out(cells)
        for one, other in pairwise(cells):
            assert (one.mark is other.mark) == (one.run == other.run)


@given(shoes)
def test_no_result_is_lost_on_the_big_road(shoe: str) -> None:
    shown = of(shoe)
    decided = "".join(cell.outcome.letter for cell in shown.big_road).replace("T", "")
    assert decided == shoe.replace("T", "")
    assert sum(cell.ties for cell in shown.big_road) == shoe.count("T")


@given(shoes | streaks)
def test_a_result_moves_no_earlier_cell(shoe: str) -> None:
    shown, after = of(shoe), of(shoe).after(Bead(Outcome.BANKER))
    assert after == of(shoe + "B")
    assert after.bead_plate[:-1] == shown.bead_plate
    for road in REACH:
        assert after.derived_road(road).cells[: len(shown.derived_road(road).cells)] == shown.derived_road(road).cells
    if set(shoe) & set("BP"):
        assert after.big_road[:-1] == shown.big_road


# Statistics


def test_statistics_of_a_small_shoe() -> None:
    results = [
        Bead(Outcome.BANKER, natural=True),
        Bead(Outcome.TIE, banker_pair=True, player_pair=True),
        Bead(Outcome.TIE),
        Bead(Outcome.BANKER, banker_pair=True),
        Bead(Outcome.PLAYER, natural=True),
    ]
    counted = roads(results).statistics
    assert counted == Statistics(
        banker=2,
        player=1,
        tie=2,
        banker_pair=2,
        player_pair=1,
        natural=2,
        longest_banker=2,
        longest_player=1,
        longest_tie=2,
    )
    assert counted.rounds == 5


@given(shoes | streaks)
def test_counts_are_those_of_the_notation(shoe: str) -> None:
    counted = of(shoe).statistics
    assert (counted.banker, counted.player, counted.tie) == tuple(map(shoe.count, "BPT"))
    runs = [(sign, len(list(run))) for sign, run in groupby(shoe.replace("T", ""))]
    for sign, longest in (("B", counted.longest_banker), ("P", counted.longest_player)):
        assert longest == max((length for of_sign, length in runs if of_sign == sign), default=0)
    assert "T" * counted.longest_tie in shoe
    assert "T" * (counted.longest_tie + 1) not in shoe


# Notation


@given(shoes)
def test_what_is_printed_parses_back(shoe: str) -> None:
    results = parse_results(shoe)
    assert show_results(results) == str(roads(results)) == shoe
    assert parse_results(show_results(results)) == results


def test_case_and_blanks_do_not_matter() -> None:
    assert parse_results(" bB pt\n\tP ") == parse_results("BBPTP")
    assert parse_results("") == parse_results(" \n") == ()


@pytest.mark.parametrize(
    ("text", "letter", "position"),
    [("X", "X", 1), ("BBx P", "x", 3), ("B P,T", ",", 4), ("BPTⒷ", "Ⓑ", 4), ("1", "1", 1), ("B\0", "\0", 2)],
)
def test_bad_notation_is_refused_with_its_position_and_what_is_allowed(text: str, letter: str, position: int) -> None:
    with pytest.raises(ValueError, match="no such result") as caught:
        parse_results(text)
    said = str(caught.value)
    assert f"{letter!r} at position {position};" in said
    assert "expected B, P, T, b, p, t or a blank" in said


@pytest.mark.slow
@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    readable = set("".join(text.split())) <= set("BPTbpt")
    if readable:
        assert show_results(parse_results(text)) == "".join(text.split()).upper()
    else:
        with pytest.raises(ValueError, match="no such result"):
            parse_results(text)


@given(marked)
def test_roads_survive_json(results: list[Bead]) -> None:
    shown = roads(results)
    assert msgspec.json.decode(msgspec.json.encode(shown), type=Roads, strict=True) == shown


# Text


def test_the_example_as_text() -> None:
    shown = of(EXAMPLE.outcomes)
    assert drawn(shown, Road.BEAD_PLATE) == [
        " B  B  P  P",
        " B  B  P  P",
        " P  B  P  B",
        " P  P  P",
        " P  B  P",
        " B  T  P",
    ]
    assert drawn(shown, Road.BIG_ROAD) == [
        " B   P   B   P   B1  P   B",
        " B   P   B           P",
        "     P   B           P",
        "         B           P",
        "                     P",
        "                     P   P   P",
    ]
    assert drawn(shown, Road.BIG_EYE_BOY) == [
        "○ ◎ ○ ◎ ○ ◎ ○ ◎",
        "  ◎ ○ ◎     ○",
        "      ◎     ○",
        *["            ○"] * 3,
    ]
    assert drawn(shown, Road.SMALL_ROAD) == ["● ◐ ● ◐ ● ◐", *["      ◐ ●"] * 3, *["        ●"] * 2]
    assert drawn(shown, Road.COCKROACH_PIG) == ["\\ / \\ / \\", "\\ /   /", "  /   /", "", "", ""]


def test_nothing_depends_on_colour_alone() -> None:
    assert len({outcome.letter for outcome in Outcome}) == len(Outcome)
    shapes = [shape for road in REACH for shape in SHAPES[road].values()]
    assert len(set(shapes)) == len(shapes) == 6


@given(marked, st.sampled_from(Road), st.none() | st.integers(1, 30))
def test_rows_are_six_and_equally_wide(results: list[Bead], road: Road, columns: int | None) -> None:
    rows = draw_segments(roads(results), road, columns=columns)
    assert len(rows) == ROWS
    assert len({sum(len(text) for text, _ in row) for row in rows}) == 1
    lines = draw_text(roads(results), road, columns=columns).split("\n")
    assert lines == ["".join(text for text, _ in row) for row in rows]


@given(marked)
def test_roles_tell_what_the_text_shows(results: list[Bead]) -> None:
    roles = {
        "B": "banker", "P": "player", "T": "tie",
        "˙": "banker", ".": "player", "○": "red", "◎": "blue", "●": "red", "◐": "blue",
        "/": "red", "\\": "blue",
    }  # fmt: skip
    shown = roads(results)
    for road in Road:
        for text, role in (segment for row in draw_segments(shown, road) for segment in row):
            word = text.strip()
            assert role == ("empty" if not word else "tie" if word.isdecimal() else roles[word])


def test_many_ties_widen_the_cells() -> None:
    assert drawn(of("B" + "T" * 12 + "P"))[0] == " B12  P"


def test_a_narrow_screen_shows_the_newest_columns() -> None:
    assert draw_text(of("BPBPBP"), Road.BIG_ROAD, columns=2).split("\n")[0] == " B   P  "
    assert draw_text(of("BP"), Road.BEAD_PLATE, columns=3).split("\n")[0] == " B       "


def test_the_newest_cell_stays_in_view_left_of_a_long_tail() -> None:
    assert draw_text(of("B" * 20 + "P"), Road.BIG_ROAD, columns=3).split("\n")[0].rstrip() == " P"
