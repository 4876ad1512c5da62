"""No file that a person can write ends in a traceback: each is read, or refused with the place and what is allowed."""

from __future__ import annotations

import copy
import datetime
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from baccarat.cli import app
from baccarat.law.edition import build, load_edition, register, shipped_editions
from baccarat.law.edition_file import OPTIONAL_SECTIONS, OTHER_WORDS, SECTIONS
from baccarat.law.error import InvalidSubmission, RulesError
from baccarat.law.rulebook import from_table, read_submission, rulebook, shipped_submissions
from edited_edition import NAME, own

pytestmark = pytest.mark.slow

GARBAGE: tuple[Any, ...] = (1.5, float("nan"), datetime.date(2026, 1, 1), 10**30, {}, [], [[{}]], "", 7, True)
LIBRARY = ("Expected `", "Object", "msgspec", "NoneType")
"""Words of the decoder, which are not ours."""
PATH = str | int

BYTES: list[tuple[str, bytes, str]] = [
    ("not UTF-8", b'title = "\xff"\n', "not UTF-8: byte 0xff at line 1"),
    ("another encoding", 'name = "é"\n'.encode("utf-16"), "not UTF-8: byte 0xff at line 1"),
    ("a key twice", b"a = 1\na = 2\n", "at line 2"),
    ("broken off", b'title = "abc\n', "at line 1"),
    ("broken off at the end", b"a = [1,\n", "at line 2, the end of the file"),
    ("too deep to read", b"a = " + b"[" * 5000 + b"]" * 5000 + b"\n", "nested too deeply"),
    ("too deep to use", b"a = " + b"[" * 30 + b"]" * 30 + b"\n", "nested too deeply"),
    ("thousands of digits", b"seats = " + b"9" * 5000 + b"\n", "not TOML"),
    (
        "a number beyond all tables",
        b"[limits]\nplayer = { min = 99999999999999999999 }\n",
        "limits.player.min: the number",
    ),
    ("a fraction", b"seats = 1.5\n", "seats: 1.5 is a fraction; expected a whole number"),
    ("not a number", b"seats = nan\n", "seats: nan is a fraction"),
    ("a date", b"seats = 2026-01-01\n", "seats: 2026-01-01 is a date or a time"),
    ("a date in a list", b"backs = [12:00:00]\n", "backs[0]: 12:00:00 is a date or a time"),
]


@pytest.mark.parametrize(("content", "say"), [each[1:] for each in BYTES], ids=[each[0] for each in BYTES])
@pytest.mark.parametrize("kind", ["edition", "submission"])
def test_a_file_that_cannot_be_read_is_refused_at_its_place(
    tmp_path: Path, kind: str, content: bytes, say: str
) -> None:
    path = tmp_path / "file.toml"
    path.write_bytes(content)
    with pytest.raises(RulesError) as refused:
        register(path) if kind == "edition" else rulebook(path)
    assert say in str(refused.value)
    assert str(path) in str(refused.value)


@pytest.mark.parametrize("kind", ["edition", "submission"])
def test_a_directory_a_missing_file_and_an_impossible_name_are_refused(tmp_path: Path, kind: str) -> None:
    hidden = tmp_path / "hidden.toml"
    hidden.touch()
    hidden.chmod(0)
    paths = [tmp_path, tmp_path / "none.toml", Path("a\0b.toml"), tmp_path / ("x" * 400 + ".toml")]
    for path in paths + ([hidden] if os.geteuid() else []):
        with pytest.raises(RulesError, match="cannot be read"):
            register(path) if kind == "edition" else rulebook(path)


def test_a_mark_at_the_beginning_of_a_file_is_no_part_of_it(tmp_path: Path) -> None:
    path = tmp_path / "submission.toml"
    path.write_bytes(b"\xef\xbb\xbf" + b'ruleset = "ma-midi-4"\nseats = "many"\n')
    with pytest.raises(InvalidSubmission) as refused:
        rulebook(path)
    assert refused.value.faults[0].where == "seats"


# ------------------------------------------------------------------------------- wrong values, everywhere


def places(node: Any, path: tuple[PATH, ...] = ()) -> Iterator[tuple[PATH, ...]]:
    """Every place of a table; of the rows of a list the first and the last, which stand for the others."""
    if path:
        yield path
    if isinstance(node, dict):
        for key, value in node.items():
            if path != () or key not in ("clause", "name"):
                yield from places(value, (*path, key))
    elif isinstance(node, list):
        for index in {0, len(node) - 1} if node else ():
            yield from places(node[index], (*path, index))


def with_value(node: Any, path: tuple[PATH, ...], value: Any) -> Any:
    """A table with another value at a place; only what leads to that place is copied."""
    if not path:
        return copy.deepcopy(value)
    changed = copy.copy(node)
    changed[path[0]] = with_value(node[path[0]], path[1:], value)
    return changed


def put(table: dict[str, Any], path: tuple[PATH, ...], value: Any) -> None:
    """Write a value at a place."""
    node: Any = table
    for step in path[:-1]:
        node = node[step]
    node[path[-1]] = copy.deepcopy(value)


def refused_or_fine(table: dict[str, Any]) -> bool:
    """Whether a table is refused in our words, with a place; anything else that is not an edition fails."""
    try:
        build(table)
    except RulesError as error:
        say = str(error).removeprefix(f"{NAME}: ")
        assert not any(word in say for word in LIBRARY), say
        first = say.partition(":")[0].partition(".")[0].partition("[")[0].partition(" ")[0]
        assert first in {*SECTIONS, *OPTIONAL_SECTIONS, *OTHER_WORDS, *table}, say
        return True
    return False


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped_editions())
def test_whatever_stands_at_any_place_of_an_edition_is_taken_or_refused(name: str) -> None:
    refused = 0
    table = own(name)
    for number, path in enumerate(places(table)):
        refused += refused_or_fine(with_value(table, path, GARBAGE[number % len(GARBAGE)]))
    assert refused > 300


TAKEN = (("revision", 3),)


def refusal(table: dict[str, Any]) -> str | None:
    """Why an edition is refused; nothing if it is taken."""
    try:
        build(table)
    except RulesError as error:
        return str(error)
    return None


@pytest.mark.parametrize("name", shipped_editions())
def test_a_section_of_another_form_is_refused_by_its_name(name: str) -> None:
    for word in own(name):
        others: tuple[Any, ...] = (3, "text", [3], [[]], {"a": 3}, {"a": {"b": []}}, True)
        for value in others:
            table = own(name)
            if word in ("jurisdiction", "title", "name", "clause", "physical") and value in ("text", {"a": 3}):
                continue
            table[word] = value
            say = refusal(table)
            assert (say is None and (word, value) in TAKEN) or (say is not None and word in say), (word, value, say)


@pytest.mark.parametrize("name", shipped_submissions())
def test_whatever_stands_at_any_place_of_a_submission_is_taken_or_refused(name: str) -> None:
    table = read_submission(name)
    known = {*table, *load_edition(table["ruleset"]).options}
    for path in places(table):
        for value in GARBAGE:
            try:
                from_table(with_value(table, path, value))
            except InvalidSubmission as error:
                for fault in error.faults:
                    assert re.split(r"[.\[ ]", fault.where)[0] in known, fault
                    assert not any(word in str(fault) for word in LIBRARY), fault
            except RulesError:
                assert path[0] == "ruleset"


SAYS: list[tuple[str, tuple[PATH, ...], Any, str]] = [
    ("ma-midi-4", ("cut",), {}, "cut: 'cite' is missing: a list, each of its entries a text that is not empty"),
    ("ma-midi-4", ("cut", "at_least"), "52", "cut.at_least: '52' is not a whole number"),
    ("ma-midi-4", ("cut", "at_lest"), 52, "cut.at_lest: no such key here; did you mean 'at_least'?"),
    ("ma-midi-4", ("cut", "start"), "hihgest", "cut.start: 'hihgest' is not allowed; expected 'highest'; did you mean"),
    ("ma-midi-4", ("settlement", "sweeps", 0, 0), "pays", "settlement.sweeps[0][0]: 'pays' is not allowed; expected"),
    ("ma-midi-4", ("wager", "tie", "rules", 0, "result"), "won", "wager.tie.rules[0].result: 'won' is not win"),
    ("ma-midi-4", ("wager", "tie", "rules", 0), 7, "wager.tie.rules[0]: 7 is not a table"),
    ("ma-midi-4", ("option", "decks", "applies"), {"ez": {}}, "option.decks.applies.ez: an empty table is not a"),
    ("ma-midi-4", ("option", "decks", "at_least"), "six", "option.decks.at_least: 'six' is not a whole number"),
    ("ma-midi-4", ("option", "decks", "part"), "felt", "option.decks.part: 'felt' is not allowed; expected one of"),
    ("ma-midi-4", ("error_card", "seen", "fixed"), "burn", "error_card.seen.fixed: 'burn' is not allowed"),
    ("ma-midi-4", ("face_up",), [], "face_up: an empty list is not a table with cite"),
    ("ma-midi-4", ("step", 4), "wash", "step[4]: 'wash' is not a table with cite, name"),
    ("ma-midi-4", ("cut", "cite"), [], "cut.cite: is empty; expected a list"),
    ("ma-midi-4", ("burn", "value", 1, "value"), "ten", "burn.value[1].value: 'ten' is not 'face' or a whole number"),
    ("nj-punto-banco", ("settlement", "procedure", "1", "sweeps"), 1, "settlement.procedure.1.sweeps: 1 is not a list"),
    ("ma-midi-1", ("royal9", "chairs", "2", "suits"), 5, "royal9.chairs.2.suits: 5 is not a text"),
    ("ma-midi-1", ("royal9", "meter", 0, "seed", "1"), "x", "royal9.meter[0].seed.1: 'x' is not a whole number"),
    ("ma-midi-4", ("record", "seats"), 0, "record.seats: 0 is not a whole number of at least 1"),
    ("ma-midi-4", ("clause", "12(b)"), "", "clause.12(b): '' is not a text that is not empty"),
    ("ma-midi-4", ("name",), "two words", "name: 'two words' cannot be cited; expected a word without spaces"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "path", "value", "say"), SAYS, ids=[each[3][:50] for each in SAYS])
def test_what_does_not_fit_is_refused_in_our_words_with_what_is_allowed(
    name: str, path: tuple[PATH, ...], value: Any, say: str
) -> None:
    table = own(name)
    put(table, path, value)
    with pytest.raises(RulesError) as refused:
        build(table)
    assert say in str(refused.value)


@pytest.mark.parametrize(("signs", "shown"), [(58, f"'{'x' * 58}'"), (59, f"'{'x' * 56}…"), (10**5, f"'{'x' * 56}…")])
def test_a_value_that_does_not_fit_is_shown_in_at_most_sixty_characters(signs: int, shown: str) -> None:
    with pytest.raises(InvalidSubmission) as refused:
        rulebook("ma-midi-4", seats="x" * signs)
    assert [fault.say.partition(" is not ")[0] for fault in refused.value.faults] == [shown]


SUBMITTED: list[tuple[str, Any, str, str]] = [
    ("seats", "nine", "seats", "'nine' is not a whole number from 0 to 99"),
    ("seats", 100, "seats", "100 is not a whole number from 0 to 99"),
    ("decks", 1001, "decks", "1001 is not a whole number from 0 to 1000"),
    ("backs", "blue", "backs", "'blue' is not a list, each of its entries a text"),
    ("backs", [3], "backs[0]", "3 is not a text"),
    ("ez", "yes", "ez", "'yes' is not true or false"),
    ("limits", {"player": {"min": 100}}, "limits.player", "'max' is missing: a whole number from 1 to"),
    ("limits", {"player": {"min": 100, "max": 100, "incr": 100}}, "limits.player.incr", "did you mean 'increment'?"),
    ("limits", {"player": {"min": "$5.5", "max": 1, "increment": 1}}, "limits.player.min", "not a sum of money"),
    ("limits", {"player": {"min": "five", "max": 1, "increment": 1}}, "limits.player.min", "'five' is not a"),
    ("limits", 5, "limits", "5 is not a table, each of its values a table with min, max, increment"),
    ("must_hit", {"start": 0, "ceiling": 1, "contribution": 0}, "must_hit.start", "0 is not a whole number from 1 to"),
    ("house_money_portion", [1], "house_money_portion", "a list is not a list of 2: a whole number, a whole number"),
    ("tie_odds", [8], "tie_odds", "a list is not a whole number or a text"),
]  # fmt: skip


@pytest.mark.parametrize(("key", "value", "where", "say"), SUBMITTED, ids=[f"{e[0]} {e[3][:40]}" for e in SUBMITTED])
def test_an_election_that_does_not_fit_is_refused_in_our_words(key: str, value: Any, where: str, say: str) -> None:
    with pytest.raises(InvalidSubmission) as refused:
        rulebook("ma-midi-4-royal9", **{key: value})
    faults = {fault.where: fault.say for fault in refused.value.faults}
    assert say in faults[where]


def test_a_key_that_is_no_text_is_no_option() -> None:
    keys: dict[Any, Any] = {**read_submission("ma-midi-4"), 3: True}
    with pytest.raises(InvalidSubmission, match="3: not the name of an option; allowed: an option of this edition"):
        from_table(keys)


# --------------------------------------------------------------------------------------------- the verbs

VERBS = (
    ["rules", "check", "FILE"], ["deal", "FILE", "2s", "3h", "Ad", "Jd"], ["price", "FILE"], ["play", "FILE", "--auto"],
    ["rules", "show", "ma-midi-4", "--edition", "FILE"], ["rules", "diff", "ma-midi-3", "ma-midi-4", "--edition=FILE"],
    ["rules", "coverage", "ma-midi-4", "--edition", "FILE"], ["settle", "FILE"], ["run", "FILE"],
    ["rules", "list", "--edition", "FILE"], ["compare", "FILE", "ma-midi-4"], ["transcript", "FILE"],
)  # fmt: skip


@pytest.mark.parametrize("words", VERBS, ids=[" ".join(words[:2]) for words in VERBS])
def test_no_verb_answers_a_bad_file_with_a_traceback(tmp_path: Path, words: list[str]) -> None:
    contents = [content for _, content, _ in BYTES] + [b"", b"\0", b"{}", b"[]\n", b'{"a": [}', b"ruleset = 3\n"]
    for number, content in enumerate(contents):
        path = tmp_path / f"{number}.toml"
        path.write_bytes(content)
        result = CliRunner().invoke(app, [word.replace("FILE", str(path)) for word in words])
        assert result.exception is None or isinstance(result.exception, SystemExit | RulesError), (content, result)
    result = CliRunner().invoke(app, [word.replace("FILE", str(tmp_path)) for word in words])
    assert isinstance(result.exception, SystemExit | RulesError), result
