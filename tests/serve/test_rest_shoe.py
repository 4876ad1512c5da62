"""Anybody at a table can check its shoe from what everybody was shown; and nothing hidden is in any answer before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from baccarat.cards import Card
from baccarat.chain import root_from
from baccarat.client import Client, TableClient
from baccarat.house.stream import Stream
from baccarat.record.sealed_seed import ShoeName
from baccarat.table.proof import cards_from, commitment_for, inputs_for, leaf_of
from baccarat.table.role import Role
from baccarat.table.share_note import read_share_note
from baccarat.table.shoe_state import Commitment, SeedContribution, WitnessPromise, WitnessShare
from house_of_roles import ROLES, Asked, is_problem, sign_everybody_on
from looked_at import every_look
from played import next_round, play_round
from served import run_for, served

pytestmark = pytest.mark.slow

TABLE = "/api/tables/ma-midi-4"
CARDS = 416


def seed_of(house: Asked) -> bytes:
    """The seed of the shoe in play, which only the house has."""
    rules = house.live.rooms["ma-midi-4"].rules
    of = ShoeName(table="ma-midi-4", shoe="0", rulebook=rules.hash, decks=rules.elections.decks or 0)
    return house.live.vault.seed(Stream("table ma-midi-4"), of)


def held_by(shown: dict[str, Any]) -> Commitment:
    """What was shown of a shoe, as a commitment with its inputs and shares."""
    shares = [(each["key"], read_share_note(each["note"])) for each in shown["notes"]]
    return Commitment(
        order=shown["order"],
        origin=shown["origin"],
        witnesses=tuple(msgspec.convert(each, WitnessPromise) for each in shown["witnesses"]),
        table=shown["table"],
        shoe=shown["name"],
        rulebook=shown["rulebook"],
        decks=shown["decks"],
        hash=shown["commitment"],
        contributions=tuple(SeedContribution(seat=0, value=each) for each in shown["contributions"]),
        inputs=shown["inputs"],
        shares=tuple(WitnessShare(key=key, share=note.share.hex(), leaf="") for key, note in shares if note),
    )


def order_of(shown: dict[str, Any], seed: bytes) -> tuple[Card, ...]:
    """The order before the cut that the seed, the contributions and the cut lead to."""
    held = held_by(shown)
    assert held.inputs == inputs_for(held, shown["in_front"]), "these inputs were closed"
    return cards_from(held, seed)


def after_a_round(work: Any, tmp_path: Path) -> None:
    """Ask a house in the middle of a shoe."""

    async def inner() -> None:
        async with served(tmp_path) as (live, address), Client(address) as client:
            house = await sign_everybody_on(live, address)
            await client.visit()
            async with client.table("ma-midi-4") as table:
                await play_round(table, client)
                await next_round(table)
                await live.house.writer.wait_until_flushed()
                await work(house)

    run_for(inner())


def test_every_turned_card_is_proved_while_the_shoe_is_in_play(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        shown = (await house.get(f"{TABLE}/shoes/1/proof")).json
        assert shown["seed"] == ""
        assert len(shown["cards"]) >= 8
        for each in shown["cards"]:
            index = (each["position"] + shown["in_front"]) % CARDS
            leaf = leaf_of(index, Card.parse(each["card"]), bytes.fromhex(each["salt"]))
            path = [bytes.fromhex(one) for one in each["path"]]
            found = root_from(leaf, index=index, size=CARDS, proof=path)
            assert found is not None
            assert found.hex() == shown["root"]
        dealt = [
            card
            for row in (await house.get(f"{TABLE}/rounds")).json["rounds"]
            for side in ("player", "banker")
            for card in row["result"][side]["cards"]
        ]
        proved = [each["card"] for each in shown["cards"]]
        assert not [card for card in dealt if dealt.count(card) > proved.count(card)]
        is_problem(await house.get(f"{TABLE}/shoes/2/proof"), 404, "no_such_shoe")

    after_a_round(work, tmp_path)


def test_the_seed_leads_to_the_commitment_and_to_every_card(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        shown, seed = (await house.get(f"{TABLE}/shoes/1/proof")).json, seed_of(house)
        assert commitment_for(held_by(shown), seed) == shown["commitment"], "this is the seed that was promised"
        order = order_of(shown, seed)
        for each in shown["cards"]:
            assert str(order[(each["position"] + shown["in_front"]) % CARDS]) == each["card"]

    after_a_round(work, tmp_path)


def test_a_shoe_that_is_over_is_checked_whole_and_stays_what_it_was(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (live, address), Client(address) as client:
            house = await sign_everybody_on(live, address)
            await client.visit()
            async with client.table("ma-midi-4") as table:
                await play_round(table, client)
                while table.state["shoe"]["number"] == 0:
                    await one_more(table)
                await live.house.writer.wait_until_flushed()
                early = (await house.get(f"{TABLE}/shoes/1/proof")).json
                await one_more(table)
            await live.house.writer.wait_until_flushed()
            shown = (await house.get(f"{TABLE}/shoes/1/proof")).json
            assert shown == early, "what is shown of a shoe that is over does not change"
            seed = bytes.fromhex(shown["seed"])
            order = order_of(shown, seed)
            assert len(shown["cards"]) > 250
            for each in shown["cards"]:
                assert str(order[(each["position"] + shown["in_front"]) % CARDS]) == each["card"]
            shoes = (await house.get(f"{TABLE}/shoes")).json["shoes"]
            assert [each["shoe"] for each in shoes] == [2, 1]
            drawn = await house.get(f"{TABLE}/roads?shoe=1")
            assert "immutable" in drawn.headers["cache-control"]
            rounds = (await house.get(f"{TABLE}/rounds?limit=100")).json["rounds"]
            with_result = [each for each in rounds if each["shoe"] == 1 and each["result"].get("outcome")]
            assert len(drawn.json["results"]) == len(with_result) == shoes[1]["rounds"]

    run_for(work())


async def one_more(table: TableClient) -> None:
    """Wager as soon as that can be, and wait until another round or another shoe begins."""
    await table.until(lambda view: view["state"]["step"] == "wager")
    at = table.state["shoe"]["number"], table.state["round"]["number"]
    await table.do("place_wager", seat=2, on="tie", stake=500)
    await table.until(lambda view: (view["state"]["shoe"]["number"], view["state"]["round"]["number"]) != at)


def test_no_seed_and_no_card_to_come_is_in_any_answer_to_anybody(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        shown, seed = (await house.get(f"{TABLE}/shoes/1/proof")).json, seed_of(house)
        turned = {each["position"] for each in shown["cards"]}
        assert turned < set(range(CARDS))
        for role in (None, *ROLES):
            for path in every_look():
                found = await house.get(path, role=role)
                assert seed.hex() not in found.text, (role, path)
                for position in positions_of(msgspec.json.decode(found.body) if _is_json(found.headers) else None):
                    assert position in turned, (role, path, position)
                assert found.status < 500, (role, path)
        assert Role.SURVEILLANCE in ROLES

    after_a_round(work, tmp_path)


def _is_json(headers: dict[str, str]) -> bool:
    return headers["content-type"].startswith("application/json")


def positions_of(value: Any) -> list[int]:
    """The positions beside which an answer has a card."""
    if isinstance(value, list):
        return [position for each in value for position in positions_of(each)]
    if not isinstance(value, dict):
        return []
    own = [value["position"]] if value.get("card") is not None and "position" in value else []
    turned = value.get("turned")
    if isinstance(turned, dict):
        own += [int(position) for position in turned]
    return own + [position for each in value.values() for position in positions_of(each)]
