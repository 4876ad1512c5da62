"""Words in the frames: whoever follows them has what REST answers, whatever was lost on the way; and nobody else's."""

from __future__ import annotations

import asyncio
import json
import random
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import pytest
import websockets

from baccarat.client import Client, TableClient
from baccarat.law.rulebook import rulebook
from baccarat.serve.access.base import MINUTE
from baccarat.serve.access.session import Session
from baccarat.serve.fanout.message import Bye, WordsKind
from baccarat.serve.fanout.outbox import Outbox
from baccarat.serve.fanout.table_room import Subscriber, TableRoom
from baccarat.serve.fanout.table_words import WordsAudience
from baccarat.table.json_difference import Json
from baccarat.table.machine import Table
from baccarat.table.role import Role
from baccarat.table.seating_acts import BuyIn, Leave, Sit
from dealer_house import NAME, SEAT, DealerHouse, dealer_house
from followed_house import following
from house_of_roles import ROLES
from later_clock import LaterClock
from served import run_for, soon

slow = pytest.mark.slow


class LosingClient(TableClient):
    """A client of the product that loses what it is sent now and then, and whose line breaks."""

    loses_next = False
    lacks_something = False
    """Whether something was lost, and nothing has come since by which that could be noticed."""

    async def _handle_message(self, said: dict[str, Any]) -> bool:
        if self.loses_next and said["type"] in ("patch", "words"):
            self.loses_next, self.lacks_something = False, True
            return True
        is_whole = await super()._handle_message(said)
        self.lacks_something &= is_whole and said["type"] != "view"
        return is_whole

    def break_line(self) -> None:
        if self._socket is not None:
            self._socket.transport.abort()


FOLLOWED = [
    (Role.PARTICIPANT, "moment"), (Role.PARTICIPANT, ""), (None, "moment"), (Role.CAGE_CASHIER, "moment"),
    (Role.DEALER, "moment"), (Role.DEALER, "work"), (Role.FLOORPERSON, "work"), (Role.SURVEILLANCE, "work"),
]  # fmt: skip


async def same_words(house: DealerHouse, role: Role | None, client: TableClient, words: str) -> None:
    """A client comes to have what REST answers to this role now."""
    found = (await house.house.get(f"{house.path}/{words}", role=role)).json
    await soon(lambda: client.words == found, f"{words} of {role}: {client.words} is not {found}", within=30)


async def after_each_act(house: DealerHouse, clients: list[tuple[Role | None, str, LosingClient]], seed: int) -> None:
    """Compare what everybody has; break some lines, and have others lose what comes next."""
    chance = random.Random(seed)
    for role, words, client in clients:
        if client.loses_next or client.lacks_something:
            continue
        if words:
            await same_words(house, role, client, words)
        else:
            assert client.words == {}
        if chance.random() < 0.1:
            client.break_line()
        elif chance.random() < 0.15:
            client.loses_next = True


@slow
@pytest.mark.parametrize("seed", [1, 2])
def test_after_every_act_the_words_of_the_frames_are_those_that_rest_answers(seed: int, tmp_path: Path) -> None:
    async def play(house: DealerHouse, clients: list[tuple[Role | None, str, LosingClient]]) -> None:
        acts = 0

        async def look() -> None:
            nonlocal acts
            acts += 1
            await after_each_act(house, clients, 100 * seed + acts)

        cards = iter(["6h", "7d", "7s", "8h", "2c", "3d", "9c", "9h"])
        await house.wager(banker=2_500, tie=500)
        await look()
        await house.house.ask("POST", f"{house.path}/floor-call", role=Role.DEALER)
        await look()
        is_over = False
        while not is_over:
            work = await house.work()
            if work["acts"]:
                await house.press(card=next(cards) if work["acts"][0]["fields"] else None)
            else:
                await house.act(Role.PARTICIPANT, work["waiting"][0]["act"], seat=SEAT)
            await look()
            is_over = await house.step() == "wager"
        await house.house.ask("DELETE", f"{house.path}/floor-call", role=Role.FLOORPERSON)
        for *_, client in clients:
            client.loses_next = False
        await house.act(Role.PARTICIPANT, "leave", seat=SEAT)
        await soon(lambda: not any(client.lacks_something for *_, client in clients), "a loss is not noticed")
        await look()
        assert acts > 15
        assert sum(client.joins for *_, client in clients) > len(clients), "lines broke"

    async def work() -> None:
        async with dealer_house(tmp_path) as house, asyncio.TaskGroup() as group:
            await house.open_shoe()
            address, tokens = house.house.address, house.house.tokens
            done = asyncio.Event()
            clients: list[tuple[Role | None, str, LosingClient]] = []

            async def follow(role: Role | None, words: str) -> None:
                person = Client(address, token=tokens[role] if role is not None else "")
                async with person, LosingClient(NAME, person.ticket, words=words) as table:
                    clients.append((role, words, table))
                    await done.wait()

            for each in FOLLOWED:
                group.create_task(follow(*each))
            await soon(lambda: len(clients) == len(FOLLOWED))
            await play(house, clients)
            done.set()

    run_for(work())


# ------------------------------------------------------------------------------------------------ who is shown what


async def joined(house: DealerHouse, role: Role | None, words: str, count: int) -> list[dict[str, Any]]:
    """The first messages to somebody who joins with these words."""
    ticket = await house.house.ask("POST", "/api/tickets", {"table": NAME}, role=role)
    assert ticket.status == 201, ticket
    address = house.house.address.replace("http", "ws", 1) + ticket.json["socket"]
    async with websockets.connect(address, close_timeout=0.5) as socket:
        await socket.send(json.dumps({"type": "join", "ticket": ticket.json["ticket"], "words": words}))
        return [json.loads(await asyncio.wait_for(socket.recv(), 60)) for _ in range(count)]


@slow
def test_each_role_is_sent_the_words_that_rest_gives_it_and_no_others(tmp_path: Path) -> None:
    async def work() -> None:
        async with dealer_house(tmp_path) as house:
            await house.open_shoe()
            await house.wager(banker=2_500)
            for role in (*ROLES, None):
                for words in ("moment", "work"):
                    asked = await house.house.get(f"{house.path}/{words}", role=role)
                    assert asked.status == 200 or words == "work", role
                    if asked.status == 200:
                        (view,) = await joined(house, role, words, 1)
                        assert view["words"] == {"seq": 0, "set": asked.json}, role
                    else:
                        problem, view = await joined(house, role, words, 2)
                        assert (problem["type"], "words" in view) == ("problem", False), role
            (bye,) = await joined(house, Role.DEALER, "everything", 1)
            assert (bye["type"], bye["why"]) == ("bye", "no_ticket")

    run_for(work())


@slow
def test_a_call_for_the_floorperson_is_shown_where_the_work_is_and_nowhere_else(tmp_path: Path) -> None:
    async def work() -> None:
        async with dealer_house(tmp_path) as house:
            await house.open_shoe()
            who, session = house.house.people[Role.DEALER], await held(house)
            guests = {words: Subscriber(who, Role.DEALER, Outbox(), held=session, words=words) for words in WordsKind}
            room = house.house.live.rooms[NAME]
            for guest in guests.values():
                room.join(guest)
                guest.line.drain()
            await house.house.ask("POST", f"{house.path}/floor-call", role=Role.DEALER)
            sent = {words: list(map(json.loads, guest.line.drain())) for words, guest in guests.items()}
            (said,) = sent.pop(WordsKind.WORK)
            assert list(sent.values()) == [[], []]
            assert said["type"] == "words"
            assert list(said["words"]["set"]) == ["floor_called"]
            assert said["words"]["set"]["floor_called"]["table"] == NAME

    run_for(work())


async def held(house: DealerHouse) -> Session:
    """The session of the dealer."""
    found = await house.house.live.desk.session(house.house.tokens[Role.DEALER])
    assert isinstance(found, Session)
    return found


@slow
@pytest.mark.parametrize("is_used_elsewhere", [False, True])
def test_a_console_that_has_locked_is_shown_no_more_work(
    is_used_elsewhere: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It locks for want of acts; one that was used over another connection has not locked."""

    async def work() -> None:
        async with dealer_house(tmp_path) as house:
            await house.open_shoe()
            live = house.house.live
            guest = Subscriber("d", Role.DEALER, Outbox(), held=at_device(await held(house)), words=WordsKind.WORK)
            live.rooms[NAME].join(guest)
            guest.line.drain()
            desk = live.desk
            clock = desk._clock
            if is_used_elsewhere:
                monkeypatch.setattr(desk, "_clock", LaterClock(clock, 3 * MINUTE))
                assert isinstance(desk.use(at_device(await held(house)), acted=True), Session)
            monkeypatch.setattr(desk, "_clock", LaterClock(clock, 6 * MINUTE))
            await house.wager(banker=2_500)
            first, *others = map(json.loads, guest.line.drain())
            if is_used_elsewhere:
                assert first["words"]["set"], others
            else:
                assert (first["type"], first["why"], others) == ("bye", "locked", [])
                assert guest.line.is_ended

    run_for(work())


def at_device(session: Session) -> Session:
    """The same at a console of the pit, which locks."""
    return msgspec.structs.replace(session, device="device-7")


# ------------------------------------------------------------------------------------------------ once for all


class CountingFinder:
    """Finds words that a test sets, and counts."""

    def __init__(self) -> None:
        self.now: dict[WordsAudience, Json] = {}
        self.common: Json = {"call": "", "then": "", "many": list(range(50))}
        self.asked: list[WordsAudience] = []
        self.fails_for: set[Role] = set()
        self.locked: set[str] = set()
        """The sessions whose consoles are locked."""
        self.reported: list[Exception] = []

    def find(self, _room: TableRoom, audience: WordsAudience) -> Json:
        self.asked.append(audience)
        if audience.viewer.role in self.fails_for:
            raise ZeroDivisionError
        return self.now.get(audience, self.common)

    def check(self, guest: Subscriber) -> Bye | None:
        return Bye(why="locked", say="This console is locked.") if guest.session in self.locked else None

    def report(self, error: Exception) -> None:
        self.reported.append(error)


def test_words_are_found_once_for_all_who_are_shown_the_same_and_sent_only_as_they_change() -> None:
    async def work() -> None:
        table, finder = Table(rulebook("ma-midi-4")), CountingFinder()
        room = TableRoom("T", table.rules, table.state)
        room.words.set_finder(finder)
        table.do(Sit(seat=3, person="p3"))
        kinds = (WordsKind.NONE, WordsKind.MOMENT)
        seen = {kind: [Subscriber(f"x{n}", Role.PUBLIC, Outbox(), words=kind) for n in range(3)] for kind in kinds}
        for guest in (guest for guests in seen.values() for guest in guests):
            room.join(guest)
        assert len(finder.asked) == 1, "the first who comes is sent what all others are sent"

        def publish(**changed: str) -> list[list[dict[str, Any]]]:
            """An act that the public does not see, and words that have changed."""
            finder.asked.clear()
            finder.common = {**finder.common, **changed}
            before = len(table.log)
            table.do(BuyIn(seat=3, amount=100))
            room.publish(table.rules, table.state, table.log[before:])
            return [[json.loads(text) for text in each.line.drain()] for guests in seen.values() for each in guests]

        publish()  # everybody sees that somebody sits there now
        for call, number in (("a", 0), ("b", 1)):
            *plain, one, two, three = publish(call=call)
            assert plain == [[], [], []], "nobody is sent words who did not ask for them"
            assert one == two == three
            words = {"from": number, "seq": number + 1, "set": {"call": call}}
            assert one == [{"type": "words", "seq": 1, "words": words}]
            assert len(finder.asked) == 1
        assert publish() == [[]] * 6, "nothing has changed"
        for guest in seen[WordsKind.MOMENT]:
            room.leave(guest)
        publish(call="c")
        assert finder.asked == [], "nobody is here who asked for words"
        again = Subscriber("x", Role.PUBLIC, Outbox(), words=WordsKind.MOMENT)
        room.join(again, run=room.run_of(again.viewer), after=1)
        (text,) = again.line.drain()
        assert json.loads(text)["words"] == {"seq": 0, "set": finder.common}, "whoever comes back is sent all words"

    asyncio.run(work())


@pytest.mark.parametrize("seat", [3, 4])
def test_people_who_change_places_in_one_commit_are_sent_its_words(seat: int) -> None:
    """Each comes to an audience that somebody was in until this commit, and nobody stays in."""

    async def work() -> None:
        table, finder = Table(rulebook("ma-midi-4")), CountingFinder()
        table.do(Sit(seat=3, person="a"))
        room = TableRoom("T", table.rules, table.state)
        room.words.set_finder(finder)
        people = [Subscriber(who, Role.PARTICIPANT, Outbox(), words=WordsKind.MOMENT) for who in "ab"]
        for guest in people:
            room.join(guest)

        def publish(call: str, *acts: Sit | Leave | BuyIn) -> list[list[dict[str, Any]]]:
            for guest in people:
                guest.line.drain()
            finder.common = {**finder.common, "call": call}
            before = len(table.log)
            for act in acts:
                table.do(act)
            room.publish(table.rules, table.state, table.log[before:])
            return [list(map(json.loads, guest.line.drain())) for guest in people]

        publish("first", BuyIn(seat=3, amount=100))
        changed = publish("second", Leave(seat=3), Sit(seat=seat, person="b"))
        for (seen,) in changed:
            assert (seen["type"], seen["words"]["set"]["call"]) == ("view", "second")
        for (before,), (seen,) in zip(changed, publish("third", BuyIn(seat=seat, amount=100)), strict=True):
            assert (seen["words"]["from"], seen["words"]["set"]) == (before["words"]["seq"], {"call": "third"})

    asyncio.run(work())


@pytest.mark.parametrize("changes_by", ["an act", "a call"])
def test_a_dealer_who_comes_back_before_a_locked_line_is_gone_is_sent_the_work_of_now(changes_by: str) -> None:
    async def work() -> None:
        table, finder = Table(rulebook("ma-midi-4")), CountingFinder()
        room = TableRoom("T", table.rules, table.state)
        room.words.set_finder(finder)
        locked, back = (Subscriber("d", Role.DEALER, Outbox(), session=each, words=WordsKind.WORK) for each in "12")
        room.join(locked)
        finder.locked, finder.common = {"1"}, {**finder.common, "call": "new"}
        if changes_by == "an act":
            table.do(Sit(seat=3, person="p3"))
            room.publish(table.rules, table.state, table.log[-1:])
        else:
            room.refresh_words()
        assert locked.line.is_ended
        room.join(back)
        (text,) = back.line.drain()
        assert json.loads(text)["words"]["set"] == finder.common

    asyncio.run(work())


def test_a_bug_in_the_words_of_those_who_come_or_change_places_keeps_nobody_else_from_the_table() -> None:
    async def work() -> None:
        table, finder = Table(rulebook("ma-midi-4")), CountingFinder()
        room = TableRoom("T", table.rules, table.state)
        room.words.set_finder(finder)
        sits, comes, other = (
            Subscriber(who, role, Outbox(), words=WordsKind.MOMENT)
            for who, role in (("a", Role.PARTICIPANT), ("b", Role.PARTICIPANT), ("x", Role.PUBLIC))
        )
        room.join(sits)
        room.join(other)
        finder.fails_for = {Role.PARTICIPANT}
        table.do(Sit(seat=3, person="a"))
        room.publish(table.rules, table.state, table.log[-1:])
        assert sits.line.is_ended
        assert json.loads(sits.line.drain()[-1])["why"] == "fault"
        with pytest.raises(ZeroDivisionError):
            room.join(comes)
        assert list(room.guests) == [sits, other]
        finder.common = {**finder.common, "call": "new"}
        table.do(BuyIn(seat=3, amount=100))
        room.publish(table.rules, table.state, table.log[-1:])
        *_, last = map(json.loads, other.line.drain())
        assert last["words"]["set"] == {"call": "new"}
        assert [type(error) for error in finder.reported] == [ZeroDivisionError]

    asyncio.run(work())


def test_a_bug_in_the_words_ends_the_lines_of_those_who_follow_them_and_no_others() -> None:
    async def work() -> None:
        table, finder = Table(rulebook("ma-midi-4")), CountingFinder()
        room = TableRoom("T", table.rules, table.state)
        room.words.set_finder(finder)
        dealer, public = Role.DEALER, Role.PUBLIC
        follows, plain, other = (
            Subscriber("d", dealer, Outbox(), words=WordsKind.MOMENT), Subscriber("d", dealer, Outbox()),
            Subscriber("x", public, Outbox(), words=WordsKind.MOMENT),
        )  # fmt: skip
        for guest in (follows, plain, other):
            room.join(guest)
            guest.line.drain()
        finder.fails_for, finder.common = {dealer}, {**finder.common, "call": "new"}
        table.do(Sit(seat=3, person="p3"))
        room.publish(table.rules, table.state, table.log[-1:])
        patch, bye = map(json.loads, follows.line.drain())
        assert (patch["type"], "words" in patch, bye["type"], bye["why"]) == ("patch", False, "bye", "fault")
        assert [json.loads(text)["type"] for text in plain.line.drain()] == ["patch"]
        (said,) = map(json.loads, other.line.drain())
        assert said["words"]["set"] == {"call": "new"}
        assert [type(error) for error in finder.reported] == [ZeroDivisionError]

    asyncio.run(work())


@slow
def test_orders_that_name_an_event_which_only_the_store_has_are_followed_too(tmp_path: Path) -> None:
    async def work() -> None:
        async with dealer_house(tmp_path) as house:
            await house.open_shoe()
            house.house.live.house._recent.clear()  # as after a restart, or after many rounds
            async with following(house.house, Role.FLOORPERSON) as floor:
                await floor.next()
                await floor.socket.send(json.dumps({"type": "follow", "stream": f"table {NAME}"}))
                await asyncio.wait_for(floor.until(lambda seen: "acts" in seen), 30)
                path = f"/api/me/acts?stream={quote(f'table {NAME}')}"
                found = (await house.house.get(path, role=Role.FLOORPERSON)).json
                assert floor.topics["acts"]["acts"] == found["acts"]

    run_for(work())
