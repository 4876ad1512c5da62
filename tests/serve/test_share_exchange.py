"""Why a shoe waits for a witness, and what is a bug instead."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest

from baccarat.house.stream import Stream
from baccarat.record.witness_http import WitnessUnreachable
from baccarat.serve.fanout.witness_waits import WitnessWaits
from baccarat.serve.job import share_exchange
from baccarat.serve.job.share_exchange import ShareRejected, TableShares
from baccarat.serve.runtime.stream_log import ProofUnavailable
from baccarat.table.state import TableState
from shared_shoe import ORIGIN, STREAM, closing_body, closing_event

STATE = cast(TableState, SimpleNamespace(shoe=SimpleNamespace(commitment=None, number=0)))


def shares_that_raise(error: Exception, monkeypatch: pytest.MonkeyPatch) -> tuple[TableShares, list[str]]:
    """The shares of a table whose witnesses cannot be asked for this reason, and what the log says."""
    said = list[str]()

    async def fetch(_self: TableShares, *_arguments: object) -> None:
        raise error

    def say(_event: str, text: str, **_more: object) -> None:
        said.append(text)

    monkeypatch.setattr(TableShares, "_fetch_promises", fetch)
    monkeypatch.setattr(TableShares, "awaits", lambda _self, _state: True)
    monkeypatch.setattr(TableShares, "_missing", lambda _self, _state: [])
    desk, log = SimpleNamespace(now=0), SimpleNamespace(say=say)
    live: Any = SimpleNamespace(desk=desk, log=log, witness_waits=WitnessWaits())
    return TableShares(live, "1", origin=ORIGIN), said


@pytest.mark.parametrize("error", [WitnessUnreachable("silent"), ShareRejected("another"), ProofUnavailable("dropped")])
def test_a_shoe_waits_where_a_witness_has_no_part_yet(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    shares, said = shares_that_raise(error, monkeypatch)
    asyncio.run(shares.fetch(STATE))
    assert said == [f"table 1: the shoe waits for a witness: {error}"]
    assert shares.retry_at is not None


@pytest.mark.parametrize("error", [ValueError("of the program"), KeyError("of the program"), TypeError("so is this")])
def test_a_bug_is_a_crash_and_no_silent_witness(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    shares, said = shares_that_raise(error, monkeypatch)
    with pytest.raises(type(error)):
        asyncio.run(shares.fetch(STATE))
    assert not said


class StoredEntries:
    """A store with one stream."""

    def __init__(self, *bodies: bytes) -> None:
        self._rows = [SimpleNamespace(seq=seq, body=body) for seq, body in enumerate(bodies)]

    def heads(self) -> dict[Stream, Any]:
        """The last entry of the stream."""
        return {STREAM: self._rows[-1]}

    def entries(self, _stream: Stream, *, after: int, limit: int) -> Sequence[Any]:
        """Entries after one."""
        return self._rows[after + 1 : after + 1 + limit]


def find(*bodies: bytes) -> tuple[int, bytes]:
    """The closing of shoe 17 among these entries."""
    reads: Any = StoredEntries(*bodies)
    return share_exchange._find_closing(reads, STREAM, origin=ORIGIN, shoe="17")


def test_the_closing_of_the_shoe_is_found_by_what_it_is_and_not_by_its_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    closing = closing_body()
    quoting = closing_body({"event": "note_left", "about": {"event": "inputs_closed"}})
    several = closing_body(closing_event(), {"event": "shoe_ended"})
    another = closing_body(closing_event(shoe="18"))
    for page in (1, 2, 100):
        monkeypatch.setattr(share_exchange, "PAGE", page)
        assert find(b"{}", closing, b"{}", quoting, several, another) == (1, closing)
    with pytest.raises(ShareRejected, match="closed the inputs of shoe 17 is missing"):
        find(b"{}", quoting, several, another)
