"""A key that occurs twice in one object of JSON is refused wherever a person's JSON comes in, in our words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from baccarat.cli import app
from baccarat.law.repeated_key import repeated_key

HEADER = '{"submission": "ma-midi-4"}'


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('{"seat": 1, "seat": 2}', "seat"),
        ('{"seat" :1,"seat":2}', "seat"),
        ('{"seat"\t:\n1,"seat":1}', "seat"),
        ('{"a": {"b": 1, "b": 1}}', "b"),
        ('[{"a": 1}, {"b": [{"c": 1, "c": 2}]}]', "c"),
        (r'{"a": 1, "\u0061": 2}', "a"),
        (r'{"a": "x\u0022:", "a": 2}', "a"),
        (r'{"a": "x\":", "b": 2, "b": 3}', "b"),
        ('{"": 1, "": 2}', ""),
        ('{"a": {}, "a": {}}', "a"),
    ],
)
def test_a_key_that_stands_twice_is_named(text: str, key: str) -> None:
    assert repeated_key(text.encode(), json.loads(text)) == key


@pytest.mark.parametrize(
    "text", ['{"a": ":", "b": "\\":"}', '[{"a": 1}, {"a": 1}]', '{"a": {"a": 1}}', "7", '":"', "[]", '"a:a"', "{}"]
)
def test_a_key_in_two_objects_and_a_colon_in_a_text_are_nothing_to_refuse(text: str) -> None:
    assert repeated_key(text.encode(), json.loads(text)) is None


VALUES = st.recursive(
    st.none() | st.integers() | st.text(alphabet='a":\\ \n', max_size=4),
    lambda part: st.lists(part, max_size=3) | st.dictionaries(st.text(alphabet='a":', max_size=2), part, max_size=3),
    max_leaves=12,
)


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(value=VALUES, spaced=st.booleans(), escaped=st.booleans())
def test_no_text_of_a_value_is_refused_and_every_doubled_key_is(value: Any, spaced: bool, escaped: bool) -> None:
    text = json.dumps(value, separators=(" , ", "\t: ") if spaced else (",", ":"))
    if escaped:
        text = text.replace("a", "\\u0061")
    assert repeated_key(text.encode(), value) is None
    doubled = f'{{"k":{text},"k"\n:{text}}}'
    assert repeated_key(doubled.encode(), {"k": value}) == "k"


@pytest.mark.parametrize(
    ("verb", "text", "say"),
    [
        (("run", "-"), f'{HEADER}\n{{"do": "sit", "seat": 1, "seat": 2}}', "the key 'seat' occurs twice in one object"),
        (("run", "-"), '{"submission": "ma-midi-4", "submission": "nj-punto-banco"}', "the key 'submission' occurs"),
        (("run", "-"), '{"submission": {"ruleset": "ma-midi-4", "decks": 8, "decks": 6}}', "the key 'decks' occurs"),
        (
            ("run", "-"),
            f'{HEADER}\n{{"do": "adopt_rules", "submission": {{"ruleset": "ma-midi-4", "decks": 8, "decks": 6}}}}',
            "the key 'decks' occurs twice",
        ),
        (("transcript", "-"), f'{HEADER}\n{{"do": "sit", "seat": 1, "seat": 2}}', "the key 'seat' occurs twice"),
        (
            ("resettle", "-", "--submission", "ma-midi-4"),
            f'{HEADER}\n{{"do": "sit", "do": "sit"}}',
            "the key 'do' occurs",
        ),
    ],
)
def test_a_line_with_a_key_that_stands_twice_is_unreadable(verb: tuple[str, ...], text: str, say: str) -> None:
    done = CliRunner().invoke(app, list(verb), input=text + "\n")
    assert done.exit_code == 2, done.output
    assert say in " ".join(done.stderr.split())


RECORD = {
    "id": 7,
    "ruleset": "ma-midi-4",
    "cards": ["7c", "9c", "Qd", "8d"],
    "wagers": [{"seat": 1, "type": "banker", "amount": 2500}, {"seat": 2, "type": "player", "amount": 2500}],
}


@pytest.mark.parametrize(
    ("change", "into", "say"),
    [
        ('"seat": 1', '"seat": 3, "seat": 1', "the key 'seat' occurs twice in one object; expected each key once"),
        ('"id": 7', '"id": 7, "id": 8', "the key 'id' occurs twice"),
        ('"id": 7', '"id": 7, "title": "a: b", "title": "c"', "the key 'title' occurs twice"),
        ('"id": 7', '"id": 7, "options": {"decks": 8, "decks": 6}', "options: the key 'decks' occurs twice"),
        (
            '"id": 7',
            '"id": 7, "expected": {"outcome": "tie", "outcome": "banker"}',
            "expected: the key 'outcome' occurs",
        ),
        ('"id": 7', '"id": 7, "kind": "wagered", "kind": "wagered"', "the key 'kind' occurs twice"),
        ('"id": 7', '"id": 7, "must_hit": {"meter": 1, "meter": 2, "trigger": 5}', "the key 'meter' occurs twice"),
    ],
)
@pytest.mark.parametrize("form", ["{}\n", "[{}]"])
def test_a_record_with_a_key_that_stands_twice_is_not_settled(change: str, into: str, say: str, form: str) -> None:
    text = json.dumps(RECORD)
    assert change in text
    done = CliRunner().invoke(app, ["settle", "-"], input=form.replace("{}", text.replace(change, into, 1)))
    assert done.exit_code == 2, done.output
    assert say in " ".join(done.stderr.split())
    assert '"unreadable"' in done.stdout


def test_a_record_whose_texts_hold_colons_is_settled() -> None:
    text = json.dumps({**RECORD, "title": 'a ":" b', "kind": "wagered", "refs": ["x:y"], "options": {"decks": 8}})
    done = CliRunner().invoke(app, ["settle", "-"], input=text)
    assert done.exit_code == 0, done.output


def test_a_row_of_a_log_with_a_key_that_stands_twice_is_a_fault_of_that_row(tmp_path: Path) -> None:
    row = '{"shoe": 1, "round": 1, "player": "7c Qd", "banker": "9c Kd", "winner": "banker"}'
    twice = row.replace('"round": 1', '"round": 2').replace('"winner"', '"winner": "player", "winner"')
    wagers = row.replace('"round": 1', '"round": 3').replace(
        "}", ', "wagers": [{"seat": 1, "seat": 2, "wager": "banker", "stake": 25}]}'
    )
    log = tmp_path / "log.jsonl"
    log.write_text(f"{row}\n{twice}\n{wagers}\n")
    done = CliRunner().invoke(app, ["audit", str(log), "--submission", "ma-midi-4", "--json"])
    faults = json.loads(done.stdout)["faults"]
    assert [(fault["row"], fault["expected"]) for fault in faults] == [
        (2, "each key once in an object"),
        (3, "each key once in an object"),
    ]


def test_an_order_with_a_key_that_stands_twice_is_not_read() -> None:
    text = '{"order": [1, 2], "order": [2, 1]}\n'
    done = CliRunner().invoke(app, ["shuffle", "battery", "ma-midi-4", "--orders", "-"], input=text)
    assert done.exit_code == 2, done.output
    assert "occurs twice" in " ".join(done.stderr.split())
