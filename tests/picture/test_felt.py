"""The felt: exactly the areas that a Submission offers, seat by seat; nothing overlaps, and every chip has its room."""

from __future__ import annotations

from itertools import combinations
from math import atan2, degrees, hypot
from xml.etree import ElementTree as ET

import msgspec
import pytest

from baccarat.law.rulebook import Rulebook, rulebook, shipped_submissions
from baccarat.picture.felt import LEFT, SIGN, WIDTH, felt
from baccarat.picture.felt_plan import Area, FeltPlan, letters_of, plan, rows_of, title_of
from baccarat.picture.steps import steps_picture
from baccarat.play.book import open_book
from baccarat.play.wager import WagerKind
from picture_tree import SVG, check_picture, classed, name

EVERY = shipped_submissions()
NARROWEST_TARGET = 24.0
"""Two targets whose middles are so far apart can be told apart by a finger, in pixels at the usual width."""


def variants() -> list[tuple[str, Rulebook]]:
    """The shipped Submissions, and the ways of laying a table out that none of them files."""
    found = [(name_, rulebook(name_)) for name_ in EVERY]
    found.append(("deferred", rulebook("ma-midi-4", vig_collection="deferred")))
    found.append(("from the right", rulebook("ma-midi-4", seat_one="dealer_right")))
    found.append(("few wagers", rulebook("ma-midi-4", dragon_bonus=False, house_money=False)))
    found.append(("a sign", rulebook("ma-midi-4-ez", layout_dragon7_inscription=False, dragon7_sign=True)))
    found += [(f"{seats} seats", rulebook("nj-punto-banco", seats=seats)) for seats in (6, 8, 12, 20, 40, 99)]
    return found


VARIANTS = variants()
every_felt = pytest.mark.parametrize("rules", [each for _, each in VARIANTS], ids=[name_ for name_, _ in VARIANTS])


def areas(made: FeltPlan) -> list[Area]:
    return [area for seat in made.seats for area in seat.areas]


def polar(made: FeltPlan, x: float, y: float) -> tuple[float, float]:
    """The radius and the angle of a point."""
    dx, dy = x - 500.0, y - made.centre_y
    return hypot(dx, dy), atan2(dx, dy)


@every_felt
@pytest.mark.slow
def test_every_seat_has_exactly_the_areas_that_are_offered(rules: Rulebook) -> None:
    root = check_picture(felt(rules))
    offered = [kind.word for kind in open_book(rules).kinds]
    seats = list(classed(root, "seat"))
    assert sorted(int(seat.get("data-seat", "0")) for seat in seats) == list(range(1, (rules.elections.seats or 0) + 1))
    for seat in seats:
        found = list(classed(seat, "area"))
        assert sorted(area.get("data-on", "") for area in found) == sorted(offered)
        assert {area.get("data-seat") for area in found} == {seat.get("data-seat")}


@every_felt
def test_seats_are_numbered_from_the_elected_side(rules: Rulebook) -> None:
    made = plan(rules)
    numbers = [seat.number for seat in made.seats]
    assert numbers == sorted(numbers, reverse=rules.elections.seat_one == "dealer_left"), (
        "the dealer's left is our right"
    )
    assert [seat.disc.x for seat in made.seats] == sorted(seat.disc.x for seat in made.seats)


@every_felt
def test_chips_lie_within_their_area_and_apart_from_all_others(rules: Rulebook) -> None:
    made = plan(rules)
    found = areas(made)
    for area in found:
        radius, angle = polar(made, area.chips.x, area.chips.y)
        assert area.inner < radius < area.outer
        assert area.start < angle < area.end
        if not area.is_spot:
            assert area.inner <= radius - area.radius
            assert radius + area.radius <= area.outer
            assert (angle - area.start) * radius >= area.radius
    for one, other in combinations(found, 2):
        apart = hypot(one.chips.x - other.chips.x, one.chips.y - other.chips.y)
        assert apart >= one.radius + other.radius, (one.seat, one.on, other.seat, other.on)


@every_felt
def test_areas_do_not_overlap(rules: Rulebook) -> None:
    made = plan(rules)
    bands = [area for area in areas(made) if not area.is_spot]
    spots = [area for area in areas(made) if area.is_spot]
    for one, other in combinations(bands, 2):
        beside = one.end <= other.start + 1e-9 or other.end <= one.start + 1e-9
        behind = one.outer <= other.inner + 1e-9 or other.outer <= one.inner + 1e-9
        assert beside or behind
    for spot in spots:
        assert spot.outer <= made.sides, "round spots lie within the main wagers"
        assert spot.inner >= made.inner
        seat = next(seat for seat in made.seats if seat.number == spot.seat)
        assert seat.start <= spot.start
        assert spot.end <= seat.end


@pytest.mark.parametrize("name_", EVERY)
def test_targets_of_the_shipped_tables_can_be_told_apart_by_a_finger(name_: str) -> None:
    for one, other in combinations(areas(plan(rulebook(name_))), 2):
        apart = hypot(one.chips.x - other.chips.x, one.chips.y - other.chips.y)
        assert apart >= NARROWEST_TARGET, (one.seat, one.on, other.on, apart)


@every_felt
def test_everything_lies_within_the_picture(rules: Rulebook) -> None:
    made = plan(rules)
    for seat in made.seats:
        for point in (seat.disc, seat.name, seat.combination_at, *(area.chips for area in seat.areas)):
            assert LEFT + 8 <= point.x <= LEFT + WIDTH - 8
            assert 0 <= point.y <= made.height - 8


def test_the_data_of_an_area_is_where_its_shape_is() -> None:
    root = check_picture(felt(rulebook("nj-punto-banco")))
    for spot in classed(root, "area", "spot"):
        (circle,) = [each for each in spot if name(each) == "circle"]
        assert (circle.get("cx"), circle.get("cy"), circle.get("r")) == (
            spot.get("data-x"), spot.get("data-y"), spot.get("data-r"),
        )  # fmt: skip


def test_vigorish_boxes_lie_on_the_felt_where_it_is_deferred_and_nowhere_else() -> None:
    for name_, rules in VARIANTS:
        boxes = list(classed(check_picture(felt(rules)), "vigorish-box"))
        seats = [seat.number for seat in plan(rules).seats]
        assert [int(box.get("data-seat", "0")) for box in boxes] == (seats if name_ == "deferred" else []), name_


@pytest.mark.clause("MA:2(b)(2)(ii)")
def test_an_ez_table_says_on_its_felt_or_on_a_sign_that_banker_pushes_on_a_dragon_7() -> None:
    def said(rules: Rulebook) -> set[str]:
        root = check_picture(felt(rules))
        return {"".join(each.itertext()) for each in root.iter(f"{SVG}text")}

    both = dict(VARIANTS)
    assert SIGN.upper() in said(both["ma-midi-4-ez"])
    assert SIGN in said(both["a sign"])
    for name_, rules in VARIANTS:
        if not rules.elections.ez:
            assert not {SIGN, SIGN.upper()} & said(rules), name_


def test_royal_9_shows_each_seat_its_court_cards_and_its_nine() -> None:
    def shown(name_: str) -> dict[int, str]:
        rules = rulebook(name_)
        words = {"".join(each.itertext()) for each in check_picture(felt(rules)).iter(f"{SVG}text")}
        seats = {seat.number: seat.combination for seat in plan(rules).seats}
        assert set(seats.values()) <= {*words, ""}
        return seats

    assert shown("ma-midi-4-royal9") == {
        1: "K♠ 9♥", 2: "K♠ 9♦", 3: "K♣ 9♥", 4: "K♣ 9♦", 5: "K♥ 9♠", 6: "K♥ 9♣", 7: "K♦ 9♠",
    }  # fmt: skip
    document = shown("ma-midi-1-royal9")
    assert (document[1], document[9]) == ("KQJ♠ 9♥", "KQJ♦ 9♥"), "the document's own, of king, queen and jack"
    assert set(shown("ma-midi-4").values()) == {""}


def test_rows_of_spots_hold_every_spot_and_no_row_is_too_long() -> None:
    for most in range(1, 8):
        for count in range(20):
            rows = rows_of(count, most=most)
            assert sum(rows) == count
            assert all(0 < row <= most for row in rows)
    assert rows_of(5, most=2) == [2, 1, 2]
    assert rows_of(5, most=3) == [2, 3]


def test_wagers_in_a_letter_or_two_and_in_words() -> None:
    words = {kind.word: letters_of(kind) for kind in WagerKind}
    assert words["dragon_player"] == "DP"
    assert words["panda8"] == "P8"
    assert words["total6"] == "6"
    assert len(set(words.values())) == len(words)
    book = open_book(rulebook("ma-midi-4"))
    assert title_of(book, WagerKind.TIE) == "Tie, pays 8 to 1"
    assert title_of(book, WagerKind.DRAGON_BANKER) == "Dragon Bonus on Banker, pays up to 30 to 1"


def test_the_crescent_opens_to_the_dealer_and_its_seats_are_of_one_width() -> None:
    made = plan(rulebook("nj-punto-banco"))
    widths = {round(degrees(seat.end - seat.start), 6) for seat in made.seats}
    assert len(widths) == 1
    assert made.seats[0].disc.y < made.seats[6].disc.y, "the middle of the crescent hangs lowest"


def test_a_felt_is_the_same_every_time() -> None:
    assert felt(rulebook("ma-midi-4")) == felt(rulebook("ma-midi-4"))
    assert isinstance(check_picture(felt(rulebook("ma-midi-4"))), ET.Element)


HOSTILE = "</title></svg><script>alert(1)</script>\"'&\x00"


def test_whatever_an_edition_calls_things_stays_text() -> None:
    rules = rulebook("ma-midi-4-ez")
    tie = rules.edition.wagers["tie"]
    renamed = msgspec.structs.replace(tie, law=msgspec.structs.replace(tie.law, title=HOSTILE))
    edition = msgspec.structs.replace(rules.edition, title=HOSTILE, wagers={**rules.edition.wagers, "tie": renamed})
    hostile = msgspec.structs.replace(rules, edition=edition)
    for picture in (felt(hostile), felt(hostile, hands=True), steps_picture(hostile)):
        root = check_picture(picture)
        assert HOSTILE.replace("\x00", "\ufffd") in root.get("aria-label", "")
    titles = {each.text or "" for each in check_picture(felt(hostile)).iter(f"{SVG}title")}
    assert f"{HOSTILE.replace(chr(0), chr(0xFFFD))}, pays 8 to 1" in titles
