"""The directory: no person's name and no remark is in a record; ids stand for them, and what is erased is gone."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import msgspec
import pytest

from baccarat.engine.journaled_table import JournaledTable
from baccarat.house.book import HouseCommand
from baccarat.house.registry import book_of
from baccarat.house.stream import Stream
from baccarat.law.rulebook import rulebook
from baccarat.record.directory import Directory, DirectoryEntry, UnreadableDirectory, directory_path, holds_words
from baccarat.record.journal import JournalLine
from baccarat.record.journal_file import JournalFile, JournalStopped
from baccarat.table.actor import Actor, Approval, Envelope, Origin
from baccarat.table.base import Accepted
from baccarat.table.bounds import Contributed, Hash, Words, without_meaning
from baccarat.table.dealers import ComeOn
from baccarat.table.registration import kinds_of
from baccarat.table.registry import HANDLERS
from baccarat.table.role import Role
from baccarat.table.seating_acts import BuyIn, Leave, Sit
from baccarat.table.step.abandoning import AbandonShoe
from baccarat.table.vigorish_debt import DocumentVigorish
from baccarat.table.vigorish_form import ComplimentaryForm
from house_books import open_table, opened_house
from journaled_house import JournaledHouse
from kept import first_fault

RULES = rulebook("ma-midi-4")
PERSONS = {"person", "instead_of", "patron", "dealer", "pit_boss", "pit_clerk", "stated_by", "who"}
REMARKS = {"reason", "why_not_signed", "lost"}
LABELS = {
    *("act", "code", "link", "meter", "meters", "name", "not_reached", "option", "pit", "ruleset", "salt", "set_id"),
    *("key", "log", "note"),
    *("shoe", "stated", "steps", "submission", "table", "tables", "to", "what", "witnesses", "won", "changes"),
}


def texts(kind: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Every text within a type, with the name of the field that holds it and the bounds and marks upon it."""
    origin, inner = get_origin(kind), get_args(kind)
    if (origin is Annotated and get_args(kind)[0] is str) or kind is str:
        yield name, kind
    elif origin is Annotated:
        yield from texts(inner[0], name)
    elif origin in (UnionType, Union, tuple, dict):
        for part in inner:
            if part not in (NoneType, Ellipsis):
                yield from texts(part, name)
    elif isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        for field in msgspec.structs.fields(kind):
            yield from texts(field.type, field.name)


BOOKS = [
    book_of(stream)
    for stream in (
        Stream("house"),
        Stream("cage"),
        Stream("forms"),
        Stream("coupons"),
        Stream("players"),
        Stream("day"),
        Stream("pit 1"),
        Stream("link 1"),
    )
]
COMMANDS = [*HANDLERS, *(kind for book in BOOKS if book is not None for kind in book.handlers)]


def test_every_book_of_the_house_is_looked_at() -> None:
    assert None not in BOOKS
    assert {kind for kind in COMMANDS if issubclass(kind, HouseCommand)} == kinds_of(HouseCommand)


@pytest.mark.parametrize("kind", [*COMMANDS, Actor], ids=lambda kind: kind.__name__)
def test_every_text_of_a_command_is_known_to_be_a_label_a_person_or_a_remark(kind: type[msgspec.Struct]) -> None:
    for name, found in texts(kind, ""):
        if without_meaning(found) in (Hash, Contributed):
            continue  # digits, and what goes into an order as it is
        marks = [each for each in get_args(found)[1:] if isinstance(each, Words)]
        expected = Words.PERSON if name in PERSONS else Words.REMARK if name in REMARKS else Words.LABEL
        assert marks == [expected], f"{kind.__name__}.{name}"
        assert name in PERSONS | REMARKS | LABELS, f"{kind.__name__}.{name}: say in this test what it is"


def test_two_ways_to_write_a_name_are_one_person_and_two_directories_share_no_id() -> None:
    names = Directory()
    one = names.id_of(Words.PERSON, "Ann  Quintrell")
    assert one == names.id_of(Words.PERSON, "ANN QUINTRELL")
    assert one != names.id_of(Words.PERSON, "Ann Other")
    assert one != Directory().id_of(Words.PERSON, "Ann  Quintrell"), "every id has a salt of its own"
    assert names.id_of(Words.REMARK, "Ann  Quintrell") != one, "a remark is no person"
    assert names.id_of(Words.REMARK, "ann quintrell") != names.id_of(Words.REMARK, "Ann  Quintrell"), "as it was said"


@pytest.mark.parametrize("said", ["dealer", "pit boss 2", "seat 3", "p3", "company 12", "you", "", "  "])
def test_words_that_name_nobody_stay(said: str) -> None:
    names = Directory()
    assert names.id_of(Words.PERSON, said) == said
    assert names.entries == ()


def test_a_role_is_one_person_however_it_is_written() -> None:
    assert Directory().id_of(Words.PERSON, "Pit  Boss") == "pit boss"


def test_an_id_stays_an_id() -> None:
    names = Directory()
    once = names.id_of(Words.PERSON, "Ann Quintrell")
    assert names.id_of(Words.PERSON, once) == once
    account = "01890A5D-AC96-774B-BCCE-B302099A8057"
    assert names.id_of(Words.PERSON, account) == account.lower()
    assert len(names.entries) == 1


def test_a_link_keeps_its_name_and_its_approvers_do_not() -> None:
    approval = Approval("Ann Quintrell", Role.FLOORPERSON, "show_meters")
    actor = Directory().hide_actor(Actor(who="star", origin=Origin.LINK, approvals=(approval,)))
    assert actor.who == "star"
    assert actor.approvals[0].who.startswith("person-")


def test_a_form_is_hidden_whole() -> None:
    form = ComplimentaryForm(
        serial=1,
        amount=500,
        patron="Ann Quintrell",
        dealer="Bea Quintrell",
        pit_boss="Cid Quintrell",
        pit_clerk="pit clerk",
        why_not_signed="Ann Quintrell had left",
        stated_by="bea quintrell",
    )
    names = Directory()
    hidden = names.hide(DocumentVigorish(seat=1, form=form)).form
    assert hidden.dealer == hidden.stated_by
    assert hidden.pit_clerk == "pit clerk"
    assert "quintrell" not in str(msgspec.to_builtins(hidden)).lower()
    assert names.fill_names(hidden.why_not_signed) == "Ann Quintrell had left"
    assert names.fill_names(f"{hidden.patron}, {hidden.pit_boss}.") == "Ann Quintrell, Cid Quintrell."


def kept(path: Path, names: Directory) -> JournaledTable[JournalFile]:
    """A table that keeps a journal with a directory."""
    file = JournalFile(path, sync=False)
    assert not list(file.open())
    return JournaledTable.begin(RULES, file, Stream("table 1"), names=names)


def test_no_name_and_no_remark_is_in_a_journal_and_all_of_it_is_decided_again_without_them(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    table = kept(path, Directory(directory_path(path)))
    ann = Actor(who="Ann Quintrell", role=Role.PARTICIPANT)
    assert isinstance(table.do(Sit(seat=1), ann), Accepted)
    assert isinstance(table.do(Sit(seat=2, person="Bea Quintrell"), Actor(who="Cid Quintrell")), Accepted)
    assert isinstance(table.do(BuyIn(seat=1, amount=5000)), Accepted)
    table.do(ComeOn(person="Dan Quintrell"))
    table.do(AbandonShoe(reason="Ann Quintrell has a fever"))  # refused, and entered too
    assert isinstance(table.do(Leave(seat=1), Actor(who="ann  quintrell", role=Role.PARTICIPANT)), Accepted)
    table.file.close()
    data = path.read_bytes()
    assert b"quintrell" not in data.lower()
    assert b"fever" not in data
    assert data.count(b'"remark-') == 1
    assert first_fault(data) is None
    told = {entry.text for entry in Directory.load(directory_path(path)).entries}
    assert told == {"Ann Quintrell", "Bea Quintrell", "Cid Quintrell", "Dan Quintrell", "Ann Quintrell has a fever"}
    assert stat.S_IMODE(directory_path(path).stat().st_mode) == 0o600 or os.name == "nt"


def test_a_table_that_goes_on_knows_everybody_by_the_same_ids(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    table = kept(path, Directory(directory_path(path)))
    envelope = Envelope(actor=Actor(who="Ann Quintrell", role=Role.PARTICIPANT), id="1")
    first = table.enter(Sit(seat=1), envelope)
    table.file.close()
    with JournalFile(path, sync=False) as file:
        lines = [line for line in file.open() if isinstance(line, JournalLine)]
        again = JournaledTable.resume(file, lines, names=Directory.load(directory_path(path), to_write=True))
        repeated = again.enter(Sit(seat=1), envelope)
        assert repeated.is_repeat
        assert repeated.record == first.record
        assert again.enter(Sit(seat=2), envelope).refused is not None
        assert isinstance(again.do(Leave(seat=1), Actor(who="ANN QUINTRELL", role=Role.PARTICIPANT)), Accepted)


def test_no_name_is_in_the_journal_of_a_house(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with JournalFile(path, sync=False) as file:
        assert not list(file.open())
        names = Directory()
        table = open_table(opened_house(RULES, house=JournaledHouse(RULES, file, names=names)), RULES)
        assert isinstance(table.do(Sit(seat=1), Actor(who="Ann Quintrell", role=Role.PARTICIPANT)), Accepted)
        table.do(AbandonShoe(reason="Ann Quintrell has a fever"))
    assert b"quintrell" not in path.read_bytes().lower()
    assert b"fever" not in path.read_bytes()
    assert {"Ann Quintrell", "Ann Quintrell has a fever"} <= {entry.text for entry in names.entries}


# --------------------------------------------------------------------------------------------- erasing


def test_what_is_erased_is_gone_with_its_salt_and_comes_back_as_somebody_else(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl.names"
    names = Directory(path)
    ann, bea = (names.id_of(Words.PERSON, name) for name in ("Ann Quintrell", "Bea Quintrell"))
    (entry,) = names.find("ann quintrell")
    names.erase([entry])
    data = path.read_bytes()
    assert b"Ann" not in data
    assert entry.salt.encode() not in data
    assert stat.S_IMODE(path.stat().st_mode) == 0o600 or os.name == "nt"
    for found in (names, Directory.load(path)):
        assert found.fill_names(f"{ann} and {bea}") == f"{ann} and Bea Quintrell"
    assert names.id_of(Words.PERSON, "Ann Quintrell") != ann


def test_remarks_that_mention_a_name_are_found() -> None:
    names = Directory()
    names.id_of(Words.REMARK, "ANN  Quintrell fell ill")
    names.id_of(Words.REMARK, "the lamp fell down")
    assert [entry.text for entry in names.mentions("Ann Quintrell")] == ["ANN  Quintrell fell ill"]


# ----------------------------------------------------------------------------------------- bad files


def test_another_name_does_not_fit_an_id(tmp_path: Path) -> None:
    path = tmp_path / "names"
    Directory(path).id_of(Words.PERSON, "Ann Quintrell")
    path.write_bytes(path.read_bytes().replace(b"Ann", b"Bea"))
    with pytest.raises(UnreadableDirectory, match=r"line 2: person-[0-9a-f]+ is not the id of this text"):
        Directory.load(path)


@pytest.mark.parametrize(
    ("data", "say"),
    [
        (b"\xff\xfe\n", "line 1: expected the first line of a directory"),
        (b"no newline at all", "line 1: expected the first line of a directory"),
        (b'{"names":2}\n', "line 1: version 2 of the directory's form is not known"),
        (b'{"names":1}\n{"id":"person-1"}\n', "line 2: not an entry of a directory"),
        (b'{"names":1}\n\xff\n', "line 2: not an entry of a directory"),
    ],
)
def test_a_file_that_is_no_directory_is_refused_and_left_as_it_is(tmp_path: Path, data: bytes, say: str) -> None:
    path = tmp_path / "names"
    path.write_bytes(data)
    with pytest.raises(UnreadableDirectory, match=say):
        Directory.load(path, to_write=True)
    assert path.read_bytes() == data


@pytest.mark.slow
def test_every_half_written_end_is_cut_off_and_the_next_name_stands_on_a_line_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "names"
    names = Directory(path)
    ann = names.id_of(Words.PERSON, "Ann Quintrell")
    whole = len(path.read_bytes())
    names.id_of(Words.PERSON, "Bea Quintrell")
    data = path.read_bytes()
    for length in (*range(0, len(data), 11), whole - 1, whole, len(data) - 1):
        path.write_bytes(data[:length])
        cut = Directory.load(path, to_write=True)
        cut.id_of(Words.PERSON, "Cid Quintrell")
        again = Directory.load(path)
        assert [entry.text for entry in again.entries][-1] == "Cid Quintrell"
        assert (again.fill_names(ann) == "Ann Quintrell") is (length >= whole)


def test_nothing_is_decided_under_a_name_that_cannot_be_kept(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    table = kept(path, Directory(tmp_path / "no such folder" / "names"))
    before = path.read_bytes()
    with pytest.raises(JournalStopped, match="cannot be written"):
        table.do(Sit(seat=1, person="Ann Quintrell"))
    table.file.close()
    assert table.state.at(1) is None
    assert path.read_bytes() == before


def test_an_entry_knows_its_own_text() -> None:
    names = Directory()
    names.id_of(Words.PERSON, "Ann Quintrell")
    (entry,) = names.entries
    assert entry.matches_id
    assert not DirectoryEntry(id=entry.id, salt="00" * 32, text=entry.text).matches_id


def test_a_command_holds_words_if_its_record_would_have_an_id_in_their_place() -> None:
    known = Directory()
    someone = known.hide(ComeOn(person="A. Dealer"))
    named = (ComeOn(person="A. Dealer"), ComeOn(person="dealer", instead_of="B"), AbandonShoe(reason="torn"))
    unnamed = (
        ComeOn(),
        ComeOn(person="dealer", instead_of="dealer 2"),
        someone,
        Leave(seat=3),
        BuyIn(seat=3, amount=5),
    )
    assert [holds_words(each) for each in named] == [True] * len(named)
    assert [holds_words(each) for each in unnamed] == [False] * len(unnamed)
