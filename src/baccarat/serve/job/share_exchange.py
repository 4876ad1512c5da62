"""The shares of witnesses in the order of a table's shoes: promised before the commitment, opened at the closing.

Nothing is stored here. A promise is the same whenever it is asked for, and a witness opens its share once, for one
closing: the same closing gets the same note again. So a house that ends at any moment between commitment and seal asks
again for what is on no record, and gets the same order.

The closing is durable before its checkpoint is signed, the checkpoint is cosigned before a share is asked for, and a
note is checked before it is recorded. A witness that does not answer is asked again; the shoe waits, or is abandoned,
and everyone who sees the table sees for which witness it waits.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from baccarat.chain import leaf_hash
from baccarat.house.stream import Stream, table_stream
from baccarat.record.checkpoint import read_checkpoint
from baccarat.record.key import Verifier
from baccarat.record.note import SignedNote, UnreadableNote, UntrustedNote
from baccarat.record.tlog_proof import EntryProof
from baccarat.record.witness_http import ShareRefused, WitnessUnreachable, ask_promise, ask_share
from baccarat.record.witness_share import ShareRequest, read_closing
from baccarat.serve.fanout.witness_waits import SharePart, WitnessWait
from baccarat.serve.job.cosigning import cosign_stream
from baccarat.serve.job.own_thread import in_own_thread
from baccarat.serve.runtime.signing_key import KnownWitness
from baccarat.serve.runtime.stream_log import ProofUnavailable, StreamLog
from baccarat.serve.runtime.witness_exchange import CosignatureRejected, cosigned_note
from baccarat.serve.store.base import Reads
from baccarat.serve.store.read_pool import PoolExhausted
from baccarat.table.share_note import read_share_note
from baccarat.table.shoe_state import Commitment, WitnessPromise
from baccarat.table.state import TableState
from baccarat.table.step.sealing import is_before_the_cut

if TYPE_CHECKING:
    from baccarat.serve.live import HouseServer

RETRY_SECONDS = 5.0
"""After how many seconds a witness that did not answer is asked again."""
SHOW_SECONDS = 1.0
"""After how many seconds without an answer people are shown that the shoe waits."""
PAGE = 100


class ShareRejected(Exception):  # noqa: N818
    """Why the answer of a witness is not its share in this shoe."""


FAILURES = (
    WitnessUnreachable, ShareRefused, ShareRejected, CosignatureRejected, UnreadableNote, UntrustedNote, PoolExhausted,
    ProofUnavailable,
)  # fmt: skip
"""Why a witness has no part yet: it cannot be reached, refuses, or answers something else. Anything else is a bug."""


class TableShares:
    """What the witnesses of a table's log have promised and opened for its shoes."""

    def __init__(self, live: HouseServer, table: str, *, origin: str) -> None:
        self.origin = origin
        self._live, self._table, self._stream = live, table, table_stream(table)
        self._promises: dict[str, dict[str, WitnessPromise]] = {}
        """By shoe and share key; of one shoe at a time."""
        self._notes: dict[tuple[str, str], tuple[str, ...]] = {}
        """By shoe and share key, the notes that are on no record yet."""
        self.retry_at: float | None = None
        """When a witness that did not answer is asked again."""
        self._wait: _BegunWait | None = None

    def promises(self, shoe: str) -> tuple[WitnessPromise, ...]:
        """What each witness has promised for a shoe; `fetch` has asked for it."""
        return tuple(self._promises[shoe].values())

    def _has_promises(self, state: TableState) -> bool:
        """Whether the witnesses on record, which two persons may change until the commitment, have all promised."""
        found = self._promises.get(str(state.shoe.number))
        return found is not None and tuple(found) == self._keys(state)

    def _keys(self, state: TableState) -> tuple[str, ...]:
        """The share keys of the witnesses on record; an old table, which states none, has those of the file."""
        return tuple(sorted(self._live.share_witnesses)) if state.witnesses is UNSET else state.witnesses

    def open_share(self, state: TableState) -> tuple[str, tuple[str, ...]] | None:
        """A share that is here and on no record."""
        held = state.shoe.commitment
        if held is None:
            return None
        found = ((key, self._notes.get((held.shoe, key))) for key in held.missing_shares)
        return next(((key, note) for key, note in found if note is not None), None)

    def awaits(self, state: TableState) -> bool:
        """Whether the shoe cannot go on before a witness has answered."""
        held = state.shoe.commitment
        if held is None:
            return is_before_the_cut(state) and not self._has_promises(state)
        return bool(held.inputs and held.missing_shares) and self.open_share(state) is None

    async def fetch(self, state: TableState) -> None:
        """Ask for what the shoe waits for; a witness that does not answer is asked again later."""
        self._note_wait(state)
        if not self.awaits(state) or (self.retry_at is not None and time.monotonic() < self.retry_at):
            return
        held, self.retry_at = state.shoe.commitment, None
        try:
            await (self._fetch_promises(state) if held is None else self._fetch_shares(held))
        except FAILURES as error:
            self._complain(error)
        self._note_wait(state)

    # -------------------------------------------------------------------------------------- what people are shown

    def _note_wait(self, state: TableState) -> None:
        """Note whether the shoe waits, and for what; people are shown that once it has lasted a while."""
        part = SharePart.PROMISE if state.shoe.commitment is None else SharePart.SHARE
        identity = part, state.shoe.number
        if not self._missing(state):
            self.stop_waiting()
        elif self._wait is None or self._wait.identity != identity:
            self.stop_waiting()
            showing = asyncio.get_running_loop().call_later(SHOW_SECONDS, self._show_wait)
            self._wait = _BegunWait(identity, state, since=self._live.desk.now, showing=showing)
        else:
            self._wait.state = state
            self._update_shown_wait()

    def _show_wait(self) -> None:
        """Show for which witnesses the shoe has been waiting."""
        wait = self._wait
        assert wait is not None, "nothing is shown once the wait is over"
        wait.is_shown = True
        if names := tuple(sorted(map(self._name, self._missing(wait.state)))):  # the last may just have answered
            shown = WitnessWait(part=wait.identity[0], witnesses=names, since=wait.since)
            self._live.witness_waits.show(self._table, shown, began=wait.began)

    def _update_shown_wait(self) -> None:
        """A witness may have answered while others are still asked: it is no longer named."""
        if self._wait is not None and self._wait.is_shown:
            self._show_wait()

    def stop_waiting(self) -> None:
        """Show no more that the shoe waits: the witnesses have answered, or nobody asks them any more."""
        if self._wait is not None:
            self._wait.showing.cancel()
            self._wait = None
        self._live.witness_waits.end(self._table)

    def _missing(self, state: TableState) -> list[str]:
        """The share keys of the witnesses that have yet to answer before the shoe goes on."""
        held = state.shoe.commitment
        if held is None:
            known = self._promises.get(str(state.shoe.number), {})
            return [key for key in self._keys(state) if key not in known] if is_before_the_cut(state) else []
        if not held.inputs:
            return []
        return [key for key in held.missing_shares if (held.shoe, key) not in self._notes]

    # ------------------------------------------------------------------------------------------------ asking

    def _complain(self, error: Exception, name: str = "a witness") -> None:
        self.retry_at = time.monotonic() + RETRY_SECONDS
        say = f"{self._stream}: the shoe waits for {name}: {str(error) or 'too many are reading'}"
        self._live.log.say("share_missing", say, level="warning")

    async def _fetch_promises(self, state: TableState) -> None:
        """The promise of every witness on record: a shoe names all of them, or does not commit."""
        shoe, keys = str(state.shoe.number), self._keys(state)
        if shoe not in self._promises:
            self._promises, self._notes = {shoe: {}}, {}  # the notes of the shoe before are on record
        await self._ask_each({key: self._fetch_promise(shoe, key) for key in self._missing(state)})
        known = self._promises[shoe]
        if all(key in known for key in keys):  # two persons may have changed the witnesses on record meanwhile
            self._promises = {shoe: {key: known[key] for key in keys}}

    async def _fetch_promise(self, shoe: str, key: str) -> None:
        address = self._witness(key)[1].address
        promise = await in_own_thread(partial(ask_promise, address, origin=self.origin, shoe=shoe))
        self._promises[shoe][key] = WitnessPromise(key=key, promise=promise.hex())
        self._update_shown_wait()

    async def _ask_each(self, asking: Mapping[str, Coroutine[Any, Any, None]]) -> None:
        """Ask several witnesses, by their share keys; what some answer is used though others do not."""
        outcomes = await asyncio.gather(*asking.values(), return_exceptions=True)
        for key, found in zip(asking, outcomes, strict=True):
            if isinstance(found, FAILURES):
                self._complain(found, self._name(key))
            elif isinstance(found, BaseException):
                raise found

    def _name(self, share_key: str) -> str:
        """What the witness of a share key is called: as it cosigns, where the file of witnesses says so."""
        found = self._live.share_witnesses.get(share_key)
        return found[0].name if found is not None else share_key.partition("+")[0]

    def _witness(self, share_key: str) -> tuple[Verifier, KnownWitness]:
        """The witness of a share key, by the file of witnesses."""
        found = self._live.share_witnesses.get(share_key)
        if found is None:
            raise WitnessUnreachable(f"{share_key.partition('+')[0]} is on record, but not in the file of witnesses")
        return found

    async def _fetch_shares(self, held: Commitment) -> None:
        """The share of each named witness that is on no record; those that come are used though others do not."""
        live = self._live
        await live.house.writer.wait_until_flushed()  # the closing is durable
        seq, body = await live.reading.ask(
            lambda reads: _find_closing(reads, self._stream, origin=held.origin, shoe=held.shoe)
        )
        signed = await live.reading.ask(lambda reads: reads.latest_checkpoint(self._stream))
        if signed is None or signed.size <= seq:
            assert live.house.signers is not None, "only a house that signs has witnesses"
            live.house.journal.sign(self._stream, live.house.signers)
            await live.house.writer.wait_until_flushed()
        await self._ask_each({key: self._fetch_share(held, key, seq, body) for key in held.missing_shares})

    async def _fetch_share(self, held: Commitment, share_key: str, seq: int, body: bytes) -> None:
        key, witness = self._witness(share_key)
        note = await self._cosigned(key, witness, seq)
        size, log = read_checkpoint(note).size, self._live.stream_logs.setdefault(self._stream, StreamLog(self._stream))
        path = await self._live.reading.ask(lambda reads: log.prove_inclusion(reads, index=seq, size=size))
        request = ShareRequest(body, EntryProof(seq, path, note))
        answer = await in_own_thread(partial(ask_share, witness.address, request))
        self._notes[held.shoe, share_key] = _lines_of_note(answer, held, share_key, body)
        self._update_shown_wait()

    async def _cosigned(self, key: Verifier, witness: KnownWitness, seq: int) -> SignedNote:
        """A checkpoint that covers the closing and that the witness has cosigned."""
        for _ in range(2):
            note = await self._live.reading.ask(lambda reads: cosigned_note(reads, self._stream, key))
            if note is not None and read_checkpoint(note).size > seq:
                return note
            await cosign_stream(self._live, key, witness.address, self._stream)
        raise CosignatureRejected(f"{key.name} has not cosigned the closing")


class _BegunWait:
    """A wait that has begun: for what, at which shoe, and since when by both clocks."""

    def __init__(
        self, identity: tuple[SharePart, int], state: TableState, *, since: int, showing: asyncio.TimerHandle
    ) -> None:
        self.identity, self.state, self.since, self.showing = identity, state, since, showing
        self.began, self.is_shown = time.monotonic(), False


def _lines_of_note(answer: SignedNote, held: Commitment, share_key: str, body: bytes) -> tuple[str, ...]:
    """The lines of a note that opens the promised share for this closing, signed by the witness; or `ShareRejected`."""
    answer.verified_signatures([Verifier.parse(share_key)])
    rows = tuple(bytes(answer).decode().removesuffix("\n").split("\n"))
    note = read_share_note(rows)
    promise = next(each.promise for each in held.witnesses if each.key == share_key)
    name = share_key.partition("+")[0]
    if note is None or (note.origin, note.shoe, note.leaf) != (held.origin, held.shoe, leaf_hash(body)):
        raise ShareRejected(f"{name} answers for another log, shoe or closing")
    if not note.opens(bytes.fromhex(promise), key=share_key):
        raise ShareRejected(f"{name} opens another share than it promised")
    return rows


def _find_closing(reads: Reads, stream: Stream, *, origin: str, shoe: str) -> tuple[int, bytes]:
    """The number and the body of the record that closed the inputs of a shoe."""
    last = reads.heads()[stream].seq
    while last >= 0:
        first = max(0, last - PAGE + 1)
        for row in reversed(reads.entries(stream, after=first - 1, limit=last - first + 1)):
            # Reading a record takes long, and only the few that name the event can be the closing.
            if b'"inputs_closed"' in row.body and _is_closing(row.body, origin=origin, shoe=shoe):
                return row.seq, row.body
        last = first - 1
    raise ShareRejected(f"the record that closed the inputs of shoe {shoe} is missing")


def _is_closing(body: bytes, *, origin: str, shoe: str) -> bool:
    """Whether a record is the closing of a shoe, as a witness reads it."""
    try:
        return read_closing(body, origin=origin).shoe == shoe
    except ValueError:
        return False
