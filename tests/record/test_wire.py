"""The wire: flat lines, who stands beside the command, and bounds that are checked before anything is decided."""

from __future__ import annotations

import json
import sys
from typing import Any

import msgspec
import pytest

from baccarat.engine.run_answers import read_answers
from baccarat.law.rulebook import rulebook
from baccarat.law.submission import MOST_DECKS, MOST_SEATS, SeatCount
from baccarat.law.typed_value import Misfit, convert_to
from baccarat.law.wager_name import WagerKind
from baccarat.record.field import fields_of
from baccarat.record.line import UnreadableLine
from baccarat.record.text import is_unseen
from baccarat.record.wire import EVENTS, KINDS, LineEnvelope, read_command, read_event
from baccarat.table.actor import Approval, Origin
from baccarat.table.automation import run_until
from baccarat.table.base import Accepted
from baccarat.table.bounds import VISIBLE, ShortText
from baccarat.table.machine import Table
from baccarat.table.role import Role
from baccarat.table.seating_acts import BuyIn, Sit
from baccarat.table.source import SealedShoe
from baccarat.table.step.wagering import PlaceWager
from table_stories import STORIES


def line(**fields: Any) -> bytes:
    return json.dumps(fields).encode()


def test_who_acts_stands_beside_the_command() -> None:
    table = Table(rulebook("ma-midi-4"))
    approval = {"who": "p2", "role": "floorperson"}
    text = line(
        do="correct_payment", corrects=3, seat=1, amount="$5.00", reason="paid short", by="dealer", who="p1",
        approvals=[approval], id="0190-7", at=1_700_000_000_000_000,
    )  # fmt: skip
    command, beside = read_command(text)
    envelope = beside.envelope(table.state, command)
    assert (envelope.actor.who, envelope.actor.role, envelope.actor.origin) == ("p1", Role.DEALER, Origin.PERSON)
    assert envelope.actor.approvals == (Approval("p2", Role.FLOORPERSON, "correct_payment"),)
    assert (envelope.id, envelope.at) == ("0190-7", 1_700_000_000_000_000)
    assert msgspec.to_builtins(command) == {
        "do": "correct_payment", "corrects": 3, "seat": 1, "amount": 500, "reason": "paid short",
    }  # fmt: skip


def test_a_command_is_described_with_what_must_be_said_and_what_is_assumed_otherwise() -> None:
    fields = [(field.name, field.type, field.required, field.default) for field in fields_of(PlaceWager)]
    assert fields == [
        ("seat", "number", True, None), ("on", "wager", True, None), ("stake", "sum", True, None),
        ("coupon", "sum", False, 0), ("coupon_number", "number", False, None),
    ]  # fmt: skip
    assert {field.name: field.default for field in fields_of(Sit) if not field.required} == {"person": ""}


def test_what_is_not_said_is_as_usual() -> None:
    table = Table(rulebook("ma-midi-4-royal9"))
    for text, who, role, origin in (
        (line(do="sit", seat=3, who="A. Patron"), "A. Patron", Role.PARTICIPANT, Origin.PERSON),
        (line(do="receive_cards", set_id="x", decks=8), "dealer", Role.DEALER, Origin.PERSON),
        (line(do="show_meters"), "dealer", Role.DEALER, Origin.LINK),
        (line(do="show_meters", by="dealer"), "dealer", Role.DEALER, Origin.PERSON),
        (line(do="show_meters", origin="card source"), "dealer", Role.DEALER, Origin.CARD_SOURCE),
    ):
        command, beside = read_command(text)
        actor = beside.envelope(table.state, command).actor
        assert (actor.who, actor.role, actor.origin) == (who, role, origin)


def test_a_sum_is_understood_within_a_form_too() -> None:
    form = {
        "serial": 1, "amount": "$5.25", "patron": "p", "dealer": "d", "pit_boss": "b", "pit_clerk": "c",
        "patron_signed": True,
    }  # fmt: skip
    command, _ = read_command(line(do="document_vigorish", seat=1, form=form))
    assert msgspec.to_builtins(command)["form"]["amount"] == 525
    with pytest.raises(UnreadableLine, match=r"document_vigorish: form\.amount: .* is not a sum"):
        read_command(line(do="document_vigorish", seat=1, form=form | {"amount": "much"}))


@pytest.mark.parametrize(
    "fields",
    [
        {"do": "buy_in", "seat": 1, "amount": 10**15},
        {"do": "buy_in", "seat": 1, "amount": -(10**15)},
        {"do": "buy_in", "seat": 100, "amount": 1},
        {"do": "buy_in", "seat": -1, "amount": 1},
        {"do": "sit", "seat": 1, "who": "x" * 201},
        {"do": "sit", "seat": 1, "person": "a\u202eb"},
        {"do": "order_pass", "reason": "a\nb"},
        {"do": "shuffle_cards", "steps": ["riffle"] * 100},
        {"do": "turn_card", "position": 52_000, "card": "9s"},
        {"do": "correct_card", "corrects": 2**31, "position": 0, "card": "9s", "reason": "x"},
        {"do": "show_meters", "meters": {"star": 10**18}},
        {"do": "show_meters", "meters": {str(number): 1 for number in range(100)}},
        {"do": "sit", "seat": 1, "approvals": [{"who": "x", "role": "dealer"}] * 9},
        {"do": "sit", "seat": 1, "at": -1},
        {"do": "sit", "seat": 1, "at": 2**53},
    ],
    ids=lambda fields: str(fields)[:60],
)
def test_what_no_table_can_mean_is_not_read(fields: dict[str, Any]) -> None:
    with pytest.raises(UnreadableLine):
        read_command(line(**fields))


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"do": "sit", "seet": 1}, "sit: no field 'seet'; did you mean 'seat'? It takes seat, person, by, who"),
        ({"do": "sit", "seat": 1, "colour": 1}, "sit: no field 'colour'; it takes seat, person, by, who"),
        ({"do": "place_wager", "seat": 1, "on": "bunker", "stake": 1},
         "place_wager: on: unknown wager 'bunker'; did you mean 'banker'? Known: player, banker"),
        ({"do": "place_wager", "seat": 1, "on": "xyz", "stake": 1},
         "place_wager: on: unknown wager 'xyz'; known: player"),
    ],
)  # fmt: skip
def test_a_mistyped_field_or_wager_is_told_in_plain_words(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(UnreadableLine) as raised:
        read_command(line(**fields))
    assert str(raised.value).startswith(said)
    assert str(raised.value).endswith(f"see baccarat run --commands {fields['do']}")


ROLES = "one of " + ", ".join(repr(role.value) for role in Role)
SUM = 'a sum of money below $10,000,000,000,000.00: whole cents, such as 2500, or a text, "$25.00"'
FORM = {"serial": 1, "amount": 525, "patron": "p", "dealer": "d", "pit_boss": "b", "pit_clerk": "c"}


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"do": "sit", "seat": "five"}, "sit: seat: 'five' is not a whole number from 0 to 99"),
        ({"do": "sit", "seat": 100}, "sit: seat: 100 is not a whole number from 0 to 99"),
        ({"do": "sit", "seat": True}, "sit: seat: true is not a whole number from 0 to 99"),
        ({"do": "sit", "seat": None}, "sit: seat: null is not a whole number from 0 to 99"),
        ({"do": "sit", "seat": 1.0}, "sit: seat: 1.0 is not a whole number from 0 to 99"),
        ({"do": "sit"}, "sit: 'seat' is missing: a whole number from 0 to 99"),
        ({"do": "buy_in", "seat": 1, "amount": 2.5}, f"buy_in: amount: 2.5 is not {SUM}"),
        ({"do": "buy_in", "seat": 1, "amount": 10**15}, f"buy_in: amount: {10**15} is not {SUM}"),
        ({"do": "buy_in", "seat": 1}, f"buy_in: 'amount' is missing: {SUM}"),
        ({"do": "place_wager", "seat": 1, "on": 7, "stake": 500},
         "place_wager: on: 7 is not allowed; expected the name of a wager, such as \"banker\""),
        ({"do": "turn_card", "position": 0, "card": 7}, "turn_card: card: 7 is not a card, such as \"9s\""),
        ({"do": "turn_card", "position": 0, "card": {"rank": "9", "suit": "x"}},
         "turn_card: card.suit: 'x' is not allowed; expected one of 's', 'h', 'd', 'c'"),
        ({"do": "sit", "seat": 1, "by": "deeler"},
         f"sit: by: 'deeler' is not allowed; expected {ROLES}; did you mean 'dealer'?"),
        ({"do": "sit", "seat": 1, "who": 7}, "sit: who: 7 is not a text of at most 200 visible characters"),
        ({"do": "sit", "seat": 1, "at": "now"}, f"sit: at: 'now' is not a whole number from 0 to {2**53 - 1}"),
        ({"do": "sit", "seat": 1, "approvals": 7},
         "sit: approvals: 7 is not a list, each of its entries an object with who, role"),
        ({"do": "sit", "seat": 1, "approvals": [{"who": "x"}]}, f"sit: approvals[0]: 'role' is missing: {ROLES}"),
        ({"do": "sit", "seat": 1, "approvals": [{"who": "", "role": "dealer"}]},
         "sit: approvals[0].who: '' is not a text of 1 to 200 visible characters"),
        ({"do": "shuffle_cards", "steps": ["riffle"] * 100},
         "shuffle_cards: steps: has 100 entries; expected at most 99"),
        ({"do": "shuffle_cards", "steps": ["riffle", 7]},
         "shuffle_cards: steps[1]: 7 is not a text of at most 200 visible characters"),
        ({"do": "show_meters", "meters": {"star": 1.5}},
         "show_meters: meters.star: 1.5 is not a sum of money in millionths"),
        ({"do": "document_vigorish", "seat": 1, "form": FORM | {"copies": "two"}},
         f"document_vigorish: form.copies: 'two' is not a whole number from {-(2**31)} to {2**31 - 1}"),
        ({"do": "document_vigorish", "seat": 1, "form": FORM | {"colour": 7}},
         "document_vigorish: form.colour: no such key here; allowed here: serial, amount"),
    ],
    ids=lambda value: str(value)[:60],
)  # fmt: skip
def test_a_value_of_the_wrong_type_is_told_in_our_words(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(UnreadableLine) as raised:
        read_command(line(**fields))
    assert str(raised.value).startswith(said)
    assert str(raised.value).endswith(f"see baccarat run --commands {fields['do']}")


GARBAGE: tuple[Any, ...] = (
    None, True, 1.5, -1, 2**52, "", "x", "9" * 300, [], [7], [[]], [{}], {}, {"x": 7}, {"x": {}}, ["x"] * 101,
)  # fmt: skip
LIBRARY = ("Expected `", "Object ", "$.", "`$`")
"""Words of the decoder, which are not ours."""


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.slow
def test_whatever_stands_in_a_field_of_a_command_is_read_or_told_with_the_field(name: str) -> None:
    kind = KINDS[name]
    for field in (*kind.__struct_fields__, *LineEnvelope.__struct_fields__):
        for garbage in GARBAGE:
            try:
                read_command(line(**{"do": name, field: garbage}))
            except UnreadableLine as unread:
                said = str(unread)
                assert not any(word in said for word in LIBRARY), said
                assert field in said or "is missing" in said


@pytest.mark.slow
def test_whatever_stands_in_a_field_of_an_event_is_read_or_told_with_the_field() -> None:
    games = (story.tell(story.edition, story.elections) for story in STORIES)
    seen = {type(event): event for game in games for event in game.table.log}
    assert len(seen) > len(EVENTS) / 2
    for event in seen.values():
        written = msgspec.to_builtins(event, str_keys=True)
        assert read_event(written) == event
        for field in (*written.keys() - {"event"}, "surplus"):
            for garbage in GARBAGE:
                try:
                    read_event(written | {field: garbage})
                except UnreadableLine as unread:
                    said = str(unread)
                    assert not any(word in said for word in LIBRARY), said
                    assert field in said


def test_every_field_of_every_command_has_bounds() -> None:
    def unbounded(annotation: Any) -> bool:
        kind = msgspec.inspect.type_info(annotation)
        match kind:
            case msgspec.inspect.IntType():
                return kind.ge is None and kind.gt is None
            case msgspec.inspect.StrType():
                return kind.max_length is None or kind.pattern != VISIBLE
            case msgspec.inspect.VarTupleType() | msgspec.inspect.ListType() | msgspec.inspect.DictType():
                return kind.max_length is None
        return False

    found = [
        f"{name}.{field.name}"
        for name, kind in KINDS.items()
        for field in msgspec.structs.fields(kind)
        if unbounded(field.type)
    ]
    assert found == []


def test_the_pattern_of_visible_text_refuses_whatever_is_unseen() -> None:
    decoder = msgspec.json.Decoder(ShortText)
    for code in range(sys.maxunicode + 1):
        sign = chr(code)
        if is_unseen(sign) and not 0xD800 <= code < 0xE000:
            with pytest.raises(msgspec.ValidationError):
                decoder.decode(json.dumps(sign).encode())
    assert decoder.decode('"Ann ☃ आ\u200d ß 漢字"'.encode()) == "Ann ☃ आ\u200d ß 漢字"


def test_a_command_reads_back() -> None:
    command, _ = read_command(line(do="sit", seat=3, who="A"))
    assert command == Sit(seat=3)


@pytest.mark.slow
def test_the_largest_shoe_that_is_valid_can_be_written_and_read() -> None:
    """No document has a ceiling for the decks: whatever is elected, each of its cards has a position."""
    rules = rulebook("ma-midi-4", decks=13)
    table = Table(rules)
    source = SealedShoe(rules, lambda number: bytes([number + 1]) * 32, table="T1")
    for command in (Sit(seat=1, person="A"), BuyIn(seat=1, amount=10**9)):
        assert isinstance(table.do(command), Accepted)

    def wager(at: Table) -> None:
        at.do(PlaceWager(seat=1, on=WagerKind.PLAYER, stake=2500))

    run_until(table, source, stop=lambda at: at.state.shoe.next > 12 * 52, wagers=wager)
    for event in table.log:
        assert read_event(msgspec.to_builtins(event, str_keys=True)) == event
    last = MOST_DECKS * 52 - 1
    read_command(line(do="turn_card", position=last, card="9s"))
    with pytest.raises(UnreadableLine, match=f"position: {last + 1} is not a whole number from 0 to {last}"):
        read_command(line(do="turn_card", position=last + 1, card="9s"))


def test_the_last_seat_that_may_be_elected_can_act() -> None:
    with pytest.raises(Misfit, match=f"whole number from 0 to {MOST_SEATS}$"):
        convert_to(MOST_SEATS + 1, SeatCount, "seats")
    read_command(line(do="sit", seat=convert_to(MOST_SEATS, SeatCount, "seats")))


@pytest.mark.parametrize(
    ("answer", "say"),
    [
        ({"line": "two", "unreadable": "x"}, "line: 'two' is not a whole number"),
        ({"line": 2, "unreadable": 7}, "unreadable: 7 is not a text"),
        ({"line": 2, "unreadable": "x", "who": 7}, "who: no such key here; allowed here: line, unreadable"),
    ],
)
def test_an_answer_of_the_wrong_form_is_told_in_our_words(answer: dict[str, Any], say: str) -> None:
    table = Table(rulebook("ma-midi-4"))
    with pytest.raises(UnreadableLine) as raised:
        list(read_answers(table, [(5, line(**answer))]))
    assert str(raised.value) == f"line 5: {say}; expected a command, event or refusal"
