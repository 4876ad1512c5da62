"""Bundles in tests: short electronic shoes at a table that keeps a journal, with a log's key and a witness's."""

from __future__ import annotations

import hashlib
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from baccarat.audit.bundle.form import Bundle, Scope, write_bundle
from baccarat.audit.bundle.make import BundleJournal, make_bundle
from baccarat.engine.journaled_table import JournaledTable
from baccarat.house.stream import Stream
from baccarat.law.rulebook import rulebook
from baccarat.play.wager import WagerKind
from baccarat.record.checkpoint import checkpoint_of, sign_checkpoint
from baccarat.record.journal import JournalReader
from baccarat.record.journal_file import JournalFile
from baccarat.record.key import KeyKind, Signer
from baccarat.record.log import Log
from baccarat.record.note import Signature, SignedNote
from baccarat.record.receipt import Receipt
from baccarat.record.tlog_proof import EntryProof
from baccarat.table.automation import run_until
from baccarat.table.machine import Table
from baccarat.table.seating_acts import BuyIn, Sit
from baccarat.table.source import SealedShoe
from baccarat.table.step.sealing import Contribute
from baccarat.table.step.wagering import PlaceWager
from baccarat.table.table_cards import TableCards
from kept import lines_of

STREAM = Stream("table 1")
SHORT = 385
"""A cover card so deep that a shoe of eight decks has a few rounds only."""
NOON = 1_794_744_000_000_000
"""Noon of 2026-11-15, UTC, in microseconds."""
LOG = Signer("example.org/house/table/1", KeyKind.LOG, bytes([1]) * 32)
WITNESS = Signer("example.org/surveillance", KeyKind.WITNESS, bytes([2]) * 32)
SEATS = {1: WagerKind.PLAYER, 3: WagerKind.BANKER, 5: WagerKind.TIE}


def seed_of(words: str, number: int) -> bytes:
    """The seed of a shoe, which words choose."""
    return hashlib.sha256(f"{words} {number}".encode()).digest()


@cache
def short_shoes(submission: str = "ma-midi-4", shoes: int = 2, words: str = "bundle", *, closed: bool = True,
                contribute: bool = True, depth: int = SHORT) -> bytes:  # fmt: skip
    """The bytes of a journal of short electronic shoes; the last is closed, or has one round and goes on."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "journal.jsonl"
        file, ticks = JournalFile(path, sync=False), count()
        assert not list(file.open())
        rules = rulebook(submission, cover_card_depth=depth)
        table = JournaledTable.begin(
            rules, file, STREAM, clock=lambda: NOON + next(ticks) * 1_000_000, cards=TableCards.ELECTRONIC
        )
        for seat in SEATS:
            table.do(Sit(seat=seat, person=f"p{seat}"))
            table.do(BuyIn(seat=seat, amount=5_000_000))

        def is_done(table: Table) -> bool:
            held, state = table.state.shoe.commitment, table.state
            if contribute and held is not None and not held.contributions and not state.shoe.root:
                table.do(Contribute(seat=3, value=f"héllo {words}"))
            return state.shoe.number == shoes - (not closed) and (closed or state.round.number > 1)

        run_until(table, SealedShoe(rules, lambda number: seed_of(words, number), table="1"), stop=is_done,
                  wagers=_company)  # fmt: skip
        file.close()
        return path.read_bytes()


def _company(table: Table) -> None:
    limits = table.rules.elections.limits or {}
    for seat, on in SEATS.items():
        table.do(PlaceWager(seat=seat, on=on, stake=limits[on.value].min))
    table.do(PlaceWager(seat=9, on=WagerKind.PLAYER, stake=1))  # refused: nobody sits there


def source_of(journal: bytes) -> BundleJournal:
    """The entries of a journal."""
    return BundleJournal(JournalReader().read(lines_of(journal)))


def signed(
    source: BundleJournal, *, size: int | None = None, cosigned: bool = True, signer: Signer = LOG
) -> SignedNote:
    """A checkpoint of the log, with a witness's cosignature."""
    bodies = [line.body for line in source.streams[STREAM][:size]]
    note = sign_checkpoint(checkpoint_of(signer.verifier.name, bodies), signer)
    if not cosigned:
        return note
    data = WITNESS.cosign(note.text, time=NOON // 1_000_000 + 3600)
    return note.with_signatures(Signature(WITNESS.verifier.name, WITNESS.verifier.id, data))


def bundle_of(journal: bytes, scope: Scope, *, note: bool = True) -> Bundle:
    """The bundle of a scope, signed and cosigned unless it says otherwise."""
    source = source_of(journal)
    keys = (LOG.verifier, WITNESS.verifier) if note else ()
    return make_bundle(source, scope, note=signed(source) if note else None, keys=keys)


ROUND_OF_2 = Scope(kind="round", stream=STREAM, shoe=2, round=2)
SECOND_SHOE = Scope(kind="shoe", stream=STREAM, shoe=2)
WHOLE = Scope(kind="all", stream=STREAM)
DAY = Scope(kind="day", stream=STREAM, day="2026-11-15")


@cache
def long_shoe() -> bytes:
    """The bytes of a journal of one shoe of some twenty rounds."""
    return short_shoes(shoes=1, words="long", depth=280)


def lay_out_bundle(folder: Path, line: str) -> None:
    """What a reader of the page about bundles has: a journal with its checkpoint, keys, and what the line checks."""
    journal = long_shoe()
    source = source_of(journal)
    (folder / "journal.jsonl").write_bytes(journal)
    (folder / "journal.jsonl.cosigned").write_bytes(bytes(signed(source)))
    scope = Scope(kind="round", stream=STREAM, shoe=1, round=17)
    if line.startswith("baccarat verify"):
        (folder / "round-17.json").write_bytes(write_bundle(make_bundle(source, scope, note=signed(source))))
    (folder / "t1.pub").write_text(f"{LOG.verifier}\n")
    house = LOG.with_name("example.org/house").verifier
    (folder / "house.pub").write_text(f"{house}\n")
    policy = f"log {house}\nwitness surveillance {WITNESS.verifier}\nquorum surveillance\n"
    (folder / "ours.policy").write_text(policy)
    (folder / "surveillance.pub").write_text(f"{WITNESS.verifier}\n")
    bodies, note = [line.body for line in source.streams[STREAM]], signed(source)
    proof = EntryProof(17, Log(bodies).prove_inclusion(17), note)
    (folder / "wager.receipt").write_bytes(bytes(Receipt(body=bodies[17], proof=proof, stream=STREAM)))
