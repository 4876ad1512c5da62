"""Every field of every record: whoever changes one, and makes all hashes anew, is found out by the audit.

Here a few records of each journal are forged in every field; `tools/forge_journals.py` does all of them.
"""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

import golden_journals
from baccarat.audit.journal import JournalAudit
from baccarat.engine.redecide import OTHER_RULES, OTHER_VERSION
from baccarat.law.rulebook import rulebook, shipped_submissions
from baccarat.play.refusal import Refused
from baccarat.record.canonical import canonical
from baccarat.record.journal import BODY_START
from baccarat.table.actor import Actor
from baccarat.table.base import Accepted, Command
from baccarat.table.machine import BEHAVIOUR, Table
from field_forgery import (
    FREE,
    FREE_IN_COMMANDS,
    FREE_WITHOUT_A_HOUSE,
    changed_bodies,
    forged_at,
    ignored_fields,
    is_clean,
    put,
    unnoticed,
    why_free,
)
from house_journal import form_journal, house_journal
from kept import short_journal
from table_attack import campaign, varied
from table_stories import STORIES

SAMPLE = 4


def golden(name: str) -> list[bytes]:
    """The lines of a golden journal."""
    return golden_journals.path_of(name).read_bytes().splitlines(keepends=True)


def body_of(line: bytes) -> Any:
    """The entry of a line, as plain data."""
    return msgspec.json.decode(line[BODY_START:-2])


@pytest.mark.slow
@pytest.mark.parametrize("name", golden_journals.names())
def test_no_field_of_a_golden_journal_changes_unnoticed(name: str) -> None:
    lines = golden(name)
    chosen = [0, *random.Random(name).sample(range(1, len(lines)), SAMPLE)]
    assert [(index + 1, path) for index, path, _ in unnoticed(lines, chosen)] == []


@pytest.mark.slow
def test_no_field_of_a_house_journal_changes_unnoticed() -> None:
    lines = form_journal()
    assert [(index + 1, path) for index, path, _ in unnoticed(lines)] == []
    lines = house_journal()
    openings = [index for index, line in enumerate(lines) if b'"program":' in line[:200]]
    chosen = [*openings, *random.Random("house").sample(range(1, len(lines)), 3 * SAMPLE)]
    assert [(index + 1, path) for index, path, _ in unnoticed(lines, chosen)] == []


def first(lines: list[bytes], *texts: bytes) -> int:
    """The index of the first line that holds all of these texts."""
    return next(index for index, line in enumerate(lines) if all(text in line for text in texts))


@pytest.mark.parametrize(
    ("texts", "path", "value", "kind"),
    [
        ((b'"joined":{"link main":',), ("joined", "link main"), 99, "other_stream"),
        ((b'"do":"link_tables"',), ("joined", "table T2"), 99, "other_stream"),
        ((b'"do":"void_form"',), ("joined", "forms"), 7, "other_stream"),
        ((b'"do":"void_form"',), ("command", "copies"), 3, "other_events"),
        ((b'"do":"buy_in"',), ("joined",), {"cage": 1}, "other_stream"),
        ((b'"stream":"cage"', b'"program"'), ("rulebook",), "0" * 64, OTHER_RULES),
        ((b'"stream":"link main"', b'"program"'), ("behaviour",), BEHAVIOUR + 1, OTHER_VERSION),
        ((b'"stream":"pit A"', b'"do":"open_table"'), ("behaviour",), BEHAVIOUR + 1, OTHER_VERSION),
        ((b'"stream":"cage"', b'"do":"open_tray"'), ("rulebook",), "0" * 64, OTHER_RULES),
        ((b'"stream":"link main"', b'"cause"'), ("rulebook",), "0" * 64, OTHER_RULES),
        ((b'"stream":"link main"', b'"cause"'), ("role",), "dealer", "chain"),
        ((b'"stream":"link main"', b'"cause"'), ("joined",), {"cage": 1}, "chain"),
        ((b'"do":"draw_card"',), ("command", "seat"), 4, "other_refusal"),
        ((b'"do":"give_notice"',), ("origin",), "link", "chain"),
    ],
    ids=lambda value: "" if not isinstance(value, tuple) else ".".join(map(str, value))[:40],
)
@pytest.mark.slow
def test_what_nobody_compared_is_compared(
    texts: tuple[bytes, ...], path: tuple[str, ...], value: object, kind: str
) -> None:
    lines = form_journal() if b"void_form" in texts[0] else house_journal()
    index = first(lines, *texts)
    audit = JournalAudit()
    forged = forged_at(lines, index, canonical(put(body_of(lines[index]), path, value)))
    audit.lines(enumerate(forged, start=1), file="journal")
    found = audit.report().findings[0]
    assert (found.kind, found.line) == (kind, index + 1), found


@pytest.mark.parametrize("stream", ["cage", "pit A", "link main", "forms"])
def test_a_book_is_opened_under_the_rules_of_its_house(stream: str) -> None:
    """A Submission that is sound, with its own hash, and yet not the one that holds there."""
    lines, other = form_journal() if stream == "forms" else house_journal(), rulebook("ma-midi-4")
    index = first(lines, f'"stream":"{stream}"'.encode(), b'"program"')
    body = body_of(lines[index]) | {"rulebook": other.hash, "submission": dict(other.submission)}
    audit = JournalAudit()
    audit.lines(enumerate(forged_at(lines, index, canonical(body)), start=1), file="journal")
    found = audit.report().findings[0]
    assert (found.kind, found.line, found.stream) == (OTHER_RULES, index + 1, stream)


def test_a_table_alone_follows_nobody() -> None:
    """Events that are said to follow from another stream would be believed, where that stream is not at hand."""
    lines = short_journal().splitlines(keepends=True)
    index = first(lines, b'"do":"buy_in"')
    body = body_of(lines[index])
    for name in ("command", "who", "role"):
        del body[name]
    body |= {"cause": {"seq": 1, "stream": "link main"}}
    audit = JournalAudit()
    audit.lines(enumerate(forged_at(lines, index, canonical(body)), start=1), file="journal")
    found = audit.report().findings[0]
    assert (found.kind, found.line) == ("no_command", index + 1)


def test_events_of_a_followed_record_that_cannot_be_read_are_a_finding() -> None:
    lines = house_journal()
    index = first(lines, b'"cause":', b'"stream":"table T1"')
    body = put(body_of(lines[index]), ("events", 0, "event"), "nothing_known")
    audit = JournalAudit()
    audit.lines(enumerate(forged_at(lines, index, canonical(body)), start=1), file="journal")
    assert audit.report().findings[0].line == index + 1


@pytest.mark.slow
def test_what_is_said_to_be_free_is_free() -> None:
    """A field that an audit does find has no place in the list."""
    lines, still = golden("nj-punto-banco"), set(FREE)
    for index, line in enumerate(lines[:60]):
        for path, body in changed_bodies(line[BODY_START:-2]):
            if path[:1] in still and is_clean(forged_at(lines, index, body)):
                still.discard(path[:1])
    assert still == set()


def watched(monkeypatch: pytest.MonkeyPatch, most: int) -> set[tuple[str, str]]:
    """The fields of commands that change nothing, gathered while tables are played; each command so many times."""
    found, times, do = set[tuple[str, str]](), dict[str, int](), Table.do

    def watching(self: Table, command: Command, actor: Actor | None = None) -> Accepted | Refused:
        rules, state, before, by = self.rules, self.state, self.log[:], actor or self.usual_actor(command)
        outcome = do(self, command, by)
        times[command.name] = times.get(command.name, 0) + isinstance(outcome, Accepted)
        if isinstance(outcome, Accepted) and times[command.name] <= most:
            at = lambda number: before[number] if 0 <= number < len(before) else None  # noqa: E731
            found.update((command.name, field) for field, _ in ignored_fields(rules, state, command, by, at))
        return outcome

    monkeypatch.setattr(Table, "do", watching)
    return found


@pytest.mark.slow
def test_no_command_has_a_field_that_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the stories of all irregularities, and at tables that are attacked."""
    found = watched(monkeypatch, 40)
    for story in STORIES[::5]:
        story.tell(story.edition, story.elections)
    for number, name in enumerate(shipped_submissions()):
        campaign(varied(name, number), number, events=300)
    assert found <= {*FREE_IN_COMMANDS, *FREE_WITHOUT_A_HOUSE}, "no house is there"


def test_a_free_field_has_a_reason() -> None:
    assert why_free({"command": {"do": "draw_card"}}, ("command", "seat")) == ""
    assert why_free({"command": {"do": "draw_card"}, "refused": {}}, ("command", "seat"))
    number = {"command": {"do": "place_wager"}}, ("command", "coupon_number")
    assert why_free(*number, in_house=False)
    assert why_free(*number, in_house=True) == "", "the coupon book is compared with it"
    reasons = (*FREE.values(), *FREE_IN_COMMANDS.values(), *FREE_WITHOUT_A_HOUSE.values())
    assert all(len(why) > 20 for why in reasons)
