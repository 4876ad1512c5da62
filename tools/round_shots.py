"""Pictures of one round as a participant plays it: wagers, peeled cards, a third card, payment."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

from playwright.async_api import Error, Locator, Page

from baccarat.client import Client

Keep = Callable[[Page, str], Awaitable[None]]
ROUNDS = 6
"""The most rounds that are played until a third card comes."""
WAGERS = ("player", "banker", "tie")
OWN = 5
"""The preferred seat."""
LIES = "bac-felt .bet, button.spot .lies"

SIT = """
async (table) => {
  const { ask, commandId } = await import("/page/js/house.js");
  const free = (await ask("GET", `/api/tables/${table}`)).free;
  const key = () => ({ "Idempotency-Key": commandId() });
  await ask("POST", `/api/tables/${table}/acts`, { do: "sit", seat: free.includes(5) ? 5 : free[0] }, key());
  await ask("POST", `/api/tables/${table}/chips`, { amount: 465000 }, key());
}
"""


async def round_pictures(page: Page, address: str, table: str, keep: Keep) -> None:
    """Sit down at a table and play until there is a picture of everything that a round shows."""
    await page.goto(f"{address}/table/{table}")
    await page.evaluate(SIT, table)
    await page.reload()
    await page.locator("bac-felt .seat").first.wait_for(state="attached")
    seen = set[str]()
    for _ in range(ROUNDS):
        await _open(page)
        await _wager(page)
        if "wagering" not in seen:
            await page.wait_for_timeout(900)  # the others wager as well
            await _kept(page, keep, "wagering", seen)
        await _through(page, keep, seen)
        if "third" in seen:
            break
    await _open(page)
    more = page.locator(".open-more")
    if await more.is_visible():  # on small screens rare acts stand in a menu
        await _press(more)
    await _press(page.get_by_role("button", name="Leave the table"))


async def accompany(address: str, table: str, turn: int) -> None:
    """Another participant, who wagers in every round until the task is ended."""
    async with Client(address) as client:
        await client.visit()
        cards = {each["table"]: each for each in await client.tables()}
        seat = [each for each in cards[table]["free"] if each != OWN][-turn]
        async with client.table(table) as seen:
            await seen.do("sit", seat=seat)
            await client.buy_in(table, 10_000_000)
            while True:
                await seen.until(lambda view: view["state"]["step"] == "wager" and not view["state"]["round"]["closed"])
                here = seen.state["round"]["number"]
                on = WAGERS[(here + turn) % 2]
                await seen.do("place_wager", seat=seat, on=on, stake=2_500 * (2 + (here * turn) % 7))
                await seen.do("place_wager", seat=seat, on="tie" if turn % 2 else "dragon_player", stake=1_000)
                await seen.until(lambda view, here=here: view["state"]["round"]["number"] != here)  # type: ignore[misc]


async def _kept(page: Page, keep: Keep, state: str, seen: set[str]) -> None:
    seen.add(state)
    if state != "settlement":  # which does not last long
        await page.wait_for_timeout(350)
    await keep(page, state)


async def _open(page: Page) -> None:
    """Wait until wagers are accepted; decline offers meanwhile."""
    while await page.locator("dealer-call").get_attribute("data-state") != "open":
        offered = page.locator("due-act:visible .button:not(.main)")
        if await offered.count():
            await _press(offered.last)
        await page.wait_for_timeout(50)


async def _press(button: Locator) -> None:
    """Press a button, unless the time for it has passed."""
    with contextlib.suppress(Error):
        await button.click(force=True, timeout=1_000)


async def _wager(page: Page) -> None:
    """A hundred and a bit on the Banker, and something on the side."""
    for key in "4b3b":
        await page.keyboard.press(key)
    side = page.locator('[data-on="dragon_banker"].own:visible, button.spot[data-on="dragon_banker"]:visible')
    if await side.count():
        await _press(side.first)
    await page.locator(LIES).nth(1).wait_for(state="attached")


async def _through(page: Page, keep: Keep, seen: set[str]) -> None:
    """Play the round to its end, and save what has not been seen yet."""
    while True:
        found: dict[str, Any] = await page.evaluate(WHERE)
        if found["squeeze"]:
            if "squeeze" not in seen:
                await _peel(page)
                await _kept(page, keep, "squeeze", seen)
            await _press(page.locator("squeeze-panel .foot .main"))
        elif found["third"] and not found["paid"] and "third" not in seen:
            await _kept(page, keep, "third", seen)
        elif found["paid"]:
            if "settlement" not in seen:
                await _kept(page, keep, "settlement", seen)
            return
        await page.wait_for_timeout(40)


WHERE = """
() => ({
  squeeze: Boolean(document.querySelector("squeeze-panel:not([hidden]) card-squeeze")),
  third: Boolean(document.querySelector("hand-cards:not(.former) .slot.third .card")),
  paid: Boolean(document.querySelector(".bet.win, .bet.lose, .bet.push")),
})
"""


async def _peel(page: Page) -> None:
    """Lift the first card by its long edge, the second by its short one."""
    for index, key in ((0, "ArrowUp"), (1, "ArrowRight")):
        card = page.locator("card-squeeze").nth(index)
        if await card.count():
            await card.focus()
            for _ in range(5):
                await page.keyboard.press(key)
