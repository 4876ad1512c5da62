"""The journal of a table that is run from the terminal."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec import UNSET

from baccarat.cli.journal_files import read_signer
from baccarat.cli.output import fail
from baccarat.engine.entries import Journal, MemoryJournal
from baccarat.engine.journaled_table import JournaledTable
from baccarat.engine.run_answers import Header
from baccarat.house.stream import Stream, is_table_stream, stream_name, table_stream
from baccarat.law.rulebook import Rulebook
from baccarat.record.directory import Directory, UnreadableDirectory, directory_path
from baccarat.record.entry import Entry, StreamName
from baccarat.record.journal import JournalFault, JournalLine
from baccarat.record.journal_file import JournalFile, JournalStopped, TooLong
from baccarat.record.key import KeyKind
from baccarat.record.origin import log_name
from baccarat.table.table_cards import ELECTRONIC_CARDS, StatedCards, TableCards
from baccarat.table.witness_keys import StatedWitnesses, are_share_keys

JournaledFileTable = JournaledTable[Journal]
WITNESSES_FORM = "expected the share keys of an electronic or automated table, sorted"


def table_header(header: bytes) -> Header:
    """What the first line of a script says of the table: its name, 1 if it names none, and what it is."""
    try:
        found = msgspec.json.decode(header, type=Header)
        msgspec.convert(table_stream(found.table), StreamName)
    except msgspec.MsgspecError as error:
        if str(error).endswith("`$.cards`"):
            fail(f"the first line: cards: expected {', '.join(each.value for each in TableCards)}")
        if "`$.witnesses" in str(error):
            fail(f"the first line: witnesses: {WITNESSES_FORM}")
        fail("the first line: table: expected the name of a table, in up to 190 plain letters, digits and signs")
    if found.witnesses is not UNSET and not (found.cards in ELECTRONIC_CARDS and are_share_keys(found.witnesses)):
        fail(f"the first line: witnesses: {WITNESSES_FORM}")
    return found


@contextmanager
def open_journaled_table(
    journal: Path | None,
    rules: Rulebook,
    *,
    table: str,
    key: Path | None = None,
    cards: StatedCards = UNSET,
    witnesses: StatedWitnesses = UNSET,
) -> Iterator[JournaledFileTable]:
    """A table under these rules: alone, or with a journal, which is begun or resumed; a key signs checkpoints.

    `cards` is what a new table is opened as, and `witnesses` have a share in its orders; one that is resumed stays
    what it is.

    Without a journal too, an id takes effect at most once while the table lasts.
    """
    if journal is None:
        if key is not None:
            fail("--key signs checkpoints of a journal: name one with --journal FILE")
        yield JournaledTable.begin(rules, MemoryJournal(), table_stream(table), cards=cards, witnesses=witnesses)
        return
    signer = read_signer(key, KeyKind.LOG) if key is not None else None
    if signer is not None:
        signer = signer.with_name(log_name(signer.verifier.name, table_stream(table)))
    with JournalFile(journal) as file:
        try:
            found = [each for each in file.open() if isinstance(each, JournalLine)]
            names = _read_names(directory_path(journal))
            if found:
                _check_opening(found[0].entry, rules, table_stream(table))
                kept: JournaledFileTable = JournaledTable.resume(file, found, clock=now, names=names, signer=signer)
            else:
                stream = table_stream(table)
                kept = JournaledTable.begin(
                    rules, file, stream, clock=now, names=names, signer=signer, cards=cards, witnesses=witnesses
                )
        except JournalFault as fault:
            fail(f"{journal}: {fault}; the file is unchanged")
        except JournalStopped as error:
            fail(str(error))
        except TooLong as error:
            fail(f"{journal}: {error}: these rules are too long for a journal")
        except BlockingIOError:
            fail(f"{journal} is being written by another program; one table has one writer")
        except OSError as error:
            fail(f"{journal}: cannot be written: {error.strerror}")
        try:
            yield kept
        except JournalStopped as error:
            fail(f"{error}. What was answered before is on disk")


def _read_names(path: Path) -> Directory:
    """The directory of names of a journal that will be written; a new one if there is none."""
    try:
        return Directory.load(path, to_write=True)
    except UnreadableDirectory as error:
        fail(f"{path}: {error}; the file is unchanged")


def _check_opening(opening: Entry, rules: Rulebook, stream: Stream) -> None:
    """Check that the journal is that of this table, opened under these rules."""
    if opening.stream != stream:
        name = stream_name(opening.stream) if is_table_stream(opening.stream) else opening.stream
        say = f"it is the journal of {opening.stream}, not of {stream}; a script names its table"
        raise JournalFault(1, f'{say}: {{"submission": …, "table": "{name}"}}')
    if opening.rulebook != rules.hash:
        say = f"the table was opened under rulebook {opening.rulebook[:16]}…, the script names {rules.hash[:16]}…"
        raise JournalFault(1, say)


def now() -> int:
    """The time, in microseconds UTC; no decision depends on it."""
    return time.time_ns() // 1000
