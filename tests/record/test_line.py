"""A line from outside: what is wrong with it is said, with where it stands; and nothing unseen gets in or out."""

from __future__ import annotations

import json
from typing import Annotated, Any

import msgspec
import pytest

from baccarat.cards import Card
from baccarat.record.line import UnreadableLine, decode, decode_object, refuse_unseen
from baccarat.record.text import is_unseen, visible
from baccarat.record.wire import members, read_command, read_event, unit_of
from baccarat.table.base import Command
from baccarat.table.bounds import MeterFigures, Micro, Seat, Sum
from baccarat.table.step.settlement import LosersCollected
from baccarat.values import NUMBER_LIMIT
from table_stories import STORIES

HALF = "only half of the line has been written"


def said(line: bytes) -> str:
    """Why a line is not read."""
    with pytest.raises(UnreadableLine) as raised:
        decode(line)
    return str(raised.value)


def test_a_byte_that_is_not_utf_8_is_named_with_its_position_counted_from_one() -> None:
    assert said(b'{"a": "\xff"}\n') == "not UTF-8: byte 0xff at position 8 of the line"
    assert said(b"\x80") == "not UTF-8: byte 0x80 at position 1 of the line"


@pytest.mark.parametrize(
    ("line", "half"),
    [(b'{"a": 1\n', True), (b'{"a": 1', True), (b'{"a": 1} x\n', False), (b'{"a": x}\n', False), (b'{"a": x}', True)],
)
def test_a_line_that_breaks_off_is_told_from_one_that_is_wrong(line: bytes, half: bool) -> None:
    found = said(line)
    assert found.startswith("not JSON: ")
    assert (HALF in found) is half


def test_nesting_without_end_is_no_trace() -> None:
    assert said(b"[" * 200_000) == "nested too deeply; expected one JSON object a line"


@pytest.mark.parametrize("value", [[], 1, "x", None])
def test_only_an_object_is_a_line(value: Any) -> None:
    with pytest.raises(UnreadableLine, match="expected a JSON object, not "):
        decode_object(json.dumps(value).encode())
    assert decode_object(b'{"a": []}') == {"a": []}


def test_what_is_no_object_is_shown_but_not_without_end() -> None:
    for count in (36, 37, 38, 39, 500):
        with pytest.raises(UnreadableLine) as raised:
            decode_object(b' "' + b"x" * count + b'"\n')
        shown = str(raised.value).removeprefix("expected a JSON object, not ")
        assert shown == f'"{"x" * count}"'[:40]


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ({"a": {"b": [1, {"c": NUMBER_LIMIT + 1}]}}, "a.b.c"),
        ({"a": -NUMBER_LIMIT - 1}, "a"), ([NUMBER_LIMIT + 1], "the line"),
        ({"a": 1e300}, "a"), ({"\x1b": NUMBER_LIMIT + 1}, "\\x1b"), ({"a": {"\x1b": NUMBER_LIMIT + 1}}, "a.\\x1b"),
    ],
)  # fmt: skip
def test_a_number_that_is_too_large_is_named_with_where_it_stands(value: Any, place: str) -> None:
    assert said(json.dumps(value).encode()) == f"{place}: the number is too large; expected at most {NUMBER_LIMIT}"


def test_numbers_up_to_the_largest_are_read() -> None:
    value = {"a": [NUMBER_LIMIT, -NUMBER_LIMIT, 0, 0.5, True], "b": {"c": -NUMBER_LIMIT}}
    assert decode(json.dumps(value).encode()) == value


# --------------------------------------------------------------------------------------- unseen characters


@pytest.mark.parametrize(
    ("value", "place", "sign"),
    [
        ({"a": "x\x1b"}, "a", "\\x1b"), ({"a": {"b": ["ok", "\u202e"]}}, "a.b", "\\u202e"),
        ({"\x07": 1}, "a key", "\\x07"),
        (["\n"], "a key", "\\n"), ({"a": "\u2028"}, "a", "\\u2028"), ({"a": {"\x00": 1}}, "a key", "\\x00"),
    ],
)  # fmt: skip
def test_an_unseen_character_is_refused_and_named(value: Any, place: str, sign: str) -> None:
    with pytest.raises(UnreadableLine) as raised:
        refuse_unseen(value)
    assert str(raised.value) == f"{place}: the character {sign} is not allowed; expected visible text"


def test_text_of_any_script_is_taken_with_its_joiners() -> None:
    refuse_unseen({"who": "Ann ☃ आ\u200d ß 漢字 \u200c", "more": ["é", 7, None, True]})
    assert not any(map(is_unseen, "\u200c\u200da ☃\u00a0"))
    assert all(map(is_unseen, "\x00\x1b\n\x7f\u202e\u2028\u2029\u200b\u200e\ufeff"))


def test_what_is_shown_writes_unseen_characters_out_and_leaves_the_others() -> None:
    assert visible("plain text, 100 %") == "plain text, 100 %"
    assert visible("a\x1b[2Jb\u202ec") == "a\\x1b[2Jb\\u202ec"
    assert visible("naïve ☃ \u200d") == "naïve ☃ \u200d"
    assert visible("one\ntwo\tthree", keep="\n") == "one\ntwo\\tthree"
    assert visible("naïve\n\x1b☃", keep="\n") == "naïve\n\\x1b☃"


# --------------------------------------------------------------------------------------- commands, events


def refused(**fields: Any) -> str:
    """Why a command is not read."""
    with pytest.raises(UnreadableLine) as raised:
        read_command(json.dumps(fields).encode())
    return str(raised.value)


def test_a_command_that_nobody_knows_is_told_by_its_name_and_the_nearest() -> None:
    assert (
        refused(do="close_shoo") == "no command 'close_shoo'; did you mean 'close_shoe'?; see baccarat run --commands"
    )
    assert refused(do="xyzzy") == "no command 'xyzzy'; see baccarat run --commands"
    assert refused(do=7) == "no command 7; see baccarat run --commands"
    assert refused(do=None) == "no command None; see baccarat run --commands"
    assert refused(do=["sit"]) == "no command ['sit']; see baccarat run --commands"
    assert refused(seat=1) == 'expected a command, such as {"do": "close_shoe"}; see baccarat run --commands'


@pytest.mark.parametrize("value", [{}, {"event": 7}, {"event": ["seated"]}, {"event": "no such event"}])
def test_what_is_no_event_is_shown_but_not_without_end(value: dict[str, Any]) -> None:
    for more in ({}, {"x": "y" * 500}):
        with pytest.raises(UnreadableLine) as raised:
            read_event({**value, **more})
        shown = str(raised.value).removeprefix("expected an event, a refusal or an unreadable line, not ")
        assert shown == str({**value, **more})[:60]


def test_an_event_reads_back_from_its_line() -> None:
    story = STORIES[0]
    log = story.tell(story.edition, story.elections).table.log
    assert len(log) > 20
    for event in (*log, LosersCollected(amounts={1: 500, 12: 2_500}, cites=("ma-midi-4 §11(b)",))):
        assert read_event(json.loads(msgspec.json.encode(event))) == event
    with pytest.raises(UnreadableLine, match="no event order_sealed: 'root' is missing"):
        read_event({"event": "order_sealed"})


def test_cards_and_sums_are_understood_where_they_belong_and_nowhere_else() -> None:
    def read(**fields: Any) -> Command:
        return read_command(json.dumps(fields).encode())[0]

    spelt = read(do="turn_card", position=3, card={"rank": "9", "suit": "s"})
    assert read(do="turn_card", position=3, card="9♠") == spelt
    assert refused(do="turn_card", position=3, card="1s").startswith("turn_card: card: no such card: '1s'")
    assert read(do="buy_in", seat=1, amount="$25") == read(do="buy_in", seat=1, amount=2_500)
    meters = read(do="show_meters", meters={"star": "$25", "heart": 7})
    assert meters == read(do="show_meters", meters={"star": 2_500_000_000, "heart": 7})
    assert "is not a whole number" in refused(do="sit", seat="$1"), "a seat is no sum of money"
    assert refused(do="buy_in", seat=1, amount="25").startswith("buy_in: amount: '25' is not a sum")


def test_the_types_of_a_field_say_what_it_is_and_how_its_money_is_counted() -> None:
    assert members(Seat) == members(Seat | None) == (int,)
    assert members(Card | None) == members(Annotated[Card | None, "a card"]) == (Card,)
    assert members(Annotated[int, "x"] | Card | None) == (int, Card)
    for kind, unit in ((Sum, 1), (Micro, 1_000_000), (MeterFigures, 1_000_000), (Seat, 0), (str, 0)):
        assert unit_of(kind) == unit_of(kind | None) == unit, kind
