"""The table's rare states as somebody who sits there sees them, while a person deals: stopped, new shoe, House Money
pressed, a simulated round, a Free Hand, the shoe in one's own hand, and the acts of the tray beside limits.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from playwright.async_api import Browser, Page, expect

from baccarat.serve.route.requester import COOKIE
from baccarat.table.role import Role
from baccarat.table.state import TableState
from browser import browsers, run_in_browser
from dealer_house import PATIENCE, SEAT, DealerHouse, dealer_house

pytestmark = pytest.mark.slow
expect.set_options(timeout=PATIENCE)
Work = Callable[[DealerHouse, Page], Awaitable[None]]


async def seat_page(browser: Browser, house: DealerHouse, wrong: list[str], *, locale: str = "en-US") -> Page:
    """The table's page in a browser of its own, as the participant sees it."""
    context = await browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce", locale=locale)
    token = house.house.tokens[Role.PARTICIPANT]
    await context.add_cookies([{"name": COOKIE, "value": token, "url": house.house.address}])
    page = await context.new_page()
    page.set_default_timeout(PATIENCE)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    await page.goto(f"{house.house.address}/table/{quote(house.name)}")
    await page.locator("bac-felt .seat").first.wait_for(state="attached")
    return page


def at_the_table(
    tmp_path: Path,
    work: Work,
    submission: str = "ma-midi-4",
    *,
    burn: str = "As",
    locale: str = "en-US",
    **elections: Any,
) -> None:
    """Somebody sits at a table whose shoe is ready; nothing goes wrong on the page."""

    async def inner() -> None:
        wrong: list[str] = []
        async with dealer_house(tmp_path, submission, **elections) as house, browsers() as browser:
            await house.open_shoe(burn)
            await work(house, await seat_page(browser, house, wrong, locale=locale))
        assert wrong == []

    run_in_browser(inner())


def state_of(house: DealerHouse) -> TableState:
    """How the table stands."""
    return house.house.live.house.state.tables[house.name]


async def is_at(page: Page, state: str) -> None:
    """Wait until the bar shows a state of the wagers."""
    await expect(page.locator("dealer-call")).to_have_attribute("data-state", state)


async def staked(page: Page, sum_: str) -> None:
    """Wait until so much is said to lie on the table."""
    await expect(page.locator("#purse dd").nth(1)).to_have_text(sum_)


async def counts(page: Page) -> list[str]:
    """How many rounds the Banker, the Player and nobody have won, as the roads say it."""
    found = await page.locator("road-board .stats li").all_inner_texts()
    return [re.sub(r"\D", "", text) for text in found[:3]]


def test_house_money_that_has_won_is_pressed_onto_a_wager(tmp_path: Path) -> None:
    async def work(house: DealerHouse, page: Page) -> None:
        await is_at(page, "open")
        await house.wager(banker=2500, house_money=500)
        await house.play_to("pay_house_money", cards="8c 8d 2c 3c")
        await expect(page.locator("due-act")).to_contain_text("Your House Money wins $15, which you may add to a wager")
        assert await page.locator("due-act clause-tag").count() > 0
        await page.get_by_role("button", name="Add it to Banker, $25").click()
        await expect(page.locator("due-act")).to_be_hidden()
        assert [onto.value for onto in state_of(house).round.presses.values()] == ["banker"]
        offered = (await house.work())["acts"][0]
        assert "onto the Banker wager" in offered["say"]
        await house.press()
        await expect(page.locator('.bet[data-bet="5 banker"]')).to_contain_text("$40")
        await staked(page, "$40.00")

    at_the_table(tmp_path, work)


def test_the_same_again_twice_as_much_one_step_back_and_nothing(tmp_path: Path) -> None:
    async def work(house: DealerHouse, page: Page) -> None:
        rebet, clear = (page.get_by_role("button", name=name) for name in ("Rebet", "Clear"))
        await is_at(page, "open")
        await expect(rebet).to_be_disabled()
        for key in "4b3t":
            await page.keyboard.press(key)
        await staked(page, "$125.00")
        await expect(rebet).to_be_disabled()
        await page.keyboard.press("1")
        await page.keyboard.press("p")
        await expect(page.locator("answer-line")).to_contain_text("below the posted minimum of $5.00")
        await house.play_to("clear_table", cards="9c Kc 2c 3c")
        await expect(page.locator(".bet.lose")).to_have_count(2)
        await expect(page.locator("answer-line")).to_contain_text("below the posted minimum of $5.00")
        await house.press()
        await is_at(page, "open")
        await staked(page, "$0.00")
        await expect(page.locator("answer-line")).to_be_empty()
        await expect(clear).to_be_disabled()
        await rebet.click()
        await staked(page, "$125.00")
        for lies in ("$250.00", "$500.00", "$1,000.00"):
            await page.get_by_role("button", name="Double").click()
            await staked(page, lies)
        await page.keyboard.press("d")  # the Banker's wager is doubled; the Tie's would be above its limit
        await expect(page.locator("answer-line")).to_contain_text("above the posted maximum of $250.00")
        assert await page.locator("answer-line clause-tag").count() > 0
        await staked(page, "$1,800.00")
        await page.keyboard.press("u")
        await staked(page, "$1,000.00")
        await clear.click()
        await staked(page, "$0.00")
        await page.get_by_role("button", name="Undo").click()
        await staked(page, "$1,000.00")
        lie = {wager.on.value: wager.stake for wager in state_of(house).round.wagers}
        assert lie == {"banker": 80_000, "tie": 20_000}

    limits = {
        name: {"min": 500, "max": most, "increment": 100} for name, most in (("player", 500_000), ("banker", 500_000))
    }
    limits["tie"] = {"min": 500, "max": 25_000, "increment": 100}
    at_the_table(tmp_path, work, limits=limits, house_money=False, dragon_bonus=False)


def test_a_page_that_is_loaded_anew_still_knows_what_was_paid_last(tmp_path: Path) -> None:
    async def work(house: DealerHouse, page: Page) -> None:
        under, paid = page.locator("dealer-call .state .under"), page.locator("#purse dd").nth(2)
        await is_at(page, "open")
        await expect(under).to_have_text("time runs from the first wager")
        await house.wager(player=2500)
        await expect(under).to_have_text("until the dealer closes")
        await house.play_to("clear_table", cards="9c Kc 2c 3c")
        await expect(paid).not_to_have_text("$0.00")
        was = await paid.inner_text()
        await house.press()
        await is_at(page, "open")
        await page.reload()
        await expect(paid).to_have_text(was)

    at_the_table(tmp_path, work)


async def report_face_up(house: DealerHouse, card: str) -> None:
    """The next card of the shoe lies face up."""
    found = next(each for each in (await house.work())["irregularities"] if each["what"] == "face_up")
    command = dict(found["command"])
    await house.act(Role.DEALER, command.pop("do"), **{**command, "card": card})


def test_rounds_without_wagers_say_so_and_leave_the_roads_alone(tmp_path: Path) -> None:
    async def work(house: DealerHouse, page: Page) -> None:
        call, roads = page.locator("dealer-call"), page.locator("road-board .stats li")
        await is_at(page, "open")
        await page.get_by_role("button", name="Ask for a Free Hand").click()
        await expect(call).to_contain_text(f"Seat {SEAT} has asked for a Free Hand")
        await house.play_to("clear_table", cards="9c Kc 2c 3c")
        await expect(call).to_contain_text("“Player 9, Banker 5, Player wins”")
        await expect(page.locator("#player .note")).to_have_text("wins")
        await house.press()
        await expect(page.locator("#history li")).to_have_count(1)
        await expect(page.locator("#history .tag")).to_have_text("free hand")
        await report_face_up(house, "5c")
        await expect(call).to_contain_text("a simulated round")
        await expect(call).not_to_contain_text("“no more bets”")
        await expect(page.locator("chip-tray")).to_be_hidden()
        await house.play_to("clear_table", cards="4d 2h 3h 2d")
        await house.press()
        await expect(page.locator("#history .tag")).to_have_count(2)
        assert await counts(page) == ["0", "0", "0"], "neither counts"
        await house.wager(banker=2500)
        await house.play_to("clear_table", cards="9d Kd 2c 3c")
        await house.press()
        await expect(roads.nth(1)).to_contain_text("1")
        assert await counts(page) == ["0", "1", "0"]

    at_the_table(tmp_path, work)


def test_a_foul_shoe_stops_the_table_and_a_new_one_begins(tmp_path: Path) -> None:
    async def work(house: DealerHouse, page: Page) -> None:
        for cards in ("9c 9c 9c 9c", "9c 9c 9c 2c"):  # with the burned one, all that eight decks have
            await house.wager(banker=2500)
            await house.play_to("clear_table", cards=cards)
            await house.press()
        await expect(page.locator("#history li")).to_have_count(2)
        await house.wager(banker=2500)
        await house.play_to("turn_card")
        before = await page.locator("#purse dd").first.inner_text()
        position = (await house.work())["acts"][0]["position"]
        foul = {"position": position, "card": "9c"}
        await house.act_with(Role.CASINO_SUPERVISOR, Role.FLOORPERSON, "confirm_card", **foul)
        await is_at(page, "stopped")
        await expect(page.locator("dealer-call")).to_contain_text("Table stopped")
        await expect(page.locator("dealer-call")).to_contain_text("foul shoe")
        await expect(page.locator("dealer-call")).not_to_contain_text("no more bets")
        await expect(page.locator("why-drawer h2")).to_have_text("Why has the table stopped?")
        await expect(page.locator("bac-felt .bet")).to_have_count(0)
        await expect(page.locator("#purse dd").first).not_to_have_text(before)
        await staked(page, "$0.00")
        await expect(page.locator("chip-tray")).to_be_hidden()
        await expect(page.locator("#instead")).to_contain_text("resumes after the floorperson")
        await page.keyboard.press("b")
        await expect(page.locator("answer-line")).to_contain_text("The table has stopped")
        reason = "a ninth 9 of clubs"
        await house.act_with(Role.CASINO_SUPERVISOR, Role.FLOORPERSON, "abandon_shoe", reason=reason)
        await is_at(page, "between")
        await house.make_ready(set_id="red 8")
        await is_at(page, "open")
        await expect(page.locator("dealer-call .round")).to_contain_text("shoe 2")
        await expect(page.locator("road-board .stats li").first).to_contain_text("0")
        assert await counts(page) == ["0", "0", "0"], "a new shoe has new roads"
        await page.keyboard.press("b")
        await staked(page, "$25.00")

    at_the_table(tmp_path, work, burn="9c")


def test_whoever_takes_the_shoe_in_new_jersey_draws_the_cards_and_passes_it_on(tmp_path: Path) -> None:
    async def work(house: DealerHouse, page: Page) -> None:
        await expect(page.locator("due-act")).to_contain_text("It is for you to say whether you take the shoe")
        assert await page.locator("due-act .button").all_inner_texts() == [
            "Take the shoe and deal", "Take the shoe, let the dealer deal", "Decline",
        ]  # fmt: skip
        await page.get_by_role("button", name="Take the shoe and deal").click()
        await expect(page.locator(".seat-name.own")).to_have_text("you · shoe")
        assert state_of(house).seats.curator == SEAT
        await is_at(page, "open")
        await page.keyboard.press("b")
        await staked(page, "$25.00")
        await house.play_to("call_no_more_bets")
        await house.press()
        while (await house.step()) in ("no_more_bets", "call_cards"):
            await house.press()
        for number in range(1, 5):
            await page.get_by_role("button", name="Draw the card").click()
            await expect(page.locator("hand-cards .card")).to_have_count(number)
        await house.play_to("clear_table", cards="9c Kc 2c 3c")
        await house.press()
        while (await house.step()) != "wager":
            await house.press()
        await is_at(page, "open")
        pass_on = page.get_by_role("button", name="Pass the shoe")
        if state_of(house).seats.curator == SEAT:  # a Banker who has lost has passed it already
            await pass_on.click()
        await expect(pass_on).to_be_hidden()
        await expect(page.locator(".seat-name.own")).to_have_text("you")

    at_the_table(tmp_path, work, "nj-punto-banco")


ENGLISH = re.compile("[A-Za-z]{3,}")


async def all_chinese(page: Page) -> None:
    """What is called, what happens now, why, and what is due have no word of English; names of wagers may."""
    for part in (".words", ".then > span:first-child"):
        for text in await page.locator(f"dealer-call .say {part}").all_inner_texts():
            assert not ENGLISH.search(text), text
    await expect(page.locator("why-drawer h2")).not_to_contain_text(ENGLISH)
    for text in await page.locator("why-drawer .rulings strong").all_inner_texts():  # at once: the round goes on
        assert not ENGLISH.search(text.replace("House Money", "")), text


def test_a_whole_round_is_told_in_traditional_chinese(tmp_path: Path) -> None:
    async def work(house: DealerHouse, page: Page) -> None:
        await is_at(page, "open")
        await expect(page.locator("dealer-call .say")).to_contain_text("請下注")
        for hand, word in (("player", "閒"), ("banker", "莊"), ("tie", "和")):
            await expect(page.locator(f"bac-felt .p-area-{hand}").first).to_have_text(word)
        await all_chinese(page)
        await page.keyboard.press("1")
        await page.keyboard.press("b")
        await expect(page.locator("answer-line")).to_contain_text("莊的 $1 低於所示最低注 $25。")
        await page.keyboard.press("4")
        await page.keyboard.press("b")
        await staked(page, "$100.00")
        cards = iter(["2c", "3c", "2d", "4d", "7h", "Kh"])
        while (await house.step()) != "clear":
            due = (await house.work())["acts"]
            if not due:
                await expect(page.locator("squeeze-panel .top p")).to_contain_text("請看莊家的牌")
                await house.act(Role.PARTICIPANT, "return_cards", seat=SEAT)
                continue
            said = await page.locator("dealer-call .say").inner_text()
            await house.press(card=next(cards) if due[0]["fields"] else None)
            await expect(page.locator("dealer-call .say")).not_to_have_text(said)
            await all_chinese(page)
        await expect(page.locator("dealer-call .words")).to_have_text("「閒 2 點，莊 6 點，莊贏」")
        await expect(page.locator("#instead .paid")).to_contain_text("莊")

    at_the_table(tmp_path, work, locale="zh-TW")
