"""What a table is, kept against those who would deal there: no cards but the shoe's, no dealer but the program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from baccarat.client import command_id
from baccarat.house.filed_rules import file_rules
from baccarat.house.state import HouseState
from baccarat.law.rulebook import rulebook
from baccarat.serve.founding import check_cards
from baccarat.serve.runtime.table_jobs import cards_at
from baccarat.serve.setting import Mode, Setting
from baccarat.serve.store.base import StoreError
from baccarat.table.machine import begin
from baccarat.table.role import Role
from baccarat.table.table_cards import TableCards
from dealer_house import IN_FRONT, SEAT, DealerHouse, dealer_house
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


def test_a_setting_makes_no_table_something_else_than_its_record(tmp_path: Path) -> None:
    filed = file_rules(rulebook("ma-midi-4"))
    opened = HouseState(tables={"T 7": begin(rulebook("ma-midi-4"), TableCards.REAL)}, playing={"T 7": filed})
    old = HouseState(tables={"T 7": begin(rulebook("ma-midi-4"))}, playing={"T 7": filed})
    place = str(tmp_path / "house.db")
    for setting in (Setting(db=place, automated="T 7"), Setting(db=place, electronic="T 7")):
        check_cards(setting, old)
        with pytest.raises(StoreError, match="T 7 was opened as real"):
            check_cards(setting, opened)
    check_cards(Setting(db=place, automated="T 8"), opened)
    real = Setting(db=place, mode=Mode.PRODUCTION, automated="T 7")
    assert cards_at(real, "T 7", UNSET) is TableCards.AUTOMATED, "opened before it was recorded"
    assert cards_at(real, "T 7", TableCards.ELECTRONIC) is TableCards.ELECTRONIC
