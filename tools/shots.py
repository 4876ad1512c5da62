"""Pictures of every page, in both themes, on a desktop, a tablet and a phone: `make shots`, or tools/shots.py FOLDER.

The table is also taken in windows of every size (`--only sizes`).

A practice house is played for a while, fast; then it is reopened at its usual pace, and every page is opened
in its role. `--only watch` takes the pictures whose names begin with that, `--quick` one theme and the desktop.
`--guide` takes those of docs/guide, small.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import random
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
sys.path.insert(0, str(ROOT / "tools"))

from playwright.async_api import Browser, BrowserContext, Page, async_playwright  # noqa: E402

from baccarat.cards import Card, decks  # noqa: E402
from baccarat.client import Client, TableClient, command_id  # noqa: E402
from baccarat.serve.live import HouseServer  # noqa: E402
from baccarat.serve.route.requester import COOKIE  # noqa: E402
from baccarat.serve.setting import TRAINING  # noqa: E402
from baccarat.table.automation import command_for  # noqa: E402
from baccarat.table.role import Role  # noqa: E402
from baccarat.table.source import KeyedCards  # noqa: E402
from browser import launch_browser  # noqa: E402
from house_of_roles import Asked, open_tables, production, sign_everybody_on  # noqa: E402
from round_shots import accompany, round_pictures  # noqa: E402
from served import served  # noqa: E402
from size_shots import size_pictures  # noqa: E402
from triggers import FirstWager  # noqa: E402

SIZES = {"desk": (1440, 900), "tablet": (1180, 820), "phone": (390, 844)}
THEMES = ("light", "dark")
TABLE = "ma-midi-4"
PLAYED = (TABLE, "ma-midi-1", "ma-midi-4-ez", "nj-punto-banco")
DEALT = 3
"""How many rounds are dealt by hand before the pictures are taken."""
FAST: dict[str, Any] = {
    "pace": 0.0, "betting_seconds": 0.2, "squeeze_seconds": 0.05, "answer_seconds": 0.05, "company": 4,
}  # fmt: skip
USUAL: dict[str, Any] = {
    "pace": 0.6, "betting_seconds": 90.0, "squeeze_seconds": 15.0, "answer_seconds": 5.0, "company": 5,
}  # fmt: skip
PLAYING: dict[str, Any] = {**USUAL, "pace": 1.2, "betting_seconds": 10.0, "answer_seconds": 1.0}
ROUND = ("table-wagering", "table-squeeze", "table-third", "table-settlement")
"""What a participant sees in a round."""
ROUND_SECONDS = 240.0

Prepare = Callable[[Page], Awaitable[None]]


class Shot(msgspec.Struct, frozen=True):
    """A page to photograph: the name of its picture, its address, in which role, and what is done before.

    Only a real house has an administrator; it has no play money and one table.
    """

    name: str
    address: str
    role: str = "participant"
    prepare: Prepare | None = None
    sizes: tuple[str, ...] = tuple(SIZES)


async def _after_refusal(page: Page) -> None:
    """Stop at the refused wager, in the round in which it was tried."""
    late = page.locator("alert-list .late_wager .title").first
    await late.click()
    await page.locator("journal-list li.now").wait_for()


async def _in_settlement(page: Page) -> None:
    """A round that is over, at a payment."""
    button = page.locator("time-scrub .rounds button").nth(20)
    number = await button.get_attribute("data-round")
    await button.click()
    await page.locator("#about", has_text=f"Round {number},").wait_for()
    await page.locator("journal-list li.payment").first.click()
    await page.locator("table-then .card").first.wait_for()


async def _searching(page: Page) -> None:
    await page.locator("#search").fill("seat 2")
    await page.locator("journal-list li.step", has_text="Round 2").first.wait_for()


async def _audited(page: Page) -> None:
    await page.locator("#audit").click()
    await page.locator("#audited .clean").wait_for(timeout=60_000)
    await page.locator("#audited").scroll_into_view_if_needed()


async def _graded(page: Page) -> None:
    """An irregularity, with the answer and its clauses."""
    for box in await page.get_by_role("checkbox").all():
        await box.set_checked(await box.get_attribute("value") == "remedy")
    await page.locator("#setting button").click()
    await page.locator("button.answer").first.click()
    await page.locator(".grade").wait_for()


async def _people(page: Page) -> None:
    """The part of the office about people."""
    await page.locator("#sections").get_by_text("People").first.click()
    await page.wait_for_load_state("networkidle")


async def _on_the_game(page: Page) -> None:
    """Relieve the dealer at the training table."""
    await page.evaluate(
        """async (table) => {
          const { ask, commandId } = await import("/page/js/house.js");
          const { view } = await ask("GET", `/api/tables/${table}/view`);
          const come = { do: "come_on", instead_of: view.state.seats.dealers[0] };
          await ask("POST", `/api/tables/${table}/acts`, come, { "Idempotency-Key": commandId() }).catch(() => null);
        }""",
        TRAINING,
    )
    await page.reload()
    await page.wait_for_load_state("networkidle")


async def _busy(page: Page) -> None:
    """A dealer calls for the floorperson, and asks for a correction of the last payment."""
    await page.locator("table-tile").first.wait_for()
    if await page.locator("#asks approval-card").count():
        return
    address = page.url.removesuffix("/floor")
    browser = page.context.browser
    assert browser is not None
    other = await browser.new_context(extra_http_headers={"Origin": address})
    table = f"{address}/api/tables/{TRAINING}"
    await other.request.post(f"{address}/api/visit", data={"role": "dealer"})
    await other.request.post(f"{table}/floor-call")
    entries = (await (await other.request.get(f"{table}/work")).json())["corrigible"]
    payment = next(each["command"] for each in entries if each["command"]["do"] == "correct_payment")
    proposal = {"stream": f"table {TRAINING}", "command": {**payment, "amount": 500, "reason": "one red chip short"}}
    await other.request.post(f"{address}/api/proposals", data=proposal, headers={"Idempotency-Key": command_id()})
    await other.close()
    await page.locator("#asks approval-card").first.wait_for()


async def _correcting(page: Page) -> None:
    """What is to be corrected is picked."""
    await page.locator("#orders summary", has_text="Corrections").click()
    await page.locator("#orders").get_by_role("button", name="Correct a payment").click()
    await page.locator(".what button").first.click()
    await page.get_by_label("Dollars more").fill("5")
    await page.get_by_label("Why?").fill("one red chip short")


SHOTS = [
    Shot("lobby", "/"),
    Shot("sign", f"/sign/{TABLE}"),
    Shot("table", f"/table/{TABLE}"),
    Shot("dealer", "/dealer", "dealer"),
    Shot("dealer-table", f"/dealer/{TRAINING}", "dealer", _on_the_game),
    Shot("watch-training", f"/watch/{TRAINING}", "surveillance", sizes=("desk",)),
    Shot("drill", "/drill?seed=pictures", "dealer", _graded),
    Shot("drill-begin", "/drill", "dealer"),
    Shot("learn", "/learn", "participant"),
    Shot("floor", "/floor", "floorperson", _busy),
    Shot("floor-correction", "/floor", "floorperson", _correcting),
    Shot("floor-cage", "/floor#cage", "casino supervisor", sizes=("desk",)),
    Shot("watch", f"/watch/{TABLE}", "surveillance"),
    Shot("watch-refusal", f"/watch/{TABLE}", "surveillance", _after_refusal),
    Shot("watch-replay", f"/watch/{TABLE}", "surveillance", _in_settlement),
    Shot("watch-search", f"/watch/{TABLE}", "surveillance", _searching, ("desk",)),
    Shot("watch-audit", f"/watch/{TABLE}", "regulator", _audited, ("desk",)),
    Shot("watch-tables", "/watch", "surveillance"),
    Shot("office", "/office", "administrator"),
    Shot("people", "/office", "administrator", _people),
    Shot("rules", "/rules"),
    Shot("rules-clause", "/rules?edition=ma-midi-4#12(c)"),
    Shot("rules-differences", "/rules?edition=ma-midi-4&view=differences"),
    Shot("odds", f"/odds/{TABLE}"),
    Shot("sign-on", "/sign-on", sizes=("desk", "phone")),
    Shot("round", f"/round/{TABLE}/1/2"),
]


async def _wager(table: TableClient, seat: int, on: str, stake: int) -> bool:
    return (await table.do("place_wager", seat=seat, on=on, stake=stake)).is_done


WAGERS = ("player", "banker", "tie", "dragon_player", "dragon_banker")


async def play(live: HouseServer, address: str) -> None:
    """People play at some tables; wagers come too late, and one at the maximum late in the shoe; a visitor deals."""
    async with Client(address) as client:
        tables = {each["table"]: each for each in await client.tables()}
    await asyncio.gather(*(_one(address, name, seat, tables[name]["limits"]) for name in PLAYED for seat in (2, 4, 6)))
    await deal(live, address)


async def deal(live: HouseServer, address: str) -> None:
    """A visitor deals real cards at the training table, and stops when a round is being paid."""
    async with Client(address) as client:
        await client.visit(Role.DEALER)
        table = live.house.table(TRAINING)
        size = table.rules.elections.decks or 0
        source = KeyedCards(lambda _: tuple(shuffled(size)), in_front=26 * size, triggers=FirstWager(table.rules))
        async with client.table(TRAINING) as seen:
            assert (await seen.do("come_on", instead_of="dealer")).is_done
            for _ in range(2_000):
                due = next((each for each in table.expected if not each.optional), None)
                if due is not None and due.act in ("take_vigorish", "pay") and table.state.round.number > DEALT:
                    return
                if due is None or due.by is not Role.DEALER:
                    await asyncio.sleep(0.02)
                    continue
                fields = msgspec.to_builtins(command_for(table, due, source))
                await seen.do(fields.pop("do"), **fields)


def shuffled(size: int) -> list[Card]:
    """Cards in a fixed order."""
    cards = list(decks(size))
    random.Random("shots").shuffle(cards)
    return cards


async def _one(address: str, name: str, seat: int, limits: dict[str, Any]) -> None:
    """A participant who plays until late in the shoe, or elsewhere for some rounds."""
    async with Client(address) as client:
        await client.visit()
        async with client.table(name) as table:
            assert (await table.do("sit", seat=seat)).is_done
            await client.buy_in(name, 10_000_000)
            while True:
                await table.until(
                    lambda view: view["state"]["step"] == "wager" and not view["state"]["round"]["closed"]
                )
                here, shoe = table.state["round"]["number"], table.state["shoe"]
                is_late = shoe["decks"] * 52 - shoe["next"] < 90
                if name != TABLE and here > len(name) * 2:
                    return
                stake = limits["banker"]["max"] if is_late and seat == 6 else 2_500 + 500 * ((here + seat) % 7)
                main = WAGERS[(here * seat) % 2]
                await _wager(table, seat, main, stake)
                side = WAGERS[2 + (here + seat) % 3]
                if side in limits and (here + seat) % 4 == 0:
                    await _wager(table, seat, side, limits[side]["min"])
                await table.until(lambda view: view["state"]["round"]["closed"] or view["state"]["step"] != "wager")
                if name == TABLE and seat == 6 and here % 17 == 5:
                    await _wager(table, seat, "player", 5_000)
                await table.until(lambda view, here=here: view["state"]["round"]["number"] != here)  # type: ignore[misc]
                if is_late:
                    return


async def _come_in(context: BrowserContext, house: House, shot: Shot) -> str:
    """Sign on in the role of a shot; returns the address of the house that has it."""
    if shot.role == Role.ADMINISTRATOR.value:
        token = house.real.tokens[Role.ADMINISTRATOR]
        await context.add_cookies([{"name": COOKIE, "value": token, "url": house.real.address}])
        return house.real.address
    answer = await context.request.post(
        f"{house.address}/api/visit", data={"role": shot.role}, headers={"Origin": house.address}
    )
    assert answer.ok, await answer.text()
    return house.address


async def _keep(page: Page, path: Path, *, is_small: bool) -> None:
    """Save the picture; for the guides as WebP, which takes a quarter of the bytes."""
    if not is_small:
        await page.screenshot(path=path.with_suffix(".png"))
        return
    session = await page.context.new_cdp_session(page)
    found = await session.send("Page.captureScreenshot", {"format": "webp", "quality": 72})
    path.with_suffix(".webp").write_bytes(base64.b64decode(found["data"]))


async def _looking(browser: Browser, theme: str, size: str) -> BrowserContext:
    """A window of a size, in a theme."""
    width, height = SIZES[size]
    scheme: Any = "dark" if theme == "dark" else "light"
    return await browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=scheme, has_touch=size != "desk",
        is_mobile=size == "phone", device_scale_factor=1, reduced_motion="reduce",
    )  # fmt: skip


async def _page(context: BrowserContext, wrong: list[str]) -> Page:
    """A page, and what goes wrong on it."""
    page = await context.new_page()
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    return page


async def take(browser: Browser, house: House, shot: Shot, theme: str, size: str, path: Path) -> str:
    """Take one picture; returns what goes wrong on the page."""
    context, wrong = await _looking(browser, theme, size), list[str]()
    try:
        page = await _page(context, wrong)
        address = await _come_in(context, house, shot)
        found = await page.goto(f"{address}{shot.address}")
        if found is None or found.status == 404:
            return "there is no such page yet"
        await page.wait_for_load_state("networkidle")
        if shot.prepare is not None:
            await shot.prepare(page)
        await page.wait_for_timeout(500)
        await _keep(page, path, is_small=house.is_small)
    except Exception as error:  # noqa: BLE001  one page that fails must not prevent the others
        wrong.append(f"{type(error).__name__}: {str(error).splitlines()[0]}")
    finally:
        await context.close()
    return "; ".join(wrong)


class House(msgspec.Struct, frozen=True):
    """The houses to photograph: one for practice, and a real one."""

    address: str
    real: Asked
    is_small: bool = False


class Wanted(msgspec.Struct, frozen=True):
    """Which pictures are taken, and where they are saved."""

    folder: Path
    shots: list[Shot]
    sizes: list[str]
    themes: list[str]
    is_guide: bool = False

    rounds: list[str] = []
    """Which moments of a round."""
    is_every_size: bool = False
    """Whether the table is taken in windows of every size."""

    def path(self, name: str, size: str, theme: str) -> Path:
        """Where a picture is saved, without its suffix."""
        return self.folder / (name if self.is_guide else f"{name}-{size}-{theme}")


async def take_all(wanted: Wanted) -> int:
    """Take every picture; returns how many pages had something wrong."""
    wanted.folder.mkdir(parents=True, exist_ok=True)
    faults = 0
    if wanted.is_every_size:
        async with async_playwright() as player:
            browser = await launch_browser(player)
            faults += await size_pictures(browser, wanted.folder, wanted.themes)
            await browser.close()
    if not (wanted.shots or wanted.rounds):
        return faults
    with tempfile.TemporaryDirectory() as kept:
        played, real = Path(kept) / "practice", Path(kept) / "real"
        played.mkdir()
        real.mkdir()
        async with served(played, **FAST) as (live, address):
            await play(live, address)
        async with (
            served(played, **USUAL) as (live, address),
            served(real, **production(real)) as (other, there),
            async_playwright() as player,
        ):
            house = House(address, await sign_everybody_on(other, there), wanted.is_guide)
            await open_tables(house.real, TABLE)
            browser = await launch_browser(player)
            await _look_on(live, address)
            faults += await _each(browser, house, wanted)
            await browser.close()
        if wanted.rounds:
            async with served(played, **PLAYING) as (live, address), async_playwright() as player:
                browser = await launch_browser(player)
                await _look_on(live, address)
                company = [asyncio.create_task(accompany(address, TABLE, turn)) for turn in (1, 2, 3)]
                faults += await _rounds(browser, House(address, house.real, wanted.is_guide), wanted)
                for each in company:
                    each.cancel()
                await browser.close()
    return faults


async def _rounds(browser: Browser, house: House, wanted: Wanted) -> int:
    """A round as a participant plays it, in every size and theme; returns how many had something wrong."""
    faults = 0
    for size in wanted.sizes:
        for theme in wanted.themes:
            context, wrong = await _looking(browser, theme, size), list[str]()
            page = await _page(context, wrong)

            async def keep(page: Page, state: str, size: str = size, theme: str = theme) -> None:
                if f"table-{state}" in wanted.rounds:
                    await _keep(page, wanted.path(f"table-{state}", size, theme), is_small=house.is_small)

            try:
                address = await _come_in(context, house, Shot("table", ""))
                await asyncio.wait_for(round_pictures(page, address, TABLE, keep), ROUND_SECONDS)
            except Exception as error:  # noqa: BLE001  as with the other pages
                wrong.append(f"{type(error).__name__}: {str(error).splitlines()[:1]}")
            finally:
                await context.close()
            print(f"a round, {size}, {theme}: {'; '.join(wrong) or 'ok'}", flush=True)
            faults += bool(wrong)
    return faults


async def _each(browser: Browser, house: House, wanted: Wanted) -> int:
    faults = 0
    for shot in wanted.shots:
        for size in (size for size in wanted.sizes if size in shot.sizes):
            for theme in wanted.themes:
                path = wanted.path(shot.name, size, theme)
                wrong = await take(browser, house, shot, theme, size, path)
                print(f"{path.name}: {wrong or 'ok'}", flush=True)
                faults += bool(wrong)
    return faults


async def _look_on(live: HouseServer, address: str) -> None:
    """Watch the table, so that it continues: there are wagers when the pictures are taken."""
    async with Client(address) as client:
        await client.visit()
        async with client.table(TABLE):
            for _ in range(100):
                if len(live.house.state.tables[TABLE].round.wagers) > 2:
                    return
                await asyncio.sleep(0.1)


GUIDE = (
    "lobby", "table-wagering", "table-squeeze", "table-settlement", "round", "dealer-table", "drill", "floor",
    "watch-replay", "watch-refusal", "watch-tables", "office", "people",
)  # fmt: skip
"""The pictures in the guides."""


def main() -> int:
    """Take the requested pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "build" / "shots")
    parser.add_argument("--only", default="", help="pictures whose names begin with this")
    parser.add_argument("--quick", action="store_true", help="only the desktop in the light theme")
    parser.add_argument("--guide", action="store_true", help="those of the guides, into docs/guide/images")
    given = parser.parse_args()
    shots = [shot for shot in SHOTS if shot.name.startswith(given.only)]
    is_short = given.quick or given.guide
    wanted = Wanted(
        ROOT / "docs" / "guide" / "images" if given.guide else given.folder,
        [shot for shot in shots if not given.guide or shot.name in GUIDE],
        ["desk"] if is_short else list(SIZES),
        ["light"] if is_short else list(THEMES),
        given.guide,
        [name for name in ROUND if name.startswith(given.only) and (not given.guide or name in GUIDE)],
        "sizes".startswith(given.only) and not is_short,
    )
    return 1 if asyncio.run(take_all(wanted)) else 0


if __name__ == "__main__":
    sys.exit(main())
