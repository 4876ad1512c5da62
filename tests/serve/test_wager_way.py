"""A wager's way from socket to disk and back is the one that ARCHITECTURE.md describes, with no frame more."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import baccarat
from baccarat.client import Client, command_id
from baccarat.house import joint_decision
from baccarat.serve.fanout.outbox import Outbox
from baccarat.serve.store.sqlite import SqliteStore
from baccarat.table.machine import decide
from baccarat.table.step.wagering import PlaceWager
from paths import ROOT
from served import run_for, served

SOURCE = Path(baccarat.__file__).parent
HEADING = "## A wager's way from socket to disk and back"
PLACE = re.compile(r"`([a-z_/]+\.py)`\s+`([A-Za-z_.]+)`")
MOST_WRAPPERS = 2
"""So many functions may stand between the socket's message handler and the engine."""
Frame = tuple[str, str]
"""A function of ours: its file below `src/baccarat`, and its name."""


def frames(frame: FrameType | None) -> list[Frame]:
    """The functions of ours that stand on the stack, the outermost first; a lambda goes by where it is written.

    Of the core only its front doors are named: how they divide their work is their own business.
    """
    found = list[Frame]()
    while frame is not None:
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(SOURCE):
            name = frame.f_code.co_qualname.removesuffix(".<locals>.<lambda>").rpartition("<locals>.")[2]
            where = path.relative_to(SOURCE).as_posix()
            if where.startswith("serve/") or not name.startswith("_"):
                found.append((where, name))
        frame = frame.f_back
    return found[::-1]


class Traces:
    """The stacks at the three turning points of one wager: it is decided, written, and answered."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.id = command_id()
        self.decided, self.written, self.answered = list[Frame](), list[Frame](), list[Frame]()
        patch.setattr(joint_decision, "decide", self._decide)
        self._append, self._put = SqliteStore.append, Outbox.put

        def written(store: SqliteStore, batch: Any) -> None:
            self.write(store, batch, sys._getframe(1))

        def put(line: Outbox, text: str) -> None:
            self.send(line, text, sys._getframe(1))

        patch.setattr(SqliteStore, "append", written)
        patch.setattr(Outbox, "put", put)

    def _decide(self, rules: Any, state: Any, command: Any, *more: Any, **options: Any) -> Any:
        if isinstance(command, PlaceWager):
            self.decided = frames(sys._getframe(1))
        return decide(rules, state, command, *more, **options)

    def write(self, store: SqliteStore, batch: Any, frame: FrameType) -> None:
        """Note where a batch is written that holds the wager."""
        if any(row.id == self.id for row in batch.rows):
            assert self.decided, "it is decided before it is written"
            assert not self.answered, "it is written before it is answered"
            self.written = frames(frame)
        self._append(store, batch)

    def send(self, line: Outbox, text: str, frame: FrameType) -> None:
        """Note where the answer to the wager is put into an outbox."""
        if self.id in text:
            self.answered = frames(frame)
        self._put(line, text)


@pytest.fixture(scope="module")
def traces(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Traces]:
    """Those of a wager that a visitor of a practice house places over a socket."""
    with pytest.MonkeyPatch.context() as patch:
        yield traced(Traces(patch), tmp_path_factory.mktemp("house"))


def traced(found: Traces, folder: Path) -> Traces:
    """The same, once the wager is answered."""

    async def work() -> None:
        async with served(folder, betting_seconds=5.0) as (_, address), Client(address) as client:
            await client.visit()
            async with client.table("ma-midi-4") as table:
                assert (await table.do("sit", seat=2)).is_done
                await client.buy_in(table.name, 100_000)
                await table.until(lambda view: view["state"]["step"] == "wager")
                assert (await table.do("place_wager", id=found.id, seat=2, on="banker", stake=2_500)).is_done

    run_for(work())
    return found


@pytest.mark.slow
def test_few_wrappers_stand_between_the_message_handler_and_the_engine(traces: Traces) -> None:
    handler = traces.decided.index(("serve/http/socket.py", "handle_do"))
    engine = traces.decided.index(("serve/runtime/house.py", "HouseEngine.enter"))
    between = traces.decided[handler + 1 : engine]
    assert len(between) <= MOST_WRAPPERS, between


def test_architecture_tells_the_way_as_it_is(traces: Traces) -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    section = text.split(f"{HEADING}\n")[1].split("\n## ")[0]
    way = [*traces.decided, ("table/machine.py", "decide"), *traces.written, *traces.answered]
    assert PLACE.findall(section) == way[way.index(("serve/http/socket.py", "_serve_table")) :]
