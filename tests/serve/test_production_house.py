"""A real house from nothing: people are entered, a pit and a table opened, and cards that lie on the felt are keyed in.

All of it over HTTP and sockets, as the house's own people do it. The scanner is a keyboard that types cards: it knows
the order of the shoe, as the felt does, and the machine says which card is due.
"""

from __future__ import annotations

import io
import random
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, TypeGuard

import httpx
import msgspec
import pytest

from baccarat.cards import Card, Rank, Suit
from baccarat.client import Client, TableClient, command_id
from baccarat.house.filed_rules import file_rules
from baccarat.house.stream import Stream, table_stream
from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.record.checkpoint import open_checkpoint
from baccarat.record.entry import ActRecord, StreamOpening, read_body
from baccarat.record.origin import origin_of
from baccarat.serve.access.base import ONE_SECOND
from baccarat.serve.live import HouseServer
from baccarat.serve.ops.log import ServerLog
from baccarat.serve.runtime.signing_key import read_signer
from baccarat.serve.setting import Mode
from baccarat.table.actor import Origin
from baccarat.table.automation import command_for
from baccarat.table.base import Due
from baccarat.table.role import Role
from baccarat.table.source import KeyedCards
from later_clock import LaterClock
from production_house import HOUSE, made_keys, sign_on
from served import audited, run_for, served

pytestmark = pytest.mark.slow
TABLE, PIT, SUBMISSION = "high limit 1", "main", "ma-midi-4"
PEOPLE = {
    "Dora": Role.DEALER,
    "Flo": Role.FLOORPERSON,
    "Bo": Role.PIT_BOSS,
    "Sue": Role.CASINO_SUPERVISOR,
    "Pat": Role.PARTICIPANT,
}
NOTICE = 2_000
"""Seconds from the notices to the opening of the table: a little more than half an hour."""
MOST_ACTS = 400


class House:
    """Everybody who is signed on, by role, each with a client and a socket of his own."""

    def __init__(self, live: HouseServer, address: str, stack: AsyncExitStack) -> None:
        self.live, self.address, self._stack = live, address, stack
        self.people: dict[Role, Client] = {}
        self.ids: dict[Role, str] = {}
        self.sockets: dict[Role, TableClient] = {}
        self.slips = 0
        """How often a card was typed that was not due."""

    async def sign_on(self, name: str, role: Role) -> Client:
        """Somebody signs on in a role."""
        async with httpx.AsyncClient(base_url=self.address) as http:
            answer = await http.post("/api/session", json={**sign_on(name), "role": role.value})
            assert answer.status_code == 201, answer.text
            self.ids[role] = answer.json()["who"]
            token = answer.headers["set-cookie"].partition("=")[2].partition(";")[0]
        client = self.people[role] = await self._stack.enter_async_context(Client(self.address, token=token))
        return client

    async def at_table(self, role: Role) -> TableClient:
        """The socket of somebody at the table."""
        if role not in self.sockets:
            self.sockets[role] = await self._stack.enter_async_context(self.people[role].table(TABLE))
        return self.sockets[role]

    async def enter(self, role: Role, book: str, **command: Any) -> Any:
        """An act in a book of the house."""
        headers = {"Idempotency-Key": command_id()}
        return await self.people[role].ask("POST", f"/api/books/{book}/acts", json=command, headers=headers)


async def founded(house: House) -> None:
    """The administrator by the link that is printed once; the staff, each with a password of his own."""
    (_, link) = await house.live.people.greeting(house.address)
    async with httpx.AsyncClient(base_url=house.address) as http:
        first = {**sign_on("Ada"), "link": link.rpartition("#")[2]}
        assert (await http.post("/api/administrator", json=first)).status_code == 201
        admin = await house.sign_on("Ada", Role.ADMINISTRATOR)
        assert await house.live.people.greeting(house.address) == []
        for name, role in PEOPLE.items():
            person = await admin.ask("POST", "/api/people", json={"name": name, "roles": [role.value]})
            secret = (await admin.ask("POST", f"/api/people/{person['id']}/link"))["secret"]
            given = {"link": secret, "password": sign_on(name)["password"]}
            assert (await http.post("/api/password", json=given)).status_code == 200
            await house.sign_on(name, role)


async def opened(house: House, rules: Rulebook, table: str = TABLE, cards: str = "real") -> None:
    """A pit and a table, after the notices that the document asks for."""
    await house.enter(Role.ADMINISTRATOR, "house", do="add_pit", name=PIT)
    for law in rules.edition.notices:
        for option in law.options:
            for whom in law.to:
                notice = {"to": whom, "pit": PIT, "option": option, "value": rules.elects(option)}
                await house.enter(Role.PIT_BOSS, f"pit {PIT}", do="give_notice", notice=notice)
    filed = msgspec.to_builtins(file_rules(rules), enc_hook=str)
    later = int(time.time()) + NOTICE
    opening = {"do": "open_table", "table": table, "filed": filed, "effective": later, "cards": cards}
    await house.enter(Role.PIT_BOSS, f"pit {PIT}", **opening)
    await passed(house, NOTICE)


async def passed(house: House, seconds: int) -> None:
    """Time passes; everybody looks in now and then, so that no session ends."""
    desk: Any = house.live.desk
    for _ in range(2):
        desk._clock = LaterClock(desk._clock, (seconds // 2 + 1) * ONE_SECOND)
        for client in house.people.values():
            await client.ask("GET", "/api/session")
        await house.live.house.writer.wait_until_flushed()


def stacked(decks: int) -> list[Card]:
    """The cards as they happen to lie in the shoe."""
    cards = [Card(rank, suit) for _ in range(decks) for rank in Rank for suit in Suit]
    random.Random(7).shuffle(cards)
    return cards


async def done(house: House, due: dict[str, Any], felt: KeyedCards) -> None:
    """What is due is done by whoever it is due by; a card is typed as it is seen at its position."""
    role = Role(due["by"])
    table = house.live.house.table(TABLE)
    meant = Due(by=role, act=due["act"], cites=(), seat=due.get("seat", 0), position=due.get("position"))
    fields = msgspec.to_builtins(command_for(table, meant, felt), enc_hook=str)
    fields.pop("do", None)
    if due["act"] in ("turn_card", "confirm_card") and due.get("position") is not None:
        card, _ = felt.card(table.state, due["position"])
        fields |= {"position": due["position"], "card": str(card)}
    if due["act"] == "receive_cards":
        fields["set_id"] = "boxes 17 to 24"
    socket = await house.at_table(role)
    assert due["say"], "the machine says what is to be done"
    if due["act"] == "turn_card" and table.state.step.startswith("turn") and not table.state.round.turned:
        slip = await socket.do("turn_card", position=due["position"] + 3, card=str(felt.card(table.state, 400)[0]))
        assert not slip.is_done, "a card that is not due is not taken"
        house.slips += 1
    answer = await socket.do(due["act"], **{name: value for name, value in fields.items() if value is not None})
    assert answer.is_done, (due, fields, answer)


def later_than(table: TableClient, seq: int) -> Callable[[dict[str, Any]], bool]:
    """Whether a table has been seen to change since a frame."""
    return lambda _view: table.seq != seq


async def dealt(house: House, felt: KeyedCards, *, until: str) -> list[str]:
    """Let everybody do what the machine says is due, until a step of the table or the end of the round."""
    dealer = await house.at_table(Role.DEALER)
    acts: list[str] = []
    for _ in range(MOST_ACTS):
        if dealer.state["step"] == until and acts:
            return acts
        due = next(each for each in dealer.view["due"] if not each.get("optional"))
        seq = dealer.seq
        await done(house, due, felt)
        acts.append(due["act"])
        await dealer.until(later_than(dealer, seq))
    raise AssertionError(f"the table does not come to {until}: {acts[-10:]}")


def test_a_house_from_nothing_deals_a_round_with_real_cards(tmp_path: Path) -> None:
    keys = made_keys(tmp_path)
    rules, logged = rulebook(SUBMISSION), io.StringIO()

    async def work() -> None:
        log = ServerLog(json=True, level="debug", file=logged)
        async with (
            AsyncExitStack() as stack,
            served(tmp_path, log=log, mode=Mode.PRODUCTION, **keys) as (live, address),
        ):
            house = House(live, address, stack)
            await founded(house)
            await opened(house, rules)
            assert list(live.rooms) == [TABLE]
            await played(house, rules)
            assert not [task for task in live.jobs.tasks if "dealer" in task.get_name()], "nobody deals by himself"
            await live.house.writer.wait_until_flushed()
            audited(live, tmp_path)
            checkpoints(live, Path(keys["sign_key"]))
            live.log.say("closed", "that is all")
            await stack.aclose()

    run_for(work())
    assert logged.getvalue().count("\n") >= 1
    for name in ("Ada", *PEOPLE):
        assert name not in logged.getvalue()


def test_an_automated_table_deals_by_itself_and_nobody_else_is_played_by_a_program(tmp_path: Path) -> None:
    keys, rules = made_keys(tmp_path), rulebook(SUBMISSION)

    async def work() -> None:
        async with (
            AsyncExitStack() as stack,
            served(tmp_path, mode=Mode.PRODUCTION, **keys) as (live, address),
        ):
            house = House(live, address, stack)
            await founded(house)
            await opened(house, rules, "electronic 1", "automated")
            pat = await stack.enter_async_context(house.people[Role.PARTICIPANT].table("electronic 1"))
            assert (await pat.do("sit", seat=3)).is_done
            floor = await stack.enter_async_context(house.people[Role.FLOORPERSON].table("electronic 1"))
            await floor.until(lambda view: due_by(view, Role.FLOORPERSON) == "prepare_cards")
            assert (await floor.do("prepare_cards", act="verify")).is_done, "people look at the cards, not the program"
            await pat.until(lambda view: bool(view["state"]["step"] == "wager"))
            await live.house.writer.wait_until_flushed()
            audited(live, tmp_path)
            entries = live.store.entries(Stream("table electronic 1"))
            roles = {record.role for record in map(read_body, (each.body for each in entries)) if is_persons(record)}
            assert roles == {Role.PARTICIPANT, Role.FLOORPERSON}
            await stack.aclose()

    run_for(work())


def due_by(view: dict[str, Any], role: Role) -> str:
    """The act that somebody in a role must do now; empty where it is another's turn."""
    due = next((each for each in view["due"] if not each.get("optional")), {"by": "", "act": ""})
    return str(due["act"]) if due["by"] == role.value else ""


def is_persons(entry: StreamOpening | ActRecord) -> TypeGuard[ActRecord]:
    """Whether a record is of somebody's act, not of the shoe's or the clock's."""
    return isinstance(entry, ActRecord) and entry.origin is Origin.PERSON and entry.cause is None


async def played(house: House, rules: Rulebook) -> None:
    """Somebody sits down, wagers, and a round is dealt with keyed cards."""
    felt = KeyedCards(lambda _number: stacked(rules.elections.decks or 8))
    pat = await house.at_table(Role.PARTICIPANT)
    assert (await pat.do("sit", seat=3)).is_done
    floor, dealer = await house.at_table(Role.FLOORPERSON), await house.at_table(Role.DEALER)
    came = await floor.do("come_on", person=house.ids[Role.DEALER], instead_of=dealer.state["seats"]["dealers"][0])
    assert came.is_done, came.say
    assert (await dealer.do("buy_in", seat=3, amount=100_000)).is_done
    await dealt(house, felt, until="wager")
    assert (await pat.do("place_wager", seat=3, on="banker", stake=10_000)).is_done
    refused = await dealer.do("place_wager", seat=3, on="player", stake=10_000)
    assert not refused.is_done, "nobody wagers for another"
    acts = await dealt(house, felt, until="wager")
    assert acts.count("turn_card") >= 4
    assert house.slips == 1
    assert {"call_no_more_bets", "announce_result"} <= set(acts)


def checkpoints(live: HouseServer, key: Path) -> None:
    """Every stream that the round touched is signed, under its own name."""
    signer = read_signer(key, house=HOUSE)
    note = live.store.latest_checkpoint(table_stream(TABLE))
    assert note is not None
    origin = origin_of(HOUSE, table_stream(TABLE))
    stated = open_checkpoint(note.note, [signer.with_name(origin).verifier], origin=origin)
    head = live.store.heads()[table_stream(TABLE)]
    assert stated.size <= head.seq + 1
