"""A round that stands still at each of its moments, with the page of the participant in windows touched and not."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, NamedTuple
from urllib.parse import quote

from playwright.async_api import Browser, Page, expect

from baccarat.serve.route.requester import COOKIE
from baccarat.table.role import Role
from dealer_house import SEAT, DealerHouse


class Look(NamedTuple):
    """How somebody looks at the table."""

    is_touched: bool
    language: str = "en"
    theme: str = "light"


TWO_TO_PEEL = """() => {
  const panel = document.querySelector("squeeze-panel");
  panel.cards.replaceChildren(...["8s", "Kh"].map((code) => {
    const card = document.createElement("card-squeeze");
    card.card = code;
    return card;
  }));
  panel.classList.remove("unseen-cards");
  for (const [index, key] of ["ArrowUp", "ArrowRight"].entries())
    for (let times = 0; times < 6; times++)
      panel.cards.children[index].dispatchEvent(new KeyboardEvent("keydown", { key }));
}"""
"""The house does not know real cards before they are turned: the page is given two."""


@asynccontextmanager
async def table_pages(
    browser: Browser, house: DealerHouse, looks: list[Look], wrong: list[str]
) -> AsyncIterator[dict[Look, Page]]:
    """The table as each of several participants' browsers shows it; what goes wrong is added to a list."""
    async with AsyncExitStack() as stack:
        pages = dict[Look, Page]()
        for look in looks:
            theme: Any = look.theme
            context = await browser.new_context(
                has_touch=look.is_touched, is_mobile=look.is_touched, color_scheme=theme, reduced_motion="reduce"
            )
            stack.push_async_callback(context.close)
            await context.add_init_script(f"localStorage.setItem('language', '{look.language}')")
            token = house.house.tokens[Role.PARTICIPANT]
            await context.add_cookies([{"name": COOKIE, "value": token, "url": house.house.address}])
            page = pages[look] = await context.new_page()
            page.on("pageerror", lambda error: wrong.append(str(error)))
            await page.goto(f"{house.house.address}/table/{quote(house.name)}")
            await page.locator("bac-felt .seat").first.wait_for(state="attached")
        yield pages


async def held_round(house: DealerHouse, pages: list[Page], sides: tuple[str, ...]) -> AsyncIterator[str]:
    """Go through a round with wagers on the Banker, on the Tie and on the side, and stop at each moment."""
    yield "empty"
    await house.open_shoe()
    await house.wager(banker=2_500)  # a round whose slip lies there during the next one
    await house.play_to("clear_table", cards="9c Kc 2c 3c 4c 5c")
    await house.press()
    for page in pages:
        await expect(page.locator("#slip")).not_to_be_empty()
    await house.wager(banker=22_500, tie=2_500, **dict.fromkeys(sides, 500))
    for page in pages:
        await expect(page.locator("#purse dd").nth(1)).not_to_have_text("$0.00")
    yield "wagering"
    await _deal_to_the_squeeze(house)
    for page in pages:
        await page.locator("squeeze-panel .foot .main").wait_for()
        await page.evaluate(TWO_TO_PEEL)
    yield "peeling"
    await house.act(Role.PARTICIPANT, "return_cards", seat=SEAT)
    await house.play_to("clear_table", cards="2c 4d 3h 2s")
    for page in pages:
        await expect(page.locator("#banker .note, #player .note").last).not_to_be_empty()
    yield "paid"


async def _deal_to_the_squeeze(house: DealerHouse) -> None:
    """Deal until the participant has cards to turn."""
    while True:
        work = await house.work()
        waited = [each["act"] for each in work["waiting"]]
        if "return_cards" in waited:
            return
        if work["acts"]:
            await house.press(card="6h" if work["acts"][0]["fields"] else None)
        else:
            await house.act(Role.PARTICIPANT, waited[0], seat=SEAT)
