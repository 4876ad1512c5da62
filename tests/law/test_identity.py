"""Identity: a rulebook's hash covers what its law says; the same rules are one object, and are opened once."""

from __future__ import annotations

import copy
import gc
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from baccarat import rulebook
from baccarat.law.edition import Edition, build, load_edition, read_table, shipped_editions
from baccarat.law.rulebook import Rulebook, from_record, from_table, read_submission, shipped_submissions
from baccarat.law.shipped_file import shipped_table
from baccarat.play.book import open_book
from baccarat.play.wager.royal9 import progressive
from baccarat.table.base import table_rules
from paths import DATA

PINS: dict[str, dict[str, str]] = json.loads((Path(DATA) / "editions.json").read_text(encoding="utf-8"))
Table = dict[str, Any]


@pytest.mark.parametrize("name", shipped_editions())
def test_the_law_of_a_revision_never_changes(name: str) -> None:
    """A change in law is a new revision; python tools/pins.py then pins it."""
    edition = load_edition(name)
    assert PINS[name].get(str(edition.revision)) == edition.content, (
        f"{name}: what revision {edition.revision} says has changed: raise `revision` and run tools/pins.py"
    )
    assert len(set(PINS[name].values())) == len(PINS[name]), "each revision says something new"


def reworded(change: Callable[[Table], object], name: str = "ma-midi-4") -> Edition:
    table = copy.deepcopy(read_table(name))
    change(table)
    return build(table)


def dearer(table: Table) -> None:
    table["pays"]["dragon7"]["shall"] = "30 to 1"


def third_card(table: Table) -> None:
    row = next(row for row in table["tableau"] if row["hand"] == "player" and row["act"] == "draw")
    row["cite"] = "10(b)(2)"


def tie_floor(table: Table) -> None:
    table["pays"]["tie"]["at_least"] = "9 to 1"
    table["option"]["tie_odds"]["at_least"] = 9
    table["record"]["options"]["tie_odds"] = 9


@pytest.mark.parametrize("change", [dearer, third_card, tie_floor])
def test_another_law_has_another_content_and_another_hash(change: Callable[[Table], None]) -> None:
    other, own = reworded(change), load_edition("ma-midi-4")
    assert other.content != own.content
    assert from_record(other, {}).hash != from_record(own, {}).hash


def test_dragon_7_at_30_to_1_is_not_dragon_7_at_40() -> None:
    own, other = load_edition("ma-midi-4"), reworded(dearer)
    assert own.revision == other.revision
    assert from_record(own, {"ez": True}).hash != from_record(other, {"ez": True}).hash


def test_words_of_ours_are_no_law() -> None:
    def put_better(table: Table) -> None:
        table["title"] = "Fourth edition"
        table["option"]["ez"]["description"] = "EZ Baccarat is played"
        table["wager"]["tie"]["title"] = "The Tie"
        table["physical"] = {}
        table["record"]["seats"] = 5

    assert reworded(put_better).content == load_edition("ma-midi-4").content


def test_keys_in_another_order_say_the_same_and_steps_do_not() -> None:
    def turned(table: Table) -> None:
        for key in list(table):
            value = table.pop(key)
            table[key] = dict(reversed(value.items())) if isinstance(value, dict) else value

    assert reworded(turned).content == load_edition("ma-midi-4").content

    def calls_turned(table: Table) -> None:
        table["call"].reverse()

    assert reworded(calls_turned).content != load_edition("ma-midi-4").content


def test_editions_and_submissions_all_differ() -> None:
    assert len({load_edition(name).content for name in shipped_editions()}) == len(shipped_editions())
    assert len({rulebook(name).hash for name in shipped_submissions()}) == len(shipped_submissions())


def test_a_default_that_is_stated_changes_no_hash() -> None:
    plain = rulebook("ma-midi-4")
    key, option = next((k, o) for k, o in plain.edition.options.items() if o.default and k not in plain.stated)
    assert rulebook("ma-midi-4", **{key: option.default}).hash == plain.hash


# ------------------------------------------------------------------------------------------------ one and the same


def test_the_same_rules_are_one_object() -> None:
    for name in shipped_submissions():
        assert rulebook(name) is rulebook(name)
        assert from_table(read_submission(name)) is rulebook(name)
    changed = rulebook("ma-midi-4", decks=6)
    assert changed is rulebook("ma-midi-4", decks=6)
    assert changed is not rulebook("ma-midi-4")
    assert rulebook("ma-midi-4", seats=7) is not rulebook("ma-midi-4", seats=8)


def test_a_caller_may_change_the_table_of_a_shipped_submission_and_changes_only_its_own() -> None:
    for name in shipped_submissions():
        as_shipped = shipped_table("submissions", f"{name}.toml")
        table = read_submission(name)
        assert table == as_shipped
        table["limits"].clear()
        table["decks"] = 0
        rulebook(name).submission["limits"].clear()
        assert read_submission(name) == as_shipped
        assert from_table(read_submission(name)) is rulebook(name)


def test_rules_of_an_edition_that_was_read_anew_are_others() -> None:
    """The same name and the same words, but another reading of the file: nothing is mixed."""
    again, own = reworded(lambda _: None), load_edition("ma-midi-4")
    assert from_record(again, {}).hash == from_record(own, {}).hash
    assert from_record(again, {}).edition is again


def rulebooks(count: int) -> list[Rulebook]:
    """So many rulebooks that differ in the maximum of one wager."""
    base = read_submission("ma-midi-4-royal9")
    made = []
    for number in range(count):
        limits = {**base["limits"], "player": {**base["limits"]["player"], "max": f"${5_000 + 100 * number}.00"}}
        made.append(rulebook({**base, "limits": limits}))
    return made


@pytest.mark.slow
def test_no_table_is_opened_twice_however_many_rulebooks_there_are() -> None:
    many = rulebooks(300)
    assert len({each.hash for each in many}) == 300
    first = [(open_book(each), table_rules(each), progressive(each)) for each in many]
    assert len({id(book) for book, _, _ in first}) == 300
    for _ in range(2):
        for each, (book, rules, progress) in zip(many, first, strict=True):
            assert open_book(each) is book
            assert table_rules(each) is rules
            assert progressive(each) is progress
            assert rules.book is book


@pytest.mark.slow
def test_a_rulebook_that_nobody_uses_is_forgotten() -> None:
    from baccarat.law import rulebook as module  # noqa: PLC0415

    rulebook("ma-midi-4", seats=3)
    gc.collect()
    before = len(module._known)
    held = [rulebook("ma-midi-4", seats=seats) for seats in (4, 5, 6)]
    for each in held:
        open_book(each)
        table_rules(each)
    assert len(module._known) == before + 3
    held.clear()
    del each
    gc.collect()
    assert len(module._known) == before
