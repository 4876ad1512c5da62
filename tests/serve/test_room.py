"""A room: whoever follows its frames sees what a whole view shows, also after coming back."""

from __future__ import annotations

import asyncio
import json
import random
from typing import Any

import msgspec
import pytest

from baccarat.law.rulebook import rulebook
from baccarat.play.wager import WagerKind
from baccarat.serve.fanout.outbox import MOST_WAITING, Outbox
from baccarat.serve.fanout.table_room import MOST_KEPT, Subscriber, TableRoom
from baccarat.table.automation import next_due, perform
from baccarat.table.base import Event
from baccarat.table.machine import Table
from baccarat.table.patch import apply_patch
from baccarat.table.role import Role
from baccarat.table.seating_acts import BuyIn, Leave, Sit
from baccarat.table.source import SealedShoe
from baccarat.table.state import TableState
from baccarat.table.step.wagering import PlaceWager
from baccarat.table.view import view


def steps(count: int) -> list[tuple[TableState, tuple[Event, ...]]]:
    """A table of which every act is one commit: people come, wager, and leave again."""
    table, made = Table(rulebook("ma-midi-4")), list[tuple[TableState, tuple[Event, ...]]]()
    shoe = SealedShoe(table.rules, lambda number: bytes([number]) * 32, table="T")
    chance = random.Random(7)
    wagered = (-1, -1)

    def did(before: int) -> None:
        made.append((table.state, tuple(table.log[before:])))

    while len(made) < count:
        before, moment = len(table.log), (table.state.shoe.number, table.state.round.number)
        if table.state.step == "wager" and wagered != moment:
            wagered = moment
            for seat in (2, 5):
                if table.state.at(seat) is None:
                    table.do(Sit(seat=seat, person=f"p{seat}"))
                    table.do(BuyIn(seat=seat, amount=1_000_000))
                elif seat == 5 and chance.random() < 0.3:
                    table.do(Leave(seat=seat))
                    continue
                table.do(PlaceWager(seat=seat, on=WagerKind.BANKER, stake=2_500))
                did(before)
                before = len(table.log)
        perform(table, next_due(table, shoe), shoe)
        did(before)
    return made


class Follower:
    """Somebody who keeps a view by what is sent."""

    def __init__(self, who: str, role: Role) -> None:
        self.who, self.role = who, role
        self.view: Any = None
        self.seq, self.run = -1, ""
        self.wholes = 0
        self.join()

    def join(self) -> None:
        self.line = Outbox()
        self.guest = Subscriber(self.who, self.role, self.line)

    def read(self) -> None:
        for text in self.line.drain():
            said = json.loads(text)
            if said["type"] == "view":
                self.view, self.seq, self.run = said["view"], said["seq"], said["run"]
                self.wholes += 1
            else:
                assert said["from"] == self.seq, "no frame is missing"
                apply_patch(self.view, said)
                self.seq = said["seq"]


FOLLOWERS = [
    ("p2", Role.PARTICIPANT), ("p5", Role.PARTICIPANT), ("nobody", Role.PARTICIPANT), ("x", Role.PUBLIC),
    ("d", Role.DEALER), ("s", Role.SURVEILLANCE), ("c", Role.CAGE_CASHIER), ("a", Role.ADMINISTRATOR),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_who_comes_and_goes_sees_what_a_whole_view_shows(seed: int) -> None:
    async def work() -> None:
        rules, chance = rulebook("ma-midi-4"), random.Random(seed)
        acts = steps(400)
        room = TableRoom("T", rules, acts[0][0])
        followers = [Follower(*each) for each in FOLLOWERS for _ in range(2)]
        here: set[Follower] = set()
        for state, events in acts[1:]:
            for follower in followers:
                if chance.random() < 0.1 and follower in here:
                    follower.read()
                    room.leave(follower.guest)
                    here.discard(follower)
                elif chance.random() < 0.3 and follower not in here:
                    follower.join()
                    room.join(follower.guest, run=follower.run, after=follower.seq if follower.seq >= 0 else None)
                    here.add(follower)
            room.publish(rules, state, events)
            for follower in here:
                follower.read()
                shown = view(rules, state, follower.guest.viewer_at(state))
                assert follower.view == json.loads(msgspec.json.encode(shown))
        assert sum(follower.wholes for follower in followers) < 150, "most come back by a patch"

    asyncio.run(work())


def test_nobody_is_sent_anything_where_nothing_changed_for_him() -> None:
    async def work() -> None:
        rules = rulebook("ma-midi-4")
        acts = steps(60)
        room, public = TableRoom("T", rules, acts[0][0]), Follower("x", Role.PUBLIC)
        room.join(public.guest)
        public.read()
        frames = 0
        for state, events in acts[1:]:
            before = public.view
            before = json.dumps(before)
            room.publish(rules, state, events)
            texts = public.line.drain()
            frames += len(texts)
            for text in texts:
                said = json.loads(text)
                assert said["seq"] == frames, "numbers count what was sent, and nothing else"
                assert said.keys() & {"set", "splice", "drop", "due", "events"}
                apply_patch(public.view, said)
        assert frames < len(acts) - 1, "wagers are not for everybody to see"

    asyncio.run(work())


def test_who_was_away_too_long_gets_the_whole_view() -> None:
    async def work() -> None:
        rules = rulebook("ma-midi-4")
        acts = steps(2 * MOST_KEPT)
        room, gone, stays = TableRoom("T", rules, acts[0][0]), Follower("d", Role.DEALER), Follower("e", Role.DEALER)
        for follower in (gone, stays):
            room.join(follower.guest)
            follower.read()
        room.leave(gone.guest)
        for state, events in acts[1:]:
            room.publish(rules, state, events)
            stays.read()
        gone.join()
        room.join(gone.guest, run=gone.run, after=gone.seq)
        gone.read()
        assert gone.wholes == 2
        assert gone.view == stays.view
        other = Follower("f", Role.DEALER)
        room.join(other.guest, run="of another start", after=3)
        other.read()
        assert other.wholes == 1

    asyncio.run(work())


def test_a_reader_that_does_not_read_is_let_go_and_told_why() -> None:
    async def work() -> None:
        line, sent = Outbox(), list[str]()
        for number in range(MOST_WAITING + 10):
            line.put(str(number))

        async def send(text: str) -> None:
            sent.append(text)

        await line.run(send)
        assert line.is_too_slow
        assert json.loads(sent[-1])["why"] == "too_slow"
        assert len(sent) == 1, "what waited is not worth sending: a patch from the last frame read says it shorter"

    asyncio.run(work())


def test_who_comes_back_learns_nothing_of_what_was_hidden_meanwhile() -> None:
    async def work() -> None:
        rules = rulebook("ma-midi-4")
        table = Table(rules)
        table.do(Sit(seat=2, person="p2"))
        room, public = TableRoom("T", rules, table.state), Follower("x", Role.PUBLIC)
        room.join(public.guest)
        public.read()
        room.leave(public.guest)
        before = len(table.log)
        table.do(BuyIn(seat=2, amount=5_000))
        room.publish(rules, table.state, tuple(table.log[before:]))
        public.join()
        room.join(public.guest, run=public.run, after=public.seq)
        assert public.line.drain() == [], "a buy-in is nothing that everybody sees"

    asyncio.run(work())


def test_nobody_goes_on_from_what_another_saw_at_the_same_seat() -> None:
    async def work() -> None:
        rules = rulebook("ma-midi-4")
        table = Table(rules)
        table.do(Sit(seat=2, person="ann"))
        room, ann, bob = (
            TableRoom("T", rules, table.state),
            Follower("ann", Role.PARTICIPANT),
            Follower("bob", Role.PARTICIPANT),
        )
        room.join(ann.guest)
        ann.read()
        room.leave(ann.guest)
        for command in (Leave(seat=2), Sit(seat=2, person="bob"), BuyIn(seat=2, amount=5_000), Leave(seat=2)):
            before = len(table.log)
            table.do(command)
            room.publish(rules, table.state, tuple(table.log[before:]))
        before = len(table.log)
        table.do(Sit(seat=2, person="ann"))
        room.publish(rules, table.state, tuple(table.log[before:]))
        bob.run, bob.seq = ann.run, ann.seq
        for follower in (ann, bob):
            follower.join()
            room.join(follower.guest, run=follower.run, after=follower.seq)
            texts = follower.line.drain()
            assert [json.loads(text)["type"] for text in texts] == ["view"]
            assert "5000" not in texts[0], "what bob bought in for is his own"

    asyncio.run(work())
