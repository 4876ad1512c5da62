"""What the files of the conformance corpus are made of: fixed keys, small honest tables, and what a house signs."""

from __future__ import annotations

import base64
import copy
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from baccarat.cards import Card
from baccarat.chain import leaf_hash
from baccarat.engine.entries import opening_of
from baccarat.engine.journaled_table import JournaledTable
from baccarat.house.stream import Stream
from baccarat.law.rulebook import rulebook
from baccarat.record.checkpoint import checkpoint_of, sign_checkpoint
from baccarat.record.encoding import to_base64
from baccarat.record.journal import write_note
from baccarat.record.journal_file import JournalFile
from baccarat.record.key import KeyKind, Signer
from baccarat.record.note import Signature, SignedNote, sign_note
from baccarat.record.origin import SUCCESSOR_LINE
from baccarat.table.actor import Actor, Origin
from baccarat.table.automation import command_for
from baccarat.table.foul_card import ConfirmCard
from baccarat.table.gate import GateFault
from baccarat.table.reveal_deadline import StatedDeadline
from baccarat.table.role import Role
from baccarat.table.seating_acts import Sit
from baccarat.table.source import SealedShoe
from baccarat.table.step.abandoning import AbandonShoe
from baccarat.table.step.overdue import ReportOverdueSeed
from baccarat.table.step.revealing import ReportLostSeed
from baccarat.table.step.sealing import Contribute, FailShoe
from baccarat.table.step.turning import TurnCard
from baccarat.table.table_cards import StatedCards, TableCards
from baccarat.table.witness_keys import StatedWitnesses
from electronic_table import OrderOneShoe
from golden_journals import WITNESS_NAMES, SignedWitnesses
from remade import Json, canonical, chained, records_of
from table_driver import Game, in_order, parse, seated
from triggers import FirstWager

STREAM = Stream("table 1")
NOON = 1_794_744_000_000_000
"""Noon of 2026-11-15, UTC, in microseconds: when every table of the corpus opens; an act takes a second."""
DEADLINE = 60
"""Within how many seconds a seed is revealed, at tables that state it."""
SEED = 7
"""With it few cards are burned and drawn: the files are small."""

HOUSE = Signer("example.org/house", KeyKind.LOG, bytes([1]) * 32)
LOG = HOUSE.with_name("example.org/house/table/1")
WITNESS = Signer("example.org/watcher", KeyKind.WITNESS, bytes([2]) * 32)
SECOND_WITNESS = Signer("example.net/regulator", KeyKind.WITNESS, bytes([3]) * 32)
OUTSIDER = Signer("example.org/house/table/1", KeyKind.LOG, bytes([9]) * 32)
"""A key that an outsider made, under the name of the log."""
SHARE = [Signer(f"example.org/{name}", KeyKind.LOG, name[:1].encode() * 32) for name in sorted(WITNESS_NAMES)]
NAMED = tuple(str(signer.verifier) for signer in SHARE)
"""The share keys that every table with witnesses states."""
KEYS = {
    "log": LOG,
    "house": HOUSE,
    "witness": WITNESS,
    "second witness": SECOND_WITNESS,
    "outsider": OUTSIDER,
    "share 1": SHARE[0],
    "share 2": SHARE[1],
}
"""Every key of the corpus by the name under which its files ask for it."""
ALL = ("log", "witness", "share 1", "share 2")
"""The keys that cover a table whose order has two witnesses."""
PLAIN = ("log", "witness")
"""The keys that cover a table whose order has none."""


class Evening:
    """A small table, played and journaled; every call gives the same bytes."""

    def __init__(
        self,
        folder: Path,
        *,
        cards: StatedCards = TableCards.ELECTRONIC,
        witnesses: StatedWitnesses | None = None,
        within: StatedDeadline = UNSET,
        order: tuple[Card, ...] | None = None,
        **elections: Any,
    ) -> None:
        """With `order`, the shuffled cards as they lie after the cut; with more elections than the Submission has.

        An electronic table states `witnesses`, the usual two if that is None.
        """
        if witnesses is None:
            witnesses = NAMED if cards is TableCards.ELECTRONIC else UNSET
        self.path = folder / "journal.jsonl"
        self.file = JournalFile(self.path, sync=False)
        assert not list(self.file.open())
        rules = rulebook("ma-midi-4", **elections)
        self.ticks = iter(range(NOON, NOON + 10**12, 10**6))
        self.game = Game(rules, lambda _number: order or in_order(8, parse("AS 9C 9S KH 8D KC")))
        stated: Any = {"cards": cards, "witnesses": witnesses}
        table = JournaledTable(rules, self.file, STREAM, clock=lambda: next(self.ticks), **stated)
        self.file.append(opening_of(rules, STREAM, at=next(self.ticks), reveal_within=within, **stated))
        table.state = replace(table.state, reveal_within=within)
        self.game.table = table
        seated(self.game, (1, 3))

    def electronic(self, *, order: int = 2, witnesses: bool = True) -> Evening:
        """From now on the cards come from an electronic shoe."""
        kind = SealedShoe if order == 2 else OrderOneShoe
        shares = SignedWitnesses(self.path) if witnesses and order == 2 else None
        triggers = FirstWager(self.game.rules)
        self.game.source = kind(self.game.rules, seed_of, table="1", triggers=triggers, shares=shares)
        return self

    def begun(self) -> Evening:
        """A shoe is committed to, and a seat contributes."""
        self.game.act()
        self.game.do(Contribute(seat=3, value="7 of März"))
        return self

    def round(self) -> Evening:
        """One round."""
        self.game.go("wager").play("1 p 2500", "3 b 2500")
        return self

    def given_up(self) -> Evening:
        """The shoe is given up by two persons."""
        command = AbandonShoe(reason="the table closes")
        self.game.go("wager").do(command, who="fay", second="sue", second_role=Role.CASINO_SUPERVISOR)
        return self

    def overdue(self, seconds: int = DEADLINE) -> Evening:
        """The seed of the shoe that is over is not revealed for so long, and the clock says so."""
        self.game.go_to_act("reveal_seed")
        for _ in range(seconds):
            next(self.ticks)
        self.game.table.do(ReportOverdueSeed(due_for=seconds), Actor(who="clock", origin=Origin.CLOCK))
        return self

    def over(self) -> bytes:
        """The shoe is closed, and the table with it."""
        number = self.game.state.shoe.number
        while self.game.state.shoe.number == number:
            self.game.act()
        return self.bytes()

    def bytes(self) -> bytes:
        """The journal so far."""
        self.file.close()
        return self.path.read_bytes()


def older(data: bytes, version: int = 2) -> bytes:
    """The same journal as one that a version of the program says that it wrote."""
    return b"".join(lines_of([record | {"behaviour": version} for record in records_of(data)]))


def seed_of(number: int) -> bytes:
    """The seed of a shoe."""
    return bytes([SEED, number]) * 16


@cache
def _order_2() -> bytes:
    with TemporaryDirectory() as folder:
        return Evening(Path(folder)).electronic().begun().round().given_up().over()


@cache
def _house_alone() -> bytes:
    with TemporaryDirectory() as folder:
        evening = Evening(Path(folder), witnesses=()).electronic(witnesses=False)
        return evening.begun().round().given_up().over()


@cache
def _left_out() -> bytes:
    """Two witnesses have shares of the first order; the second is sealed without them, as nothing on record forbids."""
    with TemporaryDirectory() as folder:
        evening = Evening(Path(folder), witnesses=UNSET).electronic().begun().round().given_up()
        number = evening.game.state.shoe.number
        while evening.game.state.shoe.number == number:
            evening.game.act()
        return evening.electronic(witnesses=False).begun().round().given_up().over()


@cache
def _order_1() -> bytes:
    """A table as it was before anything of it stood on record."""
    with TemporaryDirectory() as folder:
        evening = Evening(Path(folder), cards=UNSET).electronic(order=1)
        return older(evening.begun().round().given_up().over())


@cache
def _real_cards() -> bytes:
    with TemporaryDirectory() as folder:
        return Evening(Path(folder), cards=TableCards.REAL).round().given_up().over()


@cache
def _unstated() -> bytes:
    with TemporaryDirectory() as folder:
        return Evening(Path(folder), cards=UNSET).electronic().begun().round().given_up().over()


@cache
def _lost_seed() -> bytes:
    with TemporaryDirectory() as folder:
        evening = Evening(Path(folder)).electronic().begun().round().given_up()
        command = ReportLostSeed(reason="the disk is gone")
        evening.game.go_to_act("reveal_seed").do(command, who="fay", second="sue")
        return evening.over()


@cache
def _overdue() -> bytes:
    """The clock says that a seed is overdue; later it is revealed."""
    with TemporaryDirectory() as folder:
        evening = Evening(Path(folder), within=DEADLINE).electronic().begun().round().given_up()
        return evening.overdue().over()


@cache
def _shown_late() -> bytes:
    """A seed is revealed after the deadline, and nobody had stopped the table."""
    with TemporaryDirectory() as folder:
        evening = Evening(Path(folder), within=DEADLINE).electronic().begun().round().given_up()
        evening.game.go_to_act("reveal_seed")
        for _ in range(2 * DEADLINE):
            next(evening.ticks)
        return evening.over()


@cache
def _overdue_and_lost() -> bytes:
    """The clock says that a seed is overdue; then two persons report that it is lost."""
    with TemporaryDirectory() as folder:
        evening = Evening(Path(folder), within=DEADLINE).electronic().begun().round().given_up().overdue()
        evening.game.do(ReportLostSeed(reason="the disk is gone"), who="fay", second="sue")
        return evening.over()


@cache
def _failed() -> bytes:
    """A house gives a shoe up by a fault of its order that it did not have."""
    with TemporaryDirectory() as folder:
        evening = Evening(Path(folder)).electronic().begun()
        evening.game.go_to_act("seal_order").do(FailShoe(why=GateFault.NOT_SHUFFLED))
        evening.game.do(AbandonShoe(reason="another one"), who="fay", second="sue", second_role=Role.CASINO_SUPERVISOR)
        return evening.over()


@cache
def _fouled() -> bytes:
    """Two persons confirm, as one that cannot be proved, the very card that was sealed at its place."""
    with TemporaryDirectory() as folder:
        evening = Evening(Path(folder)).electronic().begun()
        evening.game.go("wager").wager("1 p 2500", "3 b 2500").go_to_act("turn_card")
        due = command_for(evening.game.table, evening.game.next_act(), evening.game.source)
        assert isinstance(due, TurnCard)
        command = ConfirmCard(position=due.position, card=due.card)
        evening.game.do(command, who="fay", second="sue", second_role=Role.CASINO_SUPERVISOR)
        evening.game.do(AbandonShoe(reason="another one"), who="fay", second="sue", second_role=Role.CASINO_SUPERVISOR)
        return evening.over()


def seed_again() -> list[Json]:
    """The third shoe has the seed of the first, which is open by then."""
    with TemporaryDirectory() as folder:
        evening = Evening(Path(folder), witnesses=())
        triggers = FirstWager(evening.game.rules)
        evening.game.source = SealedShoe(
            evening.game.rules, lambda number: seed_of(number % 2), table="1", triggers=triggers
        )
        for number in range(3):
            evening.begun().round().given_up()
            while evening.game.state.shoe.number == number:
                evening.game.act()
        return records_of(evening.bytes())


def own_witness() -> list[Json]:
    """The house names its own key as the one witness of its orders."""
    with TemporaryDirectory() as folder:
        evening = Evening(Path(folder), witnesses=(str(HOUSE.verifier),))
        shares = SignedWitnesses(evening.path)
        shares.signers = {str(HOUSE.verifier): HOUSE}
        shares.keys = {str(HOUSE.verifier): bytes([11]) * 32}
        evening.game.source = SealedShoe(
            evening.game.rules, seed_of, table="1", triggers=FirstWager(evening.game.rules), shares=shares
        )
        return records_of(evening.begun().round().given_up().over())


@cache
def _refused() -> bytes:
    with TemporaryDirectory() as folder:
        evening = Evening(Path(folder))
        evening.game.refused(Sit(seat=1, person="participant 9"), who="participant 9")
        return evening.bytes()


BASES: dict[str, Callable[[], bytes]] = {
    "order-2": _order_2,
    "house-alone": _house_alone,
    "left-out": _left_out,
    "order-1": _order_1,
    "real-cards": _real_cards,
    "unstated": _unstated,
    "lost-seed": _lost_seed,
    "overdue": _overdue,
    "shown-late": _shown_late,
    "overdue-and-lost": _overdue_and_lost,
    "refused": _refused,
    "failed": _failed,
    "fouled": _fouled,
}
"""Honest journals of one table, unsigned, by name."""


def keys_of(name: str) -> tuple[str, ...]:
    """The keys that cover a table: those of its witnesses too, if its order has some."""
    return PLAIN if name in ("house-alone", "order-1", "real-cards", "refused", "corrected", "owing") else ALL


def base(name: str = "order-2") -> list[Json]:
    """The records of an honest table, to be forged."""
    return records_of(BASES[name]())


# ------------------------------------------------------------------------------------------- what a house signs


def cosigned(note: SignedNote, witness: Signer = WITNESS, at: int = NOON // 1_000_000 + 3600) -> SignedNote:
    """A checkpoint that a witness has cosigned."""
    key = witness.verifier
    return note.with_signatures(Signature(key.name, key.id, witness.cosign(note.text, time=at)))


def checkpoint(
    records: list[Json], size: int | None = None, *, signer: Signer = LOG, origin: str = "", witnessed: bool = True
) -> SignedNote:
    """A checkpoint of so many records, signed, and cosigned unless it says otherwise."""
    bodies = [canonical(record) for record in records[:size]]
    signer = signer.with_name(origin or signer.verifier.name)
    note = sign_checkpoint(checkpoint_of(signer.verifier.name, bodies), signer)
    return cosigned(note) if witnessed else note


def successor(records: list[Json], size: int, root: bytes, *, of: str = "", number: int = 2) -> SignedNote:
    """A checkpoint of all records by a successor of their log, which says where the log before it was signed last."""
    first = LOG.verifier.name
    signer, before = LOG.with_name(f"{first}/{number}"), of or first
    stated = checkpoint_of(signer.verifier.name, map(canonical, records))
    line = f"{SUCCESSOR_LINE} {before} {size} {to_base64(root)}"
    return cosigned(sign_checkpoint(msgspec.structs.replace(stated, extensions=(line,)), signer))


def lines_of(records: list[Json]) -> list[bytes]:
    """The lines of a journal of these records, every hash made anew."""
    return [b'{"hash":"%s","record":%s}\n' % (head.encode(), canonical(body)) for head, body in chained(records)]


def journal(records: list[Json], *notes: SignedNote) -> bytes:
    """A journal whose end the log has signed and the witness cosigned; or that ends with these checkpoints."""
    made = notes or (checkpoint(records),)
    return b"".join([*lines_of(records), *(write_note(note, STREAM) for note in made)])


# ------------------------------------------------------------------------------------ what witnesses sign again


def closing_of(records: list[Json]) -> Json:
    """The first record that closes inputs."""
    return next(r for r in records if any(e["event"] == "inputs_closed" for e in r.get("events", [])))


def shares_again(records: list[Json]) -> list[Json]:
    """The witnesses open their shares for the closing as it stands now: they sign what the house shows them."""
    leaf = base64.b64encode(leaf_hash(canonical(closing_of(records)))).decode()
    for record in records:
        for part in (record.get("command", {}), *record.get("events", [])):
            if "note" in part:
                part["note"] = signed_share([*part["note"][:3], leaf, part["note"][4]], part["key"])
    return records


def signed_share(lines: list[str], key: str) -> list[str]:
    """The five lines of a share's note, signed by the witness with this share key."""
    signer = next(each for each in SHARE if str(each.verifier) == key)
    note = sign_note("".join(f"{line}\n" for line in lines), signer)
    return bytes(note).decode().removesuffix("\n").split("\n")


def event(records: list[Json], name: str, nth: int = 0) -> Json:
    """An event of this name."""
    found: list[Json] = [each for record in records for each in record.get("events", []) if each["event"] == name]
    return found[nth]


def act(records: list[Json], name: str, nth: int = 0) -> Json:
    """A record with this command."""
    found: list[Json] = [record for record in records if record.get("command", {}).get("do") == name]
    return found[nth]


def with_event(records: list[Json], name: str, nth: int = 0) -> Json:
    """A record that has an event of this name."""
    return [r for r in records if any(found["event"] == name for found in r.get("events", []))][nth]


def twin(value: Json) -> Json:
    """A copy."""
    return copy.deepcopy(value)
