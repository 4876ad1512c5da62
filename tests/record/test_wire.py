"""The wire: flat lines, who stands beside the command, and bounds that are checked before anything is decided."""

from __future__ import annotations

import json
import sys
from typing import Any

import msgspec
import pytest

from baccarat.law.rulebook import rulebook
from baccarat.record.line import UnreadableLine
from baccarat.record.text import is_unseen
from baccarat.record.wire import KINDS, read_command
from baccarat.table.actor import Approval, Origin
from baccarat.table.bounds import VISIBLE, Text
from baccarat.table.machine import Table
from baccarat.table.people import Sit
from baccarat.table.role import Role


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
        {"do": "turn_card", "position": 624, "card": "9s"},
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
    decoder = msgspec.json.Decoder(Text)
    for code in range(sys.maxunicode + 1):
        sign = chr(code)
        if is_unseen(sign) and not 0xD800 <= code < 0xE000:
            with pytest.raises(msgspec.ValidationError):
                decoder.decode(json.dumps(sign).encode())
    assert decoder.decode('"Ann ☃ आ\u200d ß 漢字"'.encode()) == "Ann ☃ आ\u200d ß 漢字"


def test_a_command_reads_back() -> None:
    command, _ = read_command(line(do="sit", seat=3, who="A"))
    assert command == Sit(seat=3)
