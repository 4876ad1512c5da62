"""The whole server as a process that is killed and frozen while people play; what was answered must still stand."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import signal
import socket
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from baccarat.audit.journal import audit_journals
from baccarat.client import Client, SeatAnswer, TableClient, command_id
from baccarat.house.invariant import broken_invariants
from baccarat.house.state import HouseState
from baccarat.house.stream import table_stream
from baccarat.record.entry import NO_BYTES, ActRecord, read_body
from baccarat.serve.runtime.recovery import recover
from baccarat.serve.store.journal_export import signed_journal
from baccarat.table.role import Role
from baccarat.table.state import seat_of
from baccarat.table.view import Viewer, view
from served_program import Program
from stored_house import open_house

DONE_BETWEEN = 10
"""So much people do at least before the server is killed or frozen, and again after each time."""
TABLES = ("ma-midi-4", "nj-punto-banco")
PACE = {
    "BACCARAT_PACE": "0.05",
    "BACCARAT_BETTING_SECONDS": "0.5",
    "BACCARAT_SQUEEZE_SECONDS": "0.1",
    "BACCARAT_ANSWER_SECONDS": "0.1",
    "BACCARAT_COMPANY": "1",
    "BACCARAT_REQUESTS_A_SECOND": "10000",
    "BACCARAT_REQUESTS_AT_ONCE": "10000",
}


class Ordeal(msgspec.Struct, frozen=True, kw_only=True):
    """What is done to a server."""

    seed: int = 0
    kills: int = 3
    freezes: int = 1
    players: int = 6


class Outcome(msgspec.Struct, kw_only=True):
    """What came of it; `wrong` is empty if all is well."""

    answers: int = 0
    done: int = 0
    repeats: int = 0
    entries: int = 0
    starts: int = 0
    joins: int = 0
    takeovers: dict[str, list[float]] = {}
    """By what befell a node, `kill` or `freeze`: in how many seconds another served all its tables."""
    late: float = 0.0
    """How late this machine was at worst, where takeovers were timed; see `lateness.py`."""
    wrong: list[str] = []


class Player:
    """Somebody who plays over the wire, and keeps every answer."""

    def __init__(self, number: int, chance: random.Random, *addresses: str) -> None:
        self.chance, self.client = chance, Client(*addresses)
        self.table: TableClient = self.client.table(TABLES[number % len(TABLES)])
        self.who = ""
        self.answers: dict[str, tuple[str, dict[str, Any], SeatAnswer]] = {}
        self.asked: dict[str, str] = {}
        self.wrong: list[str] = []

    async def do(self, act: str, **fields: Any) -> None:
        """Do something under a new id, and keep the answer."""
        id_ = command_id()
        self.asked[id_] = act
        self.answers[id_] = act, fields, await self.table.do(act, id=id_, **fields)

    async def again(self, id_: str) -> None:
        """The same once more: it is answered as it was. A refusal that was only counted is forgotten by a kill."""
        act, fields, before = self.answers[id_]
        after = await self.table.do(act, id=id_, **fields)
        if not before.is_done and not before.seq and not after.is_repeat:
            self.answers[id_] = act, fields, after
            return
        same = (after.is_done, after.seq, after.code) == (before.is_done, before.seq, before.code)
        if not (same and after.is_repeat) and before.code != "problem":
            self.wrong.append(f"{act} {id_} was answered {before}, and then {after}")

    async def play(self, over: asyncio.Event) -> None:
        """Sit, buy in and wager, again and again."""
        while not over.is_set():
            await asyncio.sleep(self.chance.expovariate(1 / 0.03))
            state = self.table.state
            own = next(
                (n for n, held in enumerate(state["seats"]["participants"], 1) if held.get("who") == self.who), 0
            )
            if not own:
                await self.do("sit", seat=self.chance.randrange(1, len(state["seats"]["participants"])))
            elif state["seats"]["participants"][own - 1].get("chips", 0) < 10_000:
                with contextlib.suppress(Exception):  # whoever lost the seat meanwhile is told so
                    await self.client.buy_in(self.table.name, 200_000)
            elif self.chance.random() < 0.15 and self.answers:
                await self.again(self.chance.choice(list(self.answers)))
            elif self.chance.random() < 0.05:
                await self.do("leave", seat=own)
            else:
                await self._wager(own)

    async def _wager(self, seat: int) -> None:
        on = self.chance.choice(("banker", "player"))
        if self.chance.random() < 0.3:
            await self.do("withdraw_wager", seat=seat, on=on)
        else:
            await self.do("place_wager", seat=seat, on=on, stake=self.chance.choice((2_500, 5_000, 7)))


def _done_by(players: list[Player]) -> int:
    return sum(answer.is_done for player in players for _, _, answer in player.answers.values())


async def _play_on(players: list[Player]) -> None:
    """Until people have done some more, however busy the machine is."""
    end, enough = time.monotonic() + 120, _done_by(players) + DONE_BETWEEN
    while _done_by(players) < enough:
        assert time.monotonic() < end, "nobody plays on"
        await asyncio.sleep(0.02)


async def endure(folder: Path, ordeal: Ordeal) -> tuple[Outcome, list[Player]]:
    """Let people play while the server is killed and frozen; then look at what its store holds, in `house.db`."""
    chance, port = random.Random(ordeal.seed), free_port()
    db, outcome = folder / "house.db", Outcome()
    programs: list[Program] = []

    def start() -> Program:
        outcome.starts += 1
        programs.append(Program("--db", str(db), "--port", str(port), folder=folder, environment=PACE))
        return programs[-1]

    try:
        program = start()
        await asyncio.to_thread(program.until, "serving")
        players = [
            Player(number, random.Random(chance.getrandbits(64)), f"http://127.0.0.1:{port}")
            for number in range(ordeal.players)
        ]
        over = asyncio.Event()
        async with contextlib.AsyncExitStack() as stack:
            for player in players:
                await stack.enter_async_context(player.client)
                player.who = await player.client.visit()
                await stack.enter_async_context(player.table)
            playing = [asyncio.create_task(player.play(over)) for player in players]
            acts = ["kill"] * ordeal.kills + ["freeze"] * ordeal.freezes
            chance.shuffle(acts)
            for act in acts:
                await _play_on(players)
                await asyncio.sleep(0.2 + chance.random())
                if act == "freeze":
                    os.kill(program.process.pid, signal.SIGSTOP)
                    await asyncio.sleep(0.3 + chance.random())
                    os.kill(program.process.pid, signal.SIGCONT)
                    continue
                program.process.kill()
                await asyncio.to_thread(program.process.wait)  # or it still has the port
                program = start()
                if chance.random() < 0.4:  # and again while it starts and recovers
                    await asyncio.sleep(0.4 + chance.random())
                    program.process.kill()
                    await asyncio.to_thread(program.process.wait)  # or it still has the port
                    program = start()
                await asyncio.to_thread(program.until, "serving")
            await _play_on(players)
            over.set()
            await asyncio.wait_for(asyncio.gather(*playing), 120)
            for player in players:
                for id_ in player.chance.sample(list(player.answers), min(10, len(player.answers))):
                    await asyncio.wait_for(player.again(id_), 120)
                    outcome.repeats += 1
            status = await asyncio.to_thread(program.stopped)
            outcome.wrong += [f"the server ended with {status}"] * (status != 0)
            judge(str(db), folder, players, outcome)
    finally:
        for each in programs:
            each.__exit__(None, None, None)
    return outcome, players


class StoredHouse(msgspec.Struct, frozen=True, kw_only=True):
    """What a store holds once its house is closed, and what is wrong with that by itself."""

    entries: int
    records: dict[tuple[str, str], list[ActRecord]]
    """The records that bear an id, by person and id."""
    state: HouseState
    wrong: list[str]


def read_stored(db: str, folder: Path) -> StoredHouse:
    """Read a store and audit its journal, which is left in a folder."""
    with closing(open_house(db)) as store:
        lines = list(signed_journal(store))
        records = [entry for stored in store.tail({}) if isinstance(entry := read_body(stored.body), ActRecord)]
        found = recover(store)
    assert found is not None, "a house is stored"
    wrong = [f"astray: {each}" for each in broken_invariants(found.state)]
    journal = folder / "journal.jsonl"
    journal.write_bytes(b"".join(lines))
    wrong += [f"audit: {each}" for each in audit_journals([journal]).findings[:5]]
    stands: dict[tuple[str, str], list[ActRecord]] = {}
    for record in records:
        if record.id:
            stands.setdefault((record.who or "", record.id), []).append(record)
    entries = sum(not line.startswith(b'{"checkpoint"') for line in lines)
    return StoredHouse(entries=entries, records=stands, state=found.state, wrong=wrong)


def judge(db: str, folder: Path, players: list[Player], outcome: Outcome) -> None:
    """What is lost, doubled, refused wrongly or astray; the journal that is judged is left in a folder."""
    judge_answers(read_stored(db, folder), players, outcome)


def judge_answers(stored: StoredHouse, players: list[Player], outcome: Outcome) -> None:
    """The same of a store that has been read."""
    wrong = outcome.wrong
    wrong += stored.wrong
    outcome.entries = stored.entries
    for player in players:
        wrong += player.wrong
        outcome.joins += player.table.joins
        for id_, (act, _, answer) in player.answers.items():
            outcome.answers += 1
            outcome.done += answer.is_done
            kept = stored.records.get((player.who, id_), [])
            if len(kept) > 1:
                wrong.append(f"doubled: {act} {id_}")
            elif answer.code != "problem" and [(each.seq, each.refused is NO_BYTES) for each in kept] != (
                [(answer.seq, answer.is_done)] if answer.seq or answer.is_done else []
            ):
                wrong.append(f"lost: {act} {id_} was answered {answer}, and there is {kept}")
            elif answer.code == "problem" and kept:
                wrong.append(f"wrongly refused: {act} {id_} was done: {answer.say}")
        strange = [id_ for who, id_ in stored.records if who == player.who and id_ not in player.asked]
        wrong += [f"nobody gave the id {id_}" for id_ in strange]
        table = player.table.name
        state = stored.state.tables[table]
        shown = view(stored.state.rules(table), state, Viewer(Role.PARTICIPANT, seat_of(state, player.who)))
        if player.table.view != json.loads(msgspec.json.encode(shown)):
            wrong.append(f"{player.who} does not see {table_stream(table)} as it was closed")


def free_port() -> int:
    """A port that nobody has, nor is given by the system while a server that is started again has let go of it."""
    given = Path("/proc/sys/net/ipv4/ip_local_port_range")
    lowest = int(given.read_text(encoding="ascii").split()[0]) if given.exists() else 32_768
    while True:
        port = random.SystemRandom().randrange(max(1_024, lowest - 16_384), max(2_048, lowest))
        with socket.socket() as made, contextlib.suppress(OSError):
            made.bind(("127.0.0.1", port))
            return port
