"""What anybody needs to check a shoe: commitment, contributions, root, cut, each turned card with its proof, seed.

All of it has been shown to everybody at the table: nothing else of a journal is in it, and so no person's data. While a
shoe is in play every turned card is proved against the root; once the seed is revealed the whole order is.
"""

from __future__ import annotations

import msgspec
from litestar.params import FromPath

from baccarat.chain import leaf_hash
from baccarat.engine.redecide import read_events
from baccarat.house.stream import table_stream
from baccarat.record.entry import NO_BYTES, ActRecord, read_body
from baccarat.serve.http.problem import dropped_problem, not_found
from baccarat.serve.route.allow import EVERYBODY, RouteGroup
from baccarat.serve.route.requester import HttpRequest, live_of
from baccarat.serve.route.table import room_of
from baccarat.serve.runtime.round_index import first_seq, last_seq
from baccarat.serve.store.base import Reads
from baccarat.table.bounds import MOST_WHOLE
from baccarat.table.proof import CardProof
from baccarat.table.shoe_state import WitnessPromise
from baccarat.table.step.cutting import CardsCut
from baccarat.table.step.revealing import OrderDisproved, SeedRevealed
from baccarat.table.step.sealing import ContributionMade, InputsClosed, OrderSealed, ShareGiven, ShoeCommitted

routes = RouteGroup("tables")


PAGE = 500


class ProvedCard(msgspec.Struct, frozen=True, kw_only=True):
    """A card that was turned: its position in the cut shoe, and the proof that it was there when it was sealed."""

    position: int
    card: str
    salt: str
    path: list[str]


class OpenedNote(msgspec.Struct, frozen=True, kw_only=True):
    """The note with which a witness opened its share, line by line, and the share key that signed it."""

    key: str
    note: list[str]


class ShoeProof(msgspec.Struct, kw_only=True):
    """Everything shown of a shoe's shuffle; docs/shuffle.md says how it is checked."""

    table: str
    shoe: int
    name: str = ""
    """The name of the shoe in its header, with the rulebook and the number of decks."""
    rulebook: str = ""
    decks: int = 0
    commitment: str = ""
    order: int = 1
    """How the order is derived: 1, or 2, with a closing of the inputs and shares of witnesses."""
    origin: str = ""
    """The name of the table's log; empty for order 1, or if it is not signed."""
    witnesses: list[WitnessPromise] = []
    """The witnesses that have a share in the order, with what they promised before anybody chose anything."""
    contributions: list[str] = []
    inputs: str = ""
    """The hash of everything that was fixed before a share was opened."""
    closing: str = ""
    """The hash of the record that fixed it, for which the shares were opened."""
    notes: list[OpenedNote] = []
    """The signed notes that opened the shares."""
    root: str = ""
    in_front: int | None = None
    """How many cards were cut to the back."""
    cards: list[ProvedCard] = []
    seed: str = ""
    """Revealed when the shoe is closed; empty before."""
    disproved: bool = False


class _Proved(msgspec.Struct):
    proof: CardProof | None = None


_read_proof = msgspec.json.Decoder(_Proved).decode


@routes.get(
    "/api/tables/{name:str}/shoes/{shoe:int}/proof", "All that is needed to check a shoe's shuffle", EVERYBODY, 404, 410
)
async def shoe_proof(request: HttpRequest, name: FromPath[str], shoe: FromPath[int]) -> ShoeProof:
    """Commitment, contributions, root, cut, every turned card with its proof, and the seed once it is revealed."""
    live = live_of(request)
    now = room_of(live, name).state.shoe.number + 1
    if not 0 < shoe <= now:
        raise not_found(f"shoe {shoe} at table {name}", code="no_such_shoe")
    return await live.reading.ask(lambda reads: _read(reads, name, shoe, is_over=shoe < now))


def _read(reads: Reads, table: str, shoe: int, *, is_over: bool) -> ShoeProof:
    stream = table_stream(table)
    first, last = first_seq(reads, stream, shoe, 0), last_seq(reads, stream, shoe) if is_over else MOST_WHOLE
    found, after = ShoeProof(table=table, shoe=shoe), first - 1
    while after < last and (rows := reads.entries(stream, after=after, limit=min(PAGE, last - after))):
        if rows[0].seq != after + 1:
            raise dropped_problem("The records of this shoe were")
        for row in rows:
            record = read_body(row.body)
            if isinstance(record, ActRecord):
                add_record(found, record, row.body)
        after = rows[-1].seq
    return found


def add_record(found: ShoeProof, record: ActRecord, body: bytes) -> None:
    """Add what a record of the shoe shows; the body is its canonical bytes."""
    for event in read_events(record) or ():
        match event:
            case ShoeCommitted():
                found.name, found.rulebook, found.decks = event.shoe, event.rulebook, event.decks
                found.commitment, found.contributions, found.cards = event.commitment, [], []
                found.order, found.origin, found.witnesses = event.order, event.origin, list(event.witnesses)
                found.inputs, found.closing, found.notes = "", "", []
                found.root, found.in_front = "", None
            case InputsClosed():
                found.inputs, found.closing = event.inputs, leaf_hash(body).hex()
            case ShareGiven():
                found.notes.append(OpenedNote(key=event.key, note=list(event.note)))
            case ContributionMade():
                found.contributions.append(event.value)
            case OrderSealed():
                found.root = event.root
            case CardsCut():
                found.in_front = event.in_front
            case SeedRevealed() | OrderDisproved():
                found.seed, found.disproved = event.seed, isinstance(event, OrderDisproved)
        position, card = getattr(event, "position", None), getattr(event, "card", None)
        if position is not None and card is not None and (proof := _proof(record)) is not None:
            proved = ProvedCard(position=position, card=str(card), salt=proof.salt, path=list(proof.path))
            if proved not in found.cards:
                found.cards.append(proved)


def _proof(record: ActRecord) -> CardProof | None:
    """The proof with which a card was turned; other commands have none, or a different field of this name."""
    if record.command is NO_BYTES:
        return None
    try:
        return _read_proof(bytes(record.command)).proof
    except msgspec.MsgspecError:
        return None
