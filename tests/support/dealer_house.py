"""A house for real tables with one that a person deals at, and browsers in which its people have signed on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

import msgspec
from msgspec import UNSET
from playwright.async_api import Browser, Page

from baccarat.client import command_id
from baccarat.house.filed_rules import file_rules
from baccarat.house.house_book import AddPit
from baccarat.house.notice import Notice
from baccarat.house.pit_book import GiveNotice
from baccarat.house.stream import HOUSE_STREAM, pit_stream
from baccarat.house.table_opening import OpenTable
from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.serve.live import HouseServer
from baccarat.serve.route.requester import COOKIE
from baccarat.table.actor import Actor, Envelope
from baccarat.table.role import Role
from baccarat.table.table_cards import TableCards
from house_of_roles import Asked, expect, production, sign_everybody_on
from served import audited, served

PATIENCE = 60_000
NAME = "T 7"
SEAT = 5
"""Where the participant sits."""
IN_FRONT = 200
"""Where the stack is cut."""


class DealerHouse(msgspec.Struct, frozen=True):
    """A table at which a person deals, and how its people act there without a page."""

    house: Asked
    name: str

    @property
    def path(self) -> str:
        """Where the table is asked for."""
        return f"/api/tables/{quote(self.name)}"

    async def act(self, role: Role, do: str, **fields: Any) -> None:
        """An act at the table that is taken."""
        headers = {"Idempotency-Key": command_id()}
        await expect(self.house, 200, f"{self.path}/acts", {"do": do, **fields}, role, headers)

    async def act_with(self, second: Role, role: Role, do: str, **fields: Any) -> None:
        """An act of two persons: proposed in one role, approved and done in another."""
        headers = {"Idempotency-Key": command_id()}
        asked = {"stream": f"table {self.name}", "command": {"do": do, **fields}}
        proposal = (await expect(self.house, 201, "/api/proposals", asked, role, headers)).json
        path = f"/api/proposals/{proposal['id']}/approval"
        await expect(self.house, 200, path, {"seen": proposal["hash"]}, second)

    async def work(self, role: Role = Role.DEALER) -> Any:
        """What a console shows."""
        return (await self.house.get(f"{self.path}/work", role=role)).json

    async def step(self) -> str:
        """Where the table stands."""
        return str((await self.house.get(self.path)).json["step"])

    async def press(self, role: Role = Role.DEALER, **entered: Any) -> str:
        """Do the first act that a console offers, with what somebody enters; its name."""
        offered = (await self.work(role))["acts"][0]
        command = dict(offered["command"])
        command.update({field["name"]: entered.get(field["name"], field["value"]) for field in offered["fields"]})
        await self.act(role, command.pop("do"), **command)
        return str(offered["what"])

    async def open_shoe(self, burn: str = "As", *, behind: int = 14) -> None:
        """Somebody sits down with chips; cards come in, are shuffled, cut and burned."""
        await self.act(Role.DEALER, "come_on", instead_of="dealer")
        await self.act(Role.PARTICIPANT, "sit", seat=SEAT)
        await self.act(Role.DEALER, "buy_in", seat=SEAT, amount=1_000_000)
        await self.make_ready(burn, behind=behind)

    async def make_ready(self, burn: str = "As", *, behind: int = 14, set_id: str = "blue 7") -> None:
        """Cards come in, are shuffled, cut and burned."""
        while await self.step() not in ("wager", "offer_shoe"):
            role = Role.DEALER if (await self.work())["acts"] else Role.FLOORPERSON
            await self.press(role, set_id=set_id, in_front=IN_FRONT, card=burn, behind=behind)

    async def wager(self, **stakes: int) -> None:
        """The participant's wagers, in cents."""
        for on, stake in stakes.items():
            await self.act(Role.PARTICIPANT, "place_wager", seat=SEAT, on=on, stake=stake)

    async def play_to(self, *acts: str, cards: str = "") -> None:
        """Deal on until one of these acts is due to the dealer; `cards` are turned in this order."""
        left = iter(cards.split())
        while True:
            work = await self.work()
            if not work["acts"]:
                await self.act(Role.PARTICIPANT, work["waiting"][0]["act"], seat=SEAT)
                continue
            offered = work["acts"][0]
            if offered["what"] in acts:
                return
            await self.press(card=next(left) if offered["fields"] else None)

    async def journal(self, role: Role = Role.SURVEILLANCE) -> list[dict[str, Any]]:
        """Every event of the table as somebody reads the journal, in order."""
        await self.house.live.house.writer.wait_until_flushed()
        found = await self.house.get(f"/api/streams/{quote(f'table {self.name}')}/journal", role=role)
        records = [msgspec.json.decode(line)["record"] for line in found.body.splitlines()]
        return [event for record in records for event in record.get("events", [])]


@asynccontextmanager
async def dealer_house(
    folder: Path,
    submission: str = "ma-midi-4",
    *,
    cards: TableCards = TableCards.REAL,
    settings: Mapping[str, Any] = MappingProxyType({}),
    **elections: Any,
) -> AsyncIterator[DealerHouse]:
    """A house with one table, open until the end of the block; then its journal passes the audit."""
    async with served(folder, **production(folder, **settings)) as (live, address):
        house = await sign_everybody_on(live, address)
        _open_table(live, rulebook(submission, **elections), cards)
        await live.house.writer.wait_until_flushed()
        yield DealerHouse(house, NAME)
        await live.house.writer.wait_until_flushed()
        audited(live, folder)


def notices_to(pit: str, rules: Rulebook) -> list[GiveNotice]:
    """What everybody is told before a table with these rules opens in a pit."""
    return [
        GiveNotice(notice=Notice(to=whom, pit=pit, option=option, value=rules.elects(option), sent=-86_400))
        for law in rules.edition.notices
        for option in law.options
        for whom in law.to
    ]


def _open_table(live: HouseServer, rules: Rulebook, cards: TableCards) -> None:
    """A pit with one table, of which everybody was told the day before."""
    admin = Envelope(actor=Actor(who="founder", role=Role.ADMINISTRATOR))
    boss = Envelope(actor=Actor(who="boss", role=Role.PIT_BOSS))
    live.house.enter(HOUSE_STREAM, AddPit(name="main"), admin)
    witnesses = UNSET if cards is TableCards.REAL or not live.share_keys else live.share_keys
    opened = OpenTable(table=NAME, filed=file_rules(rules), effective=0, cards=cards, witnesses=witnesses)
    for act in (*notices_to("main", rules), opened):
        kept = live.house.enter(pit_stream("main"), act, boss)
        assert kept.refused is None, kept.refused


async def console(
    browser: Browser, house: DealerHouse, role: Role, wrong: list[str], *, width: int = 1180, height: int = 820
) -> Page:
    """The dealer's console in a browser of its own, as somebody in a role; what goes wrong is added to a list."""
    context = await browser.new_context(viewport={"width": width, "height": height})
    await context.add_cookies([{"name": COOKIE, "value": house.house.tokens[role], "url": house.house.address}])
    page = await context.new_page()
    page.set_default_timeout(PATIENCE)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    await page.goto(f"{house.house.address}/dealer/{quote(house.name)}")
    await page.locator("#steps .now").wait_for()
    return page
