"""Somebody in a simulated house: comes, acts, repeats, disturbs, and remembers every answer."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

import websockets

from baccarat.client.seat import SeatAnswer, TableClient
from baccarat.record.entry import NO_BYTES
from baccarat.serve.access.denial import Denied
from baccarat.serve.access.session import SessionKind, open_session
from baccarat.serve.act.intake import CommandNotSubmitted, load_for_chips, sell_chips
from baccarat.serve.fanout.message import WordsKind
from baccarat.serve.fanout.outbox import Outbox
from baccarat.serve.fanout.table_room import Subscriber
from baccarat.serve.fanout.table_words import audience_of
from baccarat.serve.live import HouseServer
from baccarat.serve.route.table_words import WordsOfTables
from baccarat.table.role import TABLE_STAFF, Role
from house_oracle import Broken, expect
from virtual_network import Line

if TYPE_CHECKING:
    from house_simulation import Simulation

T = TypeVar("T")
TABLES = ("ma-midi-4", "ma-midi-4-ez")
LINKED = ("linked 1", "linked 2")
"""Two tables that share their meters, with shoes of a few rounds."""


async def asked(work: Coroutine[Any, Any, T]) -> T:
    """What the house answers to a request; the connection is lost where it dies before that."""
    try:
        async with asyncio.timeout(10.0):
            return await work
    except TimeoutError:
        raise ConnectionResetError("the house has died") from None


class Person:
    """Somebody at a table, who does things by chance; the client is the product's own."""

    def __init__(self, simulation: Simulation, number: int, role: Role) -> None:
        self.simulation, self.number, self.role = simulation, number, role
        self.chance = random.Random(simulation.chance.getrandbits(64))
        tables = (*TABLES, *LINKED) if simulation.mischief.is_linked else TABLES
        self.table_name = tables[number % len(tables)]
        self.words = "work" if role in TABLE_STAFF else "moment"
        self.table = TableClient(self.table_name, self.ticket, words=self.words)
        self.line: Line | None = None
        self.who = ""
        self.session = ""
        self.version = 0
        self.answers: dict[str, tuple[str, dict[str, Any], SeatAnswer]] = {}
        self._counted_by: dict[str, HouseServer | None] = {}
        """The process that was asked first, of each id whose refusal has no record."""
        self.asked: set[str] = set()
        """Ids whose answers are awaited."""

    async def come_in(self) -> None:
        """A session: visitors come by themselves, staff and the public otherwise."""
        live = self.simulation.process.live
        assert live is not None, "people come in while the house is open"
        if self.role is Role.PUBLIC:
            return
        kind = SessionKind.VISITOR if self.role is Role.PARTICIPANT else SessionKind.PERSON
        person = f"person-{self.number:032x}"
        found = await live.desk.change(
            lambda reads, now: open_session(
                reads, person=person, role=self.role, now=now, lifetimes=live.desk.lifetimes, kind=kind
            )
        )
        assert not isinstance(found, Denied), found
        self.who, self.session = found.session.person, found.token.reveal()

    async def ticket(self, table: str) -> tuple[str, str]:
        """Ask the house for a ticket, as a request would."""
        await asyncio.sleep(self.chance.expovariate(1 / 0.01))
        live = self.simulation.process.live
        if live is None:
            raise ConnectionRefusedError("nobody listens")
        held = await asked(live.desk.session(self.session)) if self.session else None
        assert not isinstance(held, Denied), "a session outlives the process"
        given = live.desk.give_ticket(held, table=table, address=live.address)
        assert not isinstance(given, Denied), given
        return given.token.reveal(), str(self.number)

    def check_view(self, until: int) -> None:
        """The view after the last message is that of something durable."""
        if self.table.view:
            oracle, view = self.simulation.oracle, self.table.view
            moment = self.table.words if self.words == "moment" else None
            self.version = oracle.check_view(view, self.who, self.role, self.table_name, self.version, until, moment)

    # -------------------------------------------------------------------------------------------- a life

    async def live_a_life(self, *, acts: bool) -> None:
        """Come, act, go; at last wait for every answer and see the table as it is."""
        simulation, chance = self.simulation, self.chance
        sent: list[asyncio.Task[None]] = []
        async with self.table:
            while simulation.is_disturbed:
                await asyncio.sleep(chance.expovariate(1 / 0.15))
                self._disturb()
                if acts and simulation.process.live is not None:
                    task = asyncio.ensure_future(self._act())
                    sent.append(task)
                    task.add_done_callback(sent.remove)
                    if chance.random() < 0.6:
                        await asyncio.wait({task})
            if sent:
                await asyncio.wait(sent)
            if not acts:
                await self._see_the_end()

    async def _see_the_end(self) -> None:
        """A watcher who is not disturbed any more follows the table to where it stands."""
        oracle = self.simulation.oracle
        for _ in range(200):
            await asyncio.sleep(0.1)
            is_seen = self.table.view == oracle.view_at(
                self.table_name, oracle.last(self.table_name), self.who, self.role
            )
            if is_seen and self.table.words == self._words_now():
                return
        raise Broken(f"{self.role.value} never sees the table as it is, or its words: {self.words}")

    def _words_now(self) -> Any:
        """What REST would answer."""
        live = self.simulation.process.live
        if live is None:
            return None
        room = live.rooms[self.table_name]
        guest = Subscriber(self.who, self.role, Outbox(), words=WordsKind(self.words))
        guest.viewer = guest.viewer_at(room.state)
        audience = audience_of(guest)
        assert audience is not None
        return WordsOfTables(live).find(room, audience)

    def _disturb(self) -> None:
        mischief, chance, line = self.simulation.mischief, self.chance, self.line
        if line is None or not self.simulation.is_disturbed:
            return
        if chance.random() < mischief.cuts:
            line.cut()
        elif chance.random() < mischief.stalls:
            line.stall(stalled=not line.is_stalled)
        elif line.is_stalled and chance.random() < 0.3:
            line.stall(stalled=False)

    async def _act(self) -> None:
        kind = self.chance.random()
        known = sorted(self.answers.keys() - self.asked)
        if kind < 0.2 and known:
            id_ = self.chance.choice(known)
            self.asked.add(id_)
            await (self._repeat(id_) if kind < 0.15 else self._other_body(id_))
            self.asked.discard(id_)
        elif kind < 0.23 and self.line is not None and not self.line.is_broken:
            with contextlib.suppress(websockets.ConnectionClosed):
                await self.line.send(
                    self.chance.choice(('{"type":"do"', '{"type":"seen","seq":1}', "[1", '{"type":"ping"}'))
                )
        else:
            await self._do(self.simulation.new_id(), *await self._wish())

    async def _wish(self) -> tuple[str, dict[str, Any]]:
        """What somebody wants to do now; much of it is refused."""
        chance = self.chance
        state = self.table.view.get("state", {})
        people = state.get("seats", {}).get("participants", [])
        own = next((n for n, held in enumerate(people, 1) if held and held.get("who") == self.who), 0)
        if not own or chance.random() < 0.05:
            return "sit", {"seat": chance.randrange(1, 5)}
        if people[own - 1].get("chips", 0) < 5_000 and chance.random() < 0.5:
            await self._buy(own)
        kinds: list[tuple[str, dict[str, Any]]] = [
            ("place_wager", {"seat": own, "on": chance.choice(("banker", "player", "tie")), "stake": 2_500}),
            ("place_wager", {"seat": own, "on": "banker", "stake": chance.choice((1, 5_000, 10**9))}),
            ("withdraw_wager", {"seat": own, "on": "banker"}),
            ("place_wager", {"seat": chance.randrange(1, 5), "on": "banker", "stake": 2_500}),
            ("answer_cut", {"seat": own, "accept": chance.random() < 0.5}),
            ("answer_shoe", {"seat": own, "accept": chance.random() < 0.5}),
            ("call_no_more_bets", {}),
            ("leave", {"seat": own}),
        ]
        if self.table_name in LINKED and state.get("step") == "wager" and chance.random() < 0.5:
            return "place_wager", {"seat": own, "on": "royal9", "stake": 500}
        return chance.choices(kinds, weights=(12, 2, 2, 5, 2, 2, 1, 2))[0]

    async def _buy(self, seat: int) -> None:
        live = self.simulation.process.live
        if live is not None and live.sits_at(self.table_name, seat) == self.who:
            key = self.simulation.new_id()
            with contextlib.suppress(CommandNotSubmitted, ConnectionResetError):  # the house is closing, or dies
                held = await asked(live.desk.session(self.session))
                assert not isinstance(held, Denied), "a session outlives the process"
                await asked(load_for_chips(live, self.table_name, held, key=key))
                sell_chips(live, self.table_name, held, 50_000, key=key, on_durable=lambda _entered: None)

    async def _do(self, id_: str, act: str, fields: dict[str, Any]) -> None:
        process = self.simulation.process.live
        answer = await self.table.do(act, id=id_, **fields)
        self.answers[id_] = (act, fields, answer)
        if not answer.is_done and not answer.seq:
            self._counted_by[id_] = process

    async def _repeat(self, id_: str) -> None:
        """The same again under the same id: the answer is the same."""
        act, fields, before = self.answers[id_]
        again = await self.table.do(act, id=id_, **fields)
        if self._is_forgotten(id_):
            self.answers[id_] = (act, fields, again)
        elif 0 < before.seq < self.simulation.first_kept(self.table_name):
            # Its shoe was dropped: that the id was used is known for ever, and what was said is not.
            is_once = again.code == "repeated_id" or (again.seq == before.seq and again.is_repeat)
            self.simulation.note(lambda: expect(is_once, f"J3: {id_} was answered {before} and then {again}"))
        elif before.code not in ("problem", "repeated_id"):
            same = (again.is_done, again.seq, again.code) == (before.is_done, before.seq, before.code)
            self.simulation.note(lambda: expect(same, f"J3: {id_} was answered {before} and then {again}"))
            self.simulation.note(lambda: expect(again.is_repeat, f"J3: {id_} is no repeat the second time"))
        elif before.code == "problem":  # it did not come to the table, and the id was free for what is on record now
            self.answers[id_] = (act, fields, again)

    async def _other_body(self, id_: str) -> None:
        """Another command under an id that was used: it is never done."""
        if self._is_forgotten(id_):
            return
        _, _, before = self.answers[id_]
        again = await self.table.do("sit", id=id_, seat=13)
        if before.seq and before.code != "repeated_id":
            self.simulation.note(lambda: expect(not again.is_done, f"J3: another command was done under {id_}"))

    def _is_forgotten(self, id_: str) -> bool:
        """Whether a refusal was only counted, by a process that has died since: its id may be decided again."""
        return id_ in self._counted_by and self._counted_by[id_] is not self.simulation.process.live

    def check_answers(self) -> None:
        """Everything that was answered stands in the journal as it was answered, and nothing that was not asked for."""
        ids = self.simulation.oracle.ids
        strange = [id_ for who, id_ in ids if who == self.who and self.who and id_ not in self.answers]
        expect(not strange, f"{self.who} never gave the ids {strange[:3]}")
        for id_, (act, _, answer) in self.answers.items():
            record = ids.get((self.who, id_))
            if answer.is_done:
                expect(
                    record is not None and record.seq == answer.seq, f"{act} {id_} was acknowledged and is not there"
                )
            elif record is not None:
                expect(
                    record.refused is not NO_BYTES,
                    f"{act} {id_} was done, and was answered as {answer.code}: {answer.say}",
                )
