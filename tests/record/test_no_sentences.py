"""No sentence is in a record: events and refusals hold names and numbers, and words are made when they are told."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from baccarat.play import refusal_text
from baccarat.play.refusal import RefusalCode, RefusalNote, Refused, make_refusal
from baccarat.record.canonical import canonical
from baccarat.record.entry import read_refusal, written_refusal
from baccarat.record.wire import read_refused, write_refused
from baccarat.table.step.loading import CoverCardPlaced
from baccarat.table.story import tell
from paths import ROOT
from table_stories import STORIES

SOURCE = ROOT / "src" / "baccarat"
CITATIONS = {"cites", "return_cites"}
CALLS = {"calls", "say"}
"""What a dealer says, word for word as the document has it."""
SAID = {
    "reason",
    "why_not_signed",
    "stated_by",
    "pit_boss",
    "pit_clerk",
    "value",
    "set_id",
    "table",
    "shoe",
    "link",
    "requester",
    "approver",
    "who",
    "by",
    "dealer",
    "patron",
}
"""What came in with a command: remarks and names, which are ids where a journal is kept, and names of things."""
ROLES = {"pit boss", "pit clerk", "casino supervisor", "cage cashier"}
SUBJECTS = [story for story in STORIES if story.edition in ("ma-midi-4", "nj-punto-banco")][::3]


def sentences(value: Any, field: str = "") -> Iterator[tuple[str, str]]:
    """Every text of more than one word in a value of JSON, with the field in which it stands."""
    match value:
        case str() if " " in value and value not in ROLES:
            yield field, value
        case dict():
            for name, part in value.items():
                yield from sentences(part, name)
        case list():
            for part in value:
                yield from sentences(part, field)


@pytest.mark.slow
@pytest.mark.parametrize("story", SUBJECTS, ids=lambda story: story.path.stem)
def test_the_events_of_a_story_hold_no_sentence(story: Any) -> None:
    for event in story.tell(story.edition, story.elections).table.log:
        plain = msgspec.json.decode(canonical(event))
        plain.pop("submission", None)
        found = [each for each in sentences(plain) if each[0] not in CITATIONS | CALLS | SAID]
        assert not found, f"{plain['event']}: {found}"


def test_a_sentence_in_an_event_would_be_found() -> None:
    plain = {"event": "cover_card_placed", "warnings": ["13 behind: practice is 14"], "by": "pit boss"}
    assert list(sentences(plain)) == [("warnings", "13 behind: practice is 14")]


# -------------------------------------------------------------------------------- parameters of refusals

MAKERS = {"refuse", "_refuse", "make_refusal", "house_refuse", "Why", "RefusalNote", "ShuffleFault", "form_note"}
NOT_KEPT = {("record.py", "faults")}
"""What is refused when rounds are read from a file stands in no journal."""


def phrases(function: ast.FunctionDef) -> Iterator[tuple[int, str, str]]:
    """The parameters of a function's refusals that hold English: words with a space between them, other than a list."""
    assigned: dict[str, list[ast.expr]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    assigned.setdefault(target.id, []).append(node.value)
    for call in ast.walk(function):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id not in MAKERS:
            continue
        given = [(word.arg, word.value) for word in call.keywords if word.arg]
        for part in call.args:
            if isinstance(part, ast.Dict):
                given += [(ast.unparse(key), each) for key, each in zip(part.keys, part.values, strict=True) if key]
        for name, value in given:
            for found in [value, *(assigned.get(value.id, []) if isinstance(value, ast.Name) else [])]:
                for node in ast.walk(found):
                    if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value != ", ":
                        yield call.lineno, name, ast.unparse(found)


@pytest.mark.slow
def test_no_parameter_of_a_refusal_is_put_together_in_english() -> None:
    found = []
    called = set[str]()
    for folder in ("play", "table", "house"):
        for path in sorted((SOURCE / folder).rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            called |= {
                node.func.id
                for node in ast.walk(tree)
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            }
            for function in ast.walk(tree):
                if isinstance(function, ast.FunctionDef):
                    found += [(path.name, *each) for each in phrases(function) if (path.name, each[1]) not in NOT_KEPT]
    assert not found
    assert called >= MAKERS, "a maker of refusals has another name now"


@pytest.mark.parametrize("built", ['f"seat {x} owes"', '" or ".join(x)', '"the dealer"'])
def test_english_in_a_parameter_is_found_out(built: str) -> None:
    for text in (
        f"def f(x):\n refuse(r, c, 'w', who={built})",
        f"def f(x):\n s = {built}\n RefusalNote('w', {{'who': s}})",
    ):
        function = ast.parse(text).body[0]
        assert isinstance(function, ast.FunctionDef)
        assert list(phrases(function))


def test_sentences_within_a_sentence_are_kept_as_names_and_told_anew() -> None:
    notes = (
        RefusalNote("tray_not_counted", {"table": "T1"}),
        RefusalNote("round_in_play", {"table": "T2", "round": 3}),
    )
    one = make_refusal(RefusalCode.INCOMPLETE, "day_kept_open", (), found=notes)
    assert one.say == (
        "the tray of T1 has not been counted since its last chips moved; T2 is in the middle of round 3"
    )  # fmt: skip
    assert read_refusal(written_refusal(one)) == one
    assert read_refused(msgspec.to_builtins(write_refused(one))) == one
    assert msgspec.json.decode(msgspec.json.encode(one), type=Refused) == one
    assert b"counted since" not in written_refusal(one)


def test_rewording_a_warning_changes_no_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    event = CoverCardPlaced(behind=13, warnings=(RefusalNote("another_depth_is_filed", {"filed": 14}),))
    before = canonical(event)
    assert tell(event) == "The cover card goes in, 13 cards behind it (note: 14 are filed)."
    monkeypatch.setitem(refusal_text.SENTENCES, "another_depth_is_filed", "{filed} sont déposées")
    assert tell(event) == "The cover card goes in, 13 cards behind it (note: 14 sont déposées)."
    assert canonical(event) == before
    assert msgspec.json.decode(before, type=CoverCardPlaced) == event
