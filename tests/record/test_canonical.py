"""Canonical bytes: RFC 8785, of every command, event and state; compared with two others that write the same."""

from __future__ import annotations

import json
import random
from typing import Annotated, Any

import msgspec
import pytest
import rfc8785

from baccarat.law.rulebook import rulebook, shipped_submissions
from baccarat.record.canonical import canonical, read_canonical
from baccarat.table.base import Command, Event
from baccarat.table.bounds import Micro
from baccarat.table.meters import CorrectMeter, MetersShown, ShowMeters
from baccarat.table.payment_correction import CorrectPayment
from baccarat.table.registry import EVOLVERS
from baccarat.table.state import TableState
from table_proposer import Proposer
from table_stories import STORIES
from table_walk import COMMANDS, Walk, keyed

MOST = 2**53 - 1


def by_hand(value: Any) -> str:
    """RFC 8785, section 3.2, written once more: for JSON that has no floats."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            assert abs(value) <= MOST
            return str(value)
        case str():
            short = {8: "b", 9: "t", 10: "n", 12: "f", 13: "r", 34: '"', 92: "\\"}
            return '"' + "".join(
                f"\\{short[ord(sign)]}" if ord(sign) in short else f"\\u{ord(sign):04x}" if ord(sign) < 32 else sign
                for sign in value
            ) + '"'  # fmt: skip
        case list():
            return "[" + ",".join(map(by_hand, value)) + "]"
        case dict():
            keys = sorted(value, key=lambda key: key.encode("utf-16-be"))
            return "{" + ",".join(f"{by_hand(key)}:{by_hand(value[key])}" for key in keys) + "}"
    raise AssertionError(f"no such JSON: {value!r}")


def agree(value: msgspec.Struct) -> bytes:
    """The canonical bytes, once all three have written the same, and they read back."""
    data = canonical(value)
    plain = json.loads(data)
    assert data == rfc8785.dumps(plain)
    assert data == by_hand(plain).encode()
    assert read_canonical(data, type(value)) == value
    return data


@pytest.fixture(scope="module")
def walk() -> Walk:
    rules = rulebook("ma-midi-4-royal9")
    walk = Walk(rules, keyed(rules, 3, rich=True))
    walk.seat(1, 2, 4)
    chance = random.Random(4)
    for _ in range(400):
        if walk.state.step == "wager":
            walk.wager(chance)
        walk.go_on(short=90)
        if walk.state.shoe.number == 1:
            break
    return walk


def test_every_command(walk: Walk) -> None:
    chance = random.Random(0)
    for kind in COMMANDS:
        for _ in range(20):
            agree(Proposer(walk, chance).a_command(kind))


@pytest.mark.slow
def test_every_kind_of_event() -> None:
    seen: set[type[Event]] = set()
    for story in STORIES:
        for event in story.tell(story.edition, story.elections).table.log:
            agree(event)
            seen.add(type(event))
    assert len(seen) > len(EVOLVERS) / 2, sorted(kind.__name__ for kind in set(EVOLVERS) - seen)


@pytest.mark.slow
def test_every_state_on_the_way(walk: Walk) -> None:
    for event in walk.log:
        agree(event)
    for _, state in walk.states:
        data = agree(state)
        assert read_canonical(data, TableState) == state


@pytest.mark.parametrize("name", shipped_submissions())
def test_a_table_just_opened(name: str) -> None:
    agree(Walk(rulebook(name), keyed(rulebook(name), 1)).state)


def test_sums_in_millionths_of_a_cent_are_text() -> None:
    large = 10**17
    shown = MetersShown(meters={"star": large, "heart": 5}, reserve=-large, must_hit=7, must_hit_seal="")
    plain = json.loads(agree(shown))
    assert plain["meters"] == {"star": str(large), "heart": "5"}, "by its type, not by its size"
    assert (plain["reserve"], plain["must_hit"]) == (str(-large), 7)
    assert json.loads(agree(ShowMeters(meters={"star": 1})))["meters"] == {"star": "1"}
    assert json.loads(agree(CorrectMeter(corrects=1, meter="star", amount=25, reason="x")))["amount"] == "25"
    assert json.loads(agree(CorrectPayment(corrects=1, seat=1, amount=25, reason="x")))["amount"] == 25


def test_a_number_that_not_every_reader_reads_is_a_fault_of_ours() -> None:
    command: Command = CorrectPayment(corrects=1, seat=1, amount=MOST + 1, reason="x")
    with pytest.raises(AssertionError, match="larger than every reader"):
        canonical(command)


def test_keys_are_sorted_and_nothing_is_between_them() -> None:
    command = CorrectPayment(corrects=1, seat=2, amount=-3, reason="é\u2028" + '"\\')
    data = canonical(command)
    assert data == ('{"amount":-3,"corrects":1,"do":"correct_payment","reason":"é\u2028\\"\\\\","seat":2}').encode()


class Fine(msgspec.Struct, frozen=True):
    """A fine sum within other things."""

    sum: Micro


class Nested(msgspec.Struct, frozen=True):
    """Fine sums wherever a type may hold them, beside numbers that are none."""

    each: tuple[Micro, ...]
    named: dict[str, Micro]
    within: tuple[Fine, ...]
    bounded: Annotated[dict[str, Fine], msgspec.Meta(max_length=9)]
    plain: tuple[int, ...]


def test_fine_sums_are_text_wherever_a_type_holds_them() -> None:
    value = Nested(each=(1, 2), named={"a": 3}, within=(Fine(4),), bounded={"b": Fine(5)}, plain=(6, 7))
    data = canonical(value)
    assert json.loads(data) == {
        "each": ["1", "2"], "named": {"a": "3"}, "within": [{"sum": "4"}], "bounded": {"b": {"sum": "5"}},
        "plain": [6, 7],
    }  # fmt: skip
    assert read_canonical(data, Nested) == value
