"""Journals in tests: tables that keep one, and a short one that every test may read."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from baccarat.engine.journaled_table import JournaledTable
from baccarat.engine.redecide import redecide
from baccarat.house.stream import Stream, table_stream
from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.play.wager import WagerKind
from baccarat.record.entry import NO_HASH, StreamOpening, hash_after
from baccarat.record.journal import BODY_START, JournalFault, JournalLine, JournalReader, rules_at, write_line
from baccarat.record.journal_file import JournalFile
from baccarat.record.key import KeyKind, Signer
from baccarat.table.automation import run_until
from baccarat.table.machine import Table
from baccarat.table.seating_acts import BuyIn, Sit
from baccarat.table.source import SealedShoe
from baccarat.table.step.wagering import PlaceWager

TABLE = table_stream("1")


def kept_table(
    path: Path, rules: Rulebook, stream: Stream = TABLE, signer: Signer | None = None
) -> JournaledTable[JournalFile]:
    """A table whose journal is begun in a file, which need not outlast a power cut."""
    file = JournalFile(path, sync=False)
    assert not list(file.open())
    return JournaledTable.begin(rules, file, stream, signer=signer)


def play_rounds(table: Table, rounds: int, *, seed: int = 1) -> None:
    """Three seats wager in so many rounds of an electronic shoe."""
    source = SealedShoe(table.rules, lambda number: bytes([seed, number]) * 16, table="1")
    for seat in (1, 3, 5):
        table.do(Sit(seat=seat, person=f"p{seat}"))
        table.do(BuyIn(seat=seat, amount=5_000_000))

    def company(table: Table) -> None:
        limits = table.rules.elections.limits or {}
        for seat, on in ((1, WagerKind.PLAYER), (3, WagerKind.BANKER), (5, WagerKind.TIE)):
            table.do(PlaceWager(seat=seat, on=on, stake=limits[on.value].min))
        table.do(PlaceWager(seat=9, on=WagerKind.PLAYER, stake=1))  # refused: nobody sits there

    done = lambda table: table.state.step == "wager" and table.state.round.number > rounds  # noqa: E731
    run_until(table, source, stop=done, wagers=company)


@cache
def short_journal(submission: str = "ma-midi-4", rounds: int = 2) -> bytes:
    """The bytes of a journal of a few rounds."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "journal.jsonl"
        table = kept_table(path, rulebook(submission))
        play_rounds(table, rounds)
        table.file.close()
        return path.read_bytes()


SIGNER = Signer("example.org/t1", KeyKind.LOG, bytes(range(32)))


@cache
def signed_journal(submission: str = "ma-midi-4", rounds: int = 2) -> bytes:
    """A journal of a few rounds with signed checkpoints: of its shoe, of each result, of the end of each round."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "journal.jsonl"
        table = kept_table(path, rulebook(submission), signer=SIGNER)
        play_rounds(table, rounds)
        table.file.close()
        return path.read_bytes()


def lines_of(data: bytes) -> list[tuple[int, bytes]]:
    """The lines of a journal with their numbers."""
    return list(enumerate(data.splitlines(keepends=True), start=1))


def rehashed(lines: list[bytes]) -> list[bytes]:
    """Lines with the hashes of every stream made anew, as a forger would who holds the file."""
    heads: dict[str, bytes] = {}
    return [line_after(heads, line[BODY_START:-2]) for line in lines]


def line_after(heads: dict[str, bytes], body: bytes) -> bytes:
    """The line that brings a body into its stream; the head of that stream moves on."""
    stream = _stream_of(body)
    heads[stream] = hash_after(heads.get(stream, NO_HASH), body)
    return write_line(body, heads[stream])


def _stream_of(body: bytes) -> str:
    """The stream of a body; empty where it names none or is no JSON at all: a forger may have broken it."""
    try:
        entry = msgspec.json.decode(body)
    except msgspec.DecodeError:
        return ""
    return str(entry["stream"]) if "stream" in entry else ""


def first_fault(data: bytes) -> tuple[int, str] | None:
    """The line of the first thing that is wrong with a journal, read and decided again, and what it is."""
    table: Table | None = None
    try:
        for line in JournalReader().read(lines_of(data)):
            if not isinstance(line, JournalLine):
                continue
            if table is None:
                assert isinstance(line.entry, StreamOpening)
                table = Table(rules_at(line.number, line.entry))
                continue
            difference = redecide(table, line.entry)
            if difference is not None:
                return line.number, difference.say
    except JournalFault as fault:
        return fault.line, fault.say
    return None
