"""Numbers in a record: fine sums are text, no number passes what every reader of JSON reads, and every entry fits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from baccarat.house.filed_rules import FiledRules
from baccarat.house.link_event import MeterRaised, WagersAdded
from baccarat.house.notice import Notice
from baccarat.house.option_change import ChangeOptions
from baccarat.law.rulebook import rulebook, shipped_submissions
from baccarat.play.refusal import Refused
from baccarat.play.wager import WagerKind
from baccarat.record.canonical import canonical, read_canonical
from baccarat.record.entry import MOST_BYTES
from baccarat.record.line import UnreadableLine
from baccarat.record.wire import read_command
from baccarat.table.base import Accepted
from baccarat.table.bounds import MOST_CHIPS, MOST_ELECTED, MOST_WHOLE
from baccarat.table.machine import Table
from baccarat.table.rules_adoption import AdoptRules, RulesAdopted
from baccarat.table.seating_acts import BuyIn, Sit
from baccarat.table.step.wagering import PlaceWager
from kept import kept_table
from table_driver import game_at

LARGE = 10**17


def test_the_fine_sums_of_a_link_are_text() -> None:
    added = WagersAdded(table="T1", seq=1, seats=(1,), contributions={"star": LARGE}, reserve=LARGE)
    plain = json.loads(canonical(added))
    assert (plain["contributions"], plain["reserve"], plain["seq"]) == ({"star": str(LARGE)}, str(LARGE), 1)
    raised = MeterRaised(table="T1", seq=1, meter="star", amount=LARGE)
    assert json.loads(canonical(raised))["amount"] == str(LARGE)
    assert read_canonical(canonical(added), WagersAdded) == added


def test_the_meters_of_adopted_rules_are_text_or_missing() -> None:
    adopted = RulesAdopted(hash="0" * 64, ruleset="x", meters={"star": LARGE}, seeded={"star": 5})
    plain = json.loads(canonical(adopted))
    assert (plain["meters"], plain["seeded"]) == ({"star": str(LARGE)}, {"star": "5"})
    assert read_canonical(canonical(adopted), RulesAdopted) == adopted
    without = RulesAdopted(hash="0" * 64, ruleset="x")
    assert json.loads(canonical(without))["meters"] is None
    assert read_canonical(canonical(without), RulesAdopted) == without


# ------------------------------------------------------------------------------ what may hold any JSON


@pytest.mark.parametrize(
    ("elected", "say"),
    [
        ({"decks": 8.5}, "submission.decks: 8.5 is no whole number"),
        ({"decks": MOST_WHOLE + 1}, "submission.decks: the number is too large"),
        ({"decks": -MOST_WHOLE - 1}, "submission.decks: the number is too large"),
        ({"limits": {"é": 1}}, "submission.limits: 'é' is not the name of an option"),
        ({"backs": ["blue", 0.5]}, "submission.backs: 0.5 is no whole number"),
        ({"layout_approval": "x" * MOST_ELECTED}, "bytes; expected 16,384 at most"),
    ],
)
def test_rules_that_no_record_can_hold_are_not_read(elected: dict[str, Any], say: str) -> None:
    line = json.dumps({"do": "adopt_rules", "submission": {"ruleset": "ma-midi-4", **elected}}).encode()
    if "too large" in say:
        with pytest.raises(ValueError, match="the number is too large"):
            AdoptRules(submission=elected)
        return
    with pytest.raises(UnreadableLine) as found:
        read_command(line + b"\n")
    assert say in str(found.value)


@pytest.mark.parametrize("value", [0.5, MOST_WHOLE + 1, {"é": 1}, "x" * MOST_ELECTED])
def test_neither_are_they_in_the_house(value: Any) -> None:
    for kind, fields in (
        (FiledRules, {"ruleset": "x", "stated": {"decks": value}, "hash": "0" * 64}),
        (Notice, {"to": "x", "pit": "A", "option": "decks", "value": value, "sent": 0}),
        (ChangeOptions, {"do": "change_options", "changes": {"decks": value}, "effective": 0}),
    ):
        with pytest.raises((msgspec.ValidationError, ValueError)):
            msgspec.convert(fields, kind)


@pytest.mark.parametrize("name", ["é", "x\n"])
def test_the_name_of_a_meter_is_a_key_and_so_ascii(name: str) -> None:
    line = json.dumps({"do": "show_meters", "meters": {name: 1}}).encode()
    with pytest.raises(UnreadableLine):
        read_command(line + b"\n")


@pytest.mark.parametrize("name", shipped_submissions())
def test_the_largest_rules_that_are_read_fit_into_an_entry_twice(tmp_path: Path, name: str) -> None:
    rules = rulebook(name)
    stated = msgspec.json.decode(msgspec.json.encode(dict(rules.stated)))
    filed = {"ruleset": rules.edition.name, **stated}
    key = next(key for key in ("layout_approval", "cut_card_approval") if key in stated)
    room = MOST_ELECTED - len(msgspec.json.encode(filed))
    assert room > MOST_ELECTED * 3 // 4, "what is shipped is far from the bound"
    table = kept_table(tmp_path / "journal", rules)
    assert isinstance(table.do(AdoptRules(submission={**filed, key: f"{stated[key]}{'x' * room}"})), Accepted)
    table.file.close()
    assert len((tmp_path / "journal").read_bytes().splitlines()[-1]) < MOST_BYTES


# ---------------------------------------------------------------------------------------- chips at a seat


def test_a_seat_buys_no_more_than_a_record_can_hold_with_what_it_may_win() -> None:
    table = Table(rulebook("ma-midi-4"))
    table.do(Sit(seat=1, person="p1"))
    assert isinstance(table.do(BuyIn(seat=1, amount=MOST_CHIPS)), Accepted)
    more = table.do(BuyIn(seat=1, amount=1))
    assert isinstance(more, Refused)
    assert more.what == "more_chips_than_a_seat_may_have"
    assert MOST_CHIPS * 800 < MOST_WHOLE


def test_a_seat_that_has_won_too_much_wagers_no_more() -> None:
    game = game_at("ma-midi-4", seats=[1])
    person = game.state.seats.participants[0]
    assert person is not None
    rich = msgspec.structs.replace(person, chips=MOST_CHIPS + 1)
    seats = game.state.seats.with_person(1, rich)
    game.table.state = msgspec.structs.replace(game.state, seats=seats)
    outcome = game.table.do(PlaceWager(seat=1, on=WagerKind.PLAYER, stake=2500))
    assert isinstance(outcome, Refused)
    assert outcome.what == "more_chips_than_a_seat_may_have"
