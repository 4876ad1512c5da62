"""What a table is, kept against those who would deal there: no cards but the shoe's, no dealer but the program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from baccarat.client import command_id
from baccarat.house.filed_rules import file_rules
from baccarat.house.house_book import AddPit
from baccarat.house.state import HouseState
from baccarat.house.stream import HOUSE_STREAM, pit_stream
from baccarat.house.table_opening import OpenTable
from baccarat.house.table_statement import StateTableKind
from baccarat.law.rulebook import rulebook
from baccarat.serve.founding import unstated_tables
from baccarat.serve.runtime.table_jobs import awaits_kind, cards_at, job_name
from baccarat.serve.setting import Mode, Setting
from baccarat.table.actor import Actor, Approval, Envelope
from baccarat.table.machine import BEHAVIOUR, begin
from baccarat.table.role import Role
from baccarat.table.shoe_state import Commitment
from baccarat.table.table_cards import TableCards
from dealer_house import IN_FRONT, SEAT, DealerHouse, dealer_house, notices_to
from house_of_roles import Answer, is_problem
from served import run_for

pytestmark = pytest.mark.slow


async def tried(house: DealerHouse, role: Role, do: str, **fields: Any) -> Answer:
    """An act at the table by a request, without a socket."""
    headers = {"Idempotency-Key": command_id()}
    return await house.house.ask("POST", f"{house.path}/acts", {"do": do, **fields}, role=role, headers=headers)


async def pressed(house: DealerHouse, **entered: Any) -> Answer | None:
    """The first act that dealer or floorperson is offered, as far as somebody can do it; None if there is none."""
    for role in (Role.DEALER, Role.FLOORPERSON):
        offered = (await house.work(role))["acts"]
        if offered:
            command = dict(offered[0]["command"])
            command |= {field["name"]: entered.get(field["name"], field["value"]) for field in offered[0]["fields"]}
            return await tried(house, role, command.pop("do"), **command)
    return None


async def keyed_by_hand(house: DealerHouse) -> None:
    """A dealer does everything by requests, and keys the cards that a friend needs."""
    assert (await tried(house, Role.DEALER, "come_on", instead_of="dealer")).status == 200
    await house.act(Role.PARTICIPANT, "sit", seat=SEAT)
    await house.act(Role.DEALER, "buy_in", seat=SEAT, amount=2_000_000)
    for _ in range(40):
        if await house.step() in ("wager", "offer_shoe"):
            break
        done = await pressed(house, set_id="blue 7", in_front=IN_FRONT, card="As", behind=14)
        if done is None or done.status != 200:
            break


def test_a_dealer_without_a_socket_keys_no_cards_at_an_electronic_table(tmp_path: Path) -> None:
    async def work() -> None:
        async with dealer_house(tmp_path, cards=TableCards.ELECTRONIC) as house:
            await keyed_by_hand(house)
            state = house.house.live.house.state.tables[house.name]
            assert state.step in ("offer_cut", "cut"), "nobody comes past the shuffle"
            assert not state.shoe.loaded
            for command in (
                {"do": "answer_cut", "seat": SEAT, "accept": False},
                {"do": "cut_cards", "in_front": IN_FRONT},
                {"do": "turn_card", "position": 0, "card": "As"},
                {"do": "load_shoe"},
            ):
                assert (await tried(house, Role.DEALER, **command)).status != 200

    run_for(work())


def test_a_dealer_deals_nothing_by_hand_at_an_automated_table(tmp_path: Path) -> None:
    async def work() -> None:
        async with dealer_house(tmp_path, cards=TableCards.AUTOMATED) as house:
            for role in (Role.DEALER, Role.FLOORPERSON):
                came = await tried(house, role, "come_on", person=house.house.people[Role.DEALER], instead_of="dealer")
                assert (came.status, came.json["code"]) == (409, "wrong_role"), came
            await house.act(Role.PARTICIPANT, "sit", seat=SEAT)
            await house.act(Role.DEALER, "buy_in", seat=SEAT, amount=2_000_000)
            for _ in range(2):
                received = await tried(house, Role.DEALER, "receive_cards", set_id="blue 7", decks=8)
                assert "the program is its dealer" in received.json["detail"]
            called = await tried(house, Role.DEALER, "call_no_more_bets")
            assert called.json["code"] == "wrong_role"
            state = house.house.live.house.state.tables[house.name]
            assert (state.step, state.seats.dealers) == ("receive", ("dealer",)), "nothing has happened"

    run_for(work())


@pytest.mark.parametrize("wrong", [{}, {"cards": "paper"}, {"cards": None}])
def test_whoever_opens_a_table_says_what_it_is(tmp_path: Path, wrong: dict[str, Any]) -> None:
    async def work() -> None:
        async with dealer_house(tmp_path) as house:
            filed = msgspec.to_builtins(file_rules(rulebook("ma-midi-4")), enc_hook=str)
            asked = {"do": "open_table", "table": "T 8", "filed": filed, **wrong}
            headers = {"Idempotency-Key": command_id()}
            path = "/api/books/pit%20main/acts"
            found = await house.house.ask("POST", path, asked, role=Role.PIT_BOSS, headers=headers)
            told = is_problem(found, 400, "unreadable")["detail"]
            assert "cards: " in told
            assert "automated" in told
            kept = {**asked, "cards": "electronic"}
            found = await house.house.ask("POST", path, kept, role=Role.PIT_BOSS, headers=headers)
            assert found.status == 200, found
            assert house.house.live.house.state.tables["T 8"].cards is TableCards.ELECTRONIC

    run_for(work())


def test_no_setting_makes_a_table_electronic_or_automated(tmp_path: Path) -> None:
    """A table that never said what it is waits, unless an electronic shoe is in play: that one is dealt to its end."""
    assert not {"automated", "electronic"} & set(Setting.__struct_fields__)
    rules, real = rulebook("ma-midi-4"), Setting(db=str(tmp_path / "house.db"), mode=Mode.PRODUCTION)
    old = begin(rules)
    assert cards_at(real, "T 7", old) is TableCards.REAL
    assert awaits_kind(real, old)
    promised = Commitment(table="T 7", shoe="1", rulebook=rules.hash, decks=8, hash="0" * 64)
    held = msgspec.structs.replace(old, shoe=msgspec.structs.replace(old.shoe, commitment=promised))
    assert cards_at(real, "T 7", held) is TableCards.ELECTRONIC
    assert not awaits_kind(real, held)
    for cards in TableCards:
        assert cards_at(real, "T 7", begin(rules, cards)) is cards
        assert not awaits_kind(real, begin(rules, cards))
    state = HouseState(tables={"T 7": old, "T 8": begin(rules, TableCards.REAL)})
    (told,) = unstated_tables(state)
    assert told.startswith("T 7: ")
    assert "state_table_kind" in told


def test_the_program_has_nothing_to_do_at_an_old_table_until_two_persons_say_what_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        async with dealer_house(tmp_path) as house:
            live, pit, rules = house.house.live, pit_stream("old"), rulebook("ma-midi-4")
            boss = Actor(who="boss", role=Role.PIT_BOSS)
            by_two = Actor(who="s", role=Role.CASINO_SUPERVISOR, approvals=(Approval("boss", Role.PIT_BOSS),))
            admin = Envelope(actor=Actor(who="founder", role=Role.ADMINISTRATOR))
            assert live.house.enter(HOUSE_STREAM, AddPit(name="old"), admin).refused is None
            with monkeypatch.context() as then:  # version 1 opened it
                then.setattr("baccarat.engine.entries.BEHAVIOUR", 1)
                then.setattr("baccarat.house.table_opening.KIND_STATED_SINCE", 2 + BEHAVIOUR)
                opening = OpenTable(table="T 9", filed=file_rules(rules), effective=0)
                for act in (*notices_to("old", rules), opening):
                    assert live.house.enter(pit, act, Envelope(actor=boss)).refused is None
            await live.house.writer.wait_until_flushed()
            name = job_name("T 9")
            assert name not in {task.get_name() for task in live.jobs.tasks}
            kind = StateTableKind(table="T 9", cards=TableCards.AUTOMATED)
            assert live.house.enter(pit, kind, Envelope(actor=by_two)).refused is None
            await live.house.writer.wait_until_flushed()
            assert live.cards_at("T 9") is TableCards.AUTOMATED
            assert [task.done() for task in live.jobs.tasks if task.get_name() == name] == [False]

    run_for(work())
