"""Roads: every mark of the vectors in its cell, spoken as it is drawn; marks as text read back."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from baccarat.picture.mark import marks
from baccarat.picture.road import COLUMNS, NAMES, SIZES, read_marks, road_picture, roads_picture, write_marks
from baccarat.play.road import REACH, ROWS, Bead, Outcome, Road, Roads, roads
from paths import DATA
from picture_tree import SVG, check_picture, classed, name

VECTORS = msgspec.json.decode((DATA / "roads.json").read_bytes())
MANY = 80
SIZE = 20

beads = st.lists(st.builds(Bead, st.sampled_from(Outcome), st.booleans(), st.booleans(), st.booleans()), max_size=90)


def placed(root: ET.Element, *, size: int = SIZE) -> dict[tuple[int, int], ET.Element]:
    """The cells of a drawn road by column and row, from where their marks are drawn, not from what is said of them."""
    found = dict[tuple[int, int], ET.Element]()
    for cell in classed(root, "cell"):
        shape = next(each for each in cell if name(each) in ("circle", "path"))
        x, y = middle(shape)
        found[int(x // size), int(y // size)] = cell
    return found


def middle(shape: ET.Element) -> tuple[float, float]:
    """The middle of a circle or of a stroke."""
    if name(shape) == "circle":
        return float(shape.get("cx", "")), float(shape.get("cy", ""))
    a, b, c, d = map(float, re.findall(r"-?[\d.]+", shape.get("d", "")))
    return (a + c) / 2, (b + d) / 2


def colour(cell: ET.Element) -> str:
    """What a derived mark looks like: its paint and its shape."""
    shapes = [each for each in cell if name(each) != "title"]
    paints = {each.get("class", "").rpartition("-")[2] for each in shapes}
    (paint,) = paints
    if name(shapes[0]) == "path":
        _, y, _, end = map(float, re.findall(r"-?[\d.]+", shapes[0].get("d", "")))
        assert (end < y) is (paint == "red"), "rising is red"
    else:
        assert (len(shapes) == 1) is (paint == "red"), "blue has a point, or is half filled"
    return paint


@pytest.mark.slow
@pytest.mark.parametrize("vector", VECTORS, ids=lambda each: each["outcomes"][:16])
def test_every_mark_of_the_vectors_is_drawn_in_its_cell(vector: dict[str, str]) -> None:
    drawn = roads(vector["outcomes"])
    for road in REACH:
        found = placed(check_picture(road_picture(drawn, road, columns=MANY, size=SIZE)))
        cells = drawn.derived_road(road).cells
        assert {(cell.column, cell.row): cell.mark.value for cell in cells} == {
            at: colour(cell) for at, cell in found.items()
        }
        letters = {"red": "R", "blue": "B"}
        in_order = "".join(letters[colour(found[cell.column, cell.row])] for cell in cells)
        assert in_order == vector[road.value]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda each: each["outcomes"][:16])
@pytest.mark.slow
def test_the_big_road_and_the_bead_plate_of_the_vectors(vector: dict[str, str]) -> None:
    drawn = roads(vector["outcomes"])
    big = placed(check_picture(road_picture(drawn, Road.BIG_ROAD, columns=MANY, size=SIZE)))
    assert set(big) == {(cell.column, cell.row) for cell in drawn.big_road}
    for cell in drawn.big_road:
        shown = big[cell.column, cell.row]
        assert shown[1].get("class") == f"p-line-{cell.outcome.value}"
        strokes = [each for each in shown if name(each) == "path"]
        assert [each.get("class") for each in strokes] == ["p-line-tie"] * bool(cell.ties)
        counts = [each.text for each in shown.iter(f"{SVG}text")]
        assert counts == ([str(cell.ties)] if cell.ties > 1 else [])
    plate = placed(check_picture(road_picture(drawn, Road.BEAD_PLATE, columns=MANY, size=SIZE)))
    letters = "".join(
        next(plate[k // ROWS, k % ROWS].iter(f"{SVG}text")).text or "" for k in range(len(vector["outcomes"]))
    )
    assert letters == vector["outcomes"]


@pytest.mark.slow
@given(beads)
def test_a_narrow_road_shows_its_newest_columns_and_a_free_one(results: list[Bead]) -> None:
    drawn = roads(results)
    for road in Road:
        whole = placed(check_picture(road_picture(drawn, road, columns=MANY + 20, size=SIZE)))
        narrow = placed(check_picture(road_picture(drawn, road, columns=6, size=SIZE)))
        wide = max((column for column, _ in whole), default=-1) + 1
        free = 0 if road is Road.BEAD_PLATE else 1
        shift = max(0, wide + free - 6)
        assert set(narrow) == {(column - shift, row) for column, row in whole if column >= shift}


@given(beads)
def test_what_is_drawn_is_said(results: list[Bead]) -> None:
    root = check_picture(road_picture(roads(results), Road.BEAD_PLATE, columns=20))
    said = [cell.get("aria-label", "") for cell in classed(root, "cell")]
    assert len(said) == len(results)
    for number, result in enumerate(results, start=1):
        (label,) = [each for each in said if each.startswith(f"Round {number}: ")]
        assert result.outcome.value.capitalize() in label
        assert ("natural" in label) is result.natural
        assert ("Banker pair" in label) is result.banker_pair
        assert ("Player pair" in label) is result.player_pair
    pairs = [each.get("class") for each in root.iter() if "p-dot" in each.get("class", "")]
    assert pairs.count("p-dot-banker") == sum(result.banker_pair for result in results)
    assert pairs.count("p-dot-player") == sum(result.player_pair for result in results)


def test_a_road_is_a_grid_of_rows_and_cells() -> None:
    root = check_picture(road_picture(roads("BBPPPBBBBPBTPPPPPPPPB"), Road.BIG_ROAD))
    assert root.get("role") == "grid"
    assert root.get("aria-label") == "Big road, 21 rounds"
    rows = [each for each in root if each.get("role") == "row"]
    assert [row.get("aria-rowindex") for row in rows] == ["1", "2", "3", "4", "5", "6"]
    for row in rows:
        assert {cell.get("role") for cell in row} == {"gridcell"}
        columns = [int(cell.get("aria-colindex", "0")) for cell in row]
        assert columns == sorted(columns)
    tie = next(cell for cell in classed(root, "cell") if "tie" in cell.get("aria-label", ""))
    assert tie.get("aria-label") == "Banker, 1 tie"


def test_a_road_without_marks_is_no_grid() -> None:
    for road in Road:
        root = check_picture(road_picture(roads(""), road))
        assert root.get("role") == "img"
        assert root.get("aria-label") == f"{NAMES[road]}, 0 rounds"
        assert float(root.get("width", "0")) == COLUMNS[road] * SIZES[road] + 1
    before = check_picture(road_picture(roads("TT"), Road.BIG_ROAD))
    assert [cell.get("aria-label") for cell in classed(before, "cell")] == ["2 ties before the first result"]


@given(beads)
def test_marks_as_text_are_read_back(results: list[Bead]) -> None:
    assert list(read_marks(write_marks(results))) == results


@pytest.mark.parametrize(
    ("text", "position"),
    [("", 1), ("X", 1), ("b", 1), ("BX", 2), ("Bpb", 3), ("Bbb", 3), ("B P", 2), ("--", 1), ("B-", 2)],
)
def test_what_is_no_marks_is_refused_with_its_position(text: str, position: int) -> None:
    with pytest.raises(ValueError, match=f"at position {position};"):
        read_marks(text)


@pytest.mark.slow
@given(beads)
def test_a_sheet_of_all_roads_is_whole_and_wide_enough(results: list[Bead]) -> None:
    drawn: Roads = roads(results)
    root = check_picture(roads_picture(drawn))
    assert [each.get("aria-label") for each in root if each.get("role") == "grid"] == list(NAMES.values())
    cells = len(drawn.bead_plate) + len(drawn.big_road) + sum(len(drawn.derived_road(road).cells) for road in REACH)
    assert len(list(classed(root, "cell"))) == cells
    few = check_picture(roads_picture(drawn, columns=4))
    assert float(few.get("width", "0")) <= 420


def test_the_file_of_marks_has_both_colours_of_every_derived_road() -> None:
    ids = {each.get("id") for each in check_picture(marks())}
    assert ids == {f"{road.value.replace('_', '-')}-{word}" for road in REACH for word in ("red", "blue")}
