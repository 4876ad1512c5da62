"""Every irregularity at the dealer's console, under the rules of both states; and a visitor who deals in training."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from baccarat.cards import Card
from baccarat.house.stream import table_stream
from baccarat.play.wager import WagerKind
from baccarat.serve.setting import TRAINING
from baccarat.table.automation import run_until
from baccarat.table.base import Accepted
from baccarat.table.machine import Table
from baccarat.table.role import Role
from baccarat.table.source import KeyedCards
from baccarat.table.step.wagering import PlaceWager
from baccarat.table.table_cards import TableCards
from browser import browsers, browsing, run_in_browser
from correction_scenes import key_again
from dealer_console import Work, at_the_console, choose, now, press, report, saw
from dealer_house import IN_FRONT, SEAT, DealerHouse, console, dealer_house
from served import audited, served
from table_driver import in_order

pytestmark = [pytest.mark.slow, pytest.mark.pages]


def at_new_jersey(tmp_path: Path, work: Work) -> None:
    """The same at a table of New Jersey; the dealer has the shoe."""

    async def with_shoe(house: DealerHouse, page: Page) -> None:
        if await house.step() == "offer_shoe":
            await page.locator(".act-instead button").click()
        await expect(page.locator("#steps .now")).to_have_text("wager")
        await work(house, page)

    at_the_console(tmp_path, with_shoe, "nj-punto-banco")


def test_an_unseen_card_drawn_too_early_waits_for_the_next_hand(tmp_path: Path) -> None:
    async def work(house: DealerHouse, page: Page) -> None:
        await house.wager(banker=2500)
        await house.play_to("announce_result", cards="6d Qs Th 7h")
        await now(page, "I have called it")
        await choose(page, "A card came out that no hand may have")
        await page.get_by_role("button", name="Player", exact=True).click()
        await report(page)
        await expect(page.locator(".todo .now")).to_contain_text("the first of the next hand")
        await expect(page.locator(".aside svg")).to_have_attribute("aria-label", "a card, face down")
        await house.play_to("clear_table")
        await press(page, "Clear the table")
        await expect(page.locator(".todo .now")).to_contain_text("it waits, face down")
        await house.wager(banker=2500)
        await press(page, "I have called it")
        await expect(page.locator("next-act .act-head")).to_contain_text("carried over")
        await saw(house, "error_card_drawn", "card_carried")

    at_the_console(tmp_path, work)


@pytest.mark.parametrize("seen", ["", "5s"])
def test_a_card_for_a_player_who_stays_is_the_bankers_who_must_draw(seen: str, tmp_path: Path) -> None:
    async def work(house: DealerHouse, page: Page) -> None:
        await house.wager(banker=2500)
        await house.play_to("draw_card", cards="")
        for _ in range(4):
            await house.press()
        await house.play_to("draw_card", cards="6d Qs Th 5h")
        await now(page, "Draw card 7")
        await choose(page, "A card came out that no hand may have")
        await page.get_by_role("button", name="Player", exact=True).click()
        if seen:
            await page.keyboard.type(seen)
        await report(page)
        await saw(house, "error_card_drawn", "card_reassigned")
        await expect(page.locator("#round .mini").nth(1).locator("svg")).to_have_count(3)

    at_the_console(tmp_path, work)


def test_cards_go_to_the_discards_and_are_shown_where_that_is_filed(tmp_path: Path) -> None:
    async def work(house: DealerHouse, page: Page) -> None:
        await choose(page, "The next card lies face up in the shoe")
        await page.keyboard.type("3c")
        await report(page)
        await saw(house, "face_up_found", "cards_discarded")
        await expect(page.locator("#steps .now")).to_have_text("show discards")
        for card in ("Kh", "Ks", "Kd"):
            await expect(page.locator("next-act .go-say")).to_contain_text("Turn card")
            before = await page.locator("next-act .go-say").inner_text()
            await page.keyboard.type(card)
            await page.keyboard.press("Enter")
            await expect(page.locator("next-act .go-say")).not_to_have_text(before)
        await expect(page.locator("#steps .now")).to_have_text("wager")

    at_new_jersey(tmp_path, work)


def test_a_seen_card_of_a_hand_is_set_aside_where_that_is_filed(tmp_path: Path) -> None:
    async def work(house: DealerHouse, page: Page) -> None:
        await house.wager(banker=2500)
        await house.play_to("turn_card")
        await now(page, "Turn card 3")
        await choose(page, "A card was seen before its turn")
        await page.get_by_role("button", name="Banker's card 6").click()
        await page.keyboard.type("Kd")
        await report(page)
        await saw(house, "card_set_aside", "simulated_round_ordered")
        await expect(page.locator(".aside svg")).to_have_attribute("aria-label", "king of diamonds")

    at_the_console(tmp_path, work, disclosed_correct_card="set_aside")


def test_a_shoe_that_cannot_finish_the_round_voids_it(tmp_path: Path) -> None:
    async def work(house: DealerHouse, page: Page) -> None:
        await deal_out(house)
        await choose(page, "The shoe cannot finish the round")
        await report(page)
        await expect(page.locator(".todo .now")).to_contain_text("every wager has gone back")
        await saw(house, "round_voided")

    at_the_console(tmp_path, work, behind=1)


async def deal_out(house: DealerHouse) -> None:
    """Deal the shoe to its end, until a card is due and none is left."""
    table = house.house.live.house.table(house.name)
    order = in_order(table.rules.elections.decks or 0, [Card.parse("As")])
    front = len(order) - IN_FRONT
    source = KeyedCards(lambda _number: (*order[front:], *order[:front]))

    def wagers(at: Table) -> None:
        wager = PlaceWager(seat=SEAT, on=WagerKind.BANKER, stake=2500)
        assert isinstance(at.do(wager), Accepted)

    def is_over(at: Table) -> bool:
        return at.state.shoe.left == 0 and any(due.act == "draw_card" for due in at.expected)

    run_until(table, source, stop=is_over, wagers=wagers)
    await house.house.live.house.writer.wait_until_flushed()


def test_a_card_that_the_shoe_cannot_hold_is_confirmed_by_the_floorperson(tmp_path: Path) -> None:
    async def inner() -> None:
        wrong: list[str] = []
        async with dealer_house(tmp_path) as house, browsers() as browser:
            await house.open_shoe(burn="9c")
            for cards in ("9c 9c 9c 9c", "9c 9c 9c 2c"):  # with the burned one, all that eight decks have
                await house.wager(banker=2500)
                await house.play_to("clear_table", cards=cards)
                await house.press()
            await house.wager(banker=2500)
            await house.play_to("turn_card")
            dealer = await console(browser, house, Role.DEALER, wrong)
            floor = await console(browser, house, Role.FLOORPERSON, wrong)
            await expect(dealer.locator("next-act .go-say")).to_contain_text("Turn card")
            await dealer.keyboard.type("9c")
            await expect(dealer.locator(".pad .refused")).to_contain_text("has been seen 8 times in a shoe of 8 decks")
            await choose(dealer, "A card appears that the shoe cannot contain")
            await expect(dealer.locator("next-act .act-next")).to_contain_text("Call the floorperson")
            await dealer.keyboard.press("Escape")
            await dealer.keyboard.press("f")
            await expect(dealer.get_by_role("button", name="Withdraw the call")).to_be_visible()
            await expect(dealer.locator("#notices")).to_contain_text("The floorperson is called")
            await house.house.ask("DELETE", f"{house.path}/floor-call", role=Role.FLOORPERSON)
            await expect(dealer.locator("#notices")).to_contain_text("floorperson one is coming, ")
            await dealer.get_by_role("button", name="Is here").click()
            await expect(dealer.locator("#notices")).not_to_contain_text("is coming")
            await expect(dealer.get_by_role("button", name="Call floorperson")).to_be_visible()
            await choose(floor, "A card appears that the shoe cannot contain")
            await floor.keyboard.type("8c")
            await expect(floor.locator(".remedy answer-line")).to_contain_text("can be in the shoe")
            await floor.keyboard.type("9c")
            await report(floor)
            await saw(house, "shoe_fouled", "round_voided")
            await expect(dealer.locator("#notices")).to_contain_text("The table has stopped")
            await now(floor, "Remove the shoe")
            await floor.get_by_label("Why?").fill("a ninth 9 of clubs")
            await floor.keyboard.press("Enter")
            await expect(floor.locator("#notices")).not_to_contain_text("stopped")
            await saw(house, "shoe_abandoned")
        assert wrong == []

    run_in_browser(inner())


def test_the_curator_gives_up_the_shoe(tmp_path: Path) -> None:
    async def inner() -> None:
        wrong: list[str] = []
        async with dealer_house(tmp_path, "nj-punto-banco") as house, browsers() as browser:
            await house.open_shoe()
            await house.act(Role.PARTICIPANT, "answer_shoe", seat=SEAT, accept=True)
            page = await console(browser, house, Role.DEALER, wrong)
            await choose(page, "The curator must give up the shoe")
            await page.get_by_label("Why?").fill("delays the game")
            await report(page)
            await saw(house, "shoe_passed")
        assert wrong == []

    run_in_browser(inner())


def test_a_payment_is_corrected_by_a_second_person_at_the_same_console(tmp_path: Path) -> None:
    async def work(house: DealerHouse, page: Page) -> None:
        await house.wager(player=2500)
        await house.play_to("clear_table", cards="7s Th 9d Kc")
        await now(page, "Clear the table")
        table = house.house.live.house.table(house.name)
        key_again(table, table.state.round.player[0], "9s")
        await page.keyboard.press("e")
        await page.locator(".what button").filter(has_text="Losing wagers are collected").click()
        await page.get_by_label("Dollars more, or less with a minus").fill("25")
        await page.get_by_label("Why?").fill("the hands were equal")
        await expect(page.locator("remedy-steps li").first).to_contain_text("$25.00 more is paid")
        await press(page, "Propose the correction")
        await expect(page.locator(".proposal .right")).to_contain_text(f"Seat {SEAT} gets $25.00 more.")
        await page.get_by_text("The second person is here").click()
        await page.get_by_label("Name").fill("floorperson one")
        await page.get_by_label("Password").fill("wrong and long enough")
        await page.get_by_role("button", name="Approve here").click()
        await expect(page.locator("#answer")).not_to_be_empty()
        await page.get_by_label("Name").fill("floorperson one")
        await page.get_by_label("Password").fill("correct horse battery")
        await page.get_by_role("button", name="Approve here").click()
        await expect(page.locator(".proposal")).to_have_count(0)
        await saw(house, "payment_corrected")

    at_the_console(tmp_path, work, refused="40")


def test_a_visitor_makes_the_shoe_ready_and_deals_at_the_training_table(tmp_path: Path) -> None:
    async def inner() -> None:
        async with served(tmp_path, company=3) as (live, address), browsing(width=390, height=844) as (page, wrong):
            await page.goto(address)
            async with page.expect_navigation():
                await page.get_by_label("You are here as").select_option("dealer")
            await page.goto(f"{address}/dealer")
            await page.wait_for_url(f"**/dealer/{TRAINING}")
            await press(page, "Come on the game")
            await now(page, "Receive the cards")
            cards = iter(["4s", "6h", "7d", "7s", "8h", "8s", "2c", "3c", "4c"])
            for _ in range(80):
                if live.house.state.tables[TRAINING].round.number > 1:
                    break
                await page.wait_for_timeout(150)
                if await page.get_by_label("What the boxes say").count():
                    await page.get_by_label("What the boxes say").fill("red 3")
                if await page.get_by_label("Cards in front of the cut card").count():
                    await page.get_by_label("Cards in front of the cut card").fill("180")
                if await page.locator(".pad").count() and not await page.locator(".keyed").count():
                    await page.keyboard.type(next(cards))
                await page.keyboard.press("Enter")
            assert live.house.state.tables[TRAINING].round.number > 1
            wide = await page.evaluate("() => document.documentElement.scrollWidth")
            assert wide <= 390, "nothing hangs over the edge of the screen"
            assert wrong == []
            await live.house.writer.wait_until_flushed()
            assert live.house.state.head(table_stream(TRAINING))
            audited(live, tmp_path)

    run_in_browser(inner())


def test_cards_of_an_electronic_shoe_are_dealt_under_a_persons_hand(tmp_path: Path) -> None:
    async def inner() -> None:
        wrong: list[str] = []
        async with dealer_house(tmp_path, cards=TableCards.ELECTRONIC) as house, browsers() as browser:
            page = await console(browser, house, Role.DEALER, wrong)
            await page.wait_for_timeout(300)  # the shoe commits as soon as somebody looks on
            await house.open_shoe()
            await expect(page.locator("#round")).to_contain_text("sealed")
            await house.wager(player=2500)
            await press(page, "I have called it")
            label = page.locator("next-act .go-say")
            for _ in range(4):  # what the first card says decides how many were burned
                await expect(label).to_contain_text("Draw card")
                shown = await label.inner_text()
                await page.keyboard.press("Enter")
                await expect(label).not_to_have_text(shown)
            await press(page, f"Hand over to seat {SEAT}")
            await expect(page.locator("next-act")).to_contain_text("Waiting for Seat")
            await house.act(Role.PARTICIPANT, "return_cards", seat=SEAT)
            await expect(page.locator(".pad")).to_have_count(0)
            for card in range(2):
                await expect(label).to_contain_text("Turn card")
                shown = await label.inner_text()
                await page.keyboard.press("Enter")
                await expect(label).not_to_have_text(shown)
                turned = page.locator("#round .mini").first.locator("svg").nth(card)
                await expect(turned).not_to_have_attribute("aria-label", "a card, face down")
            await expect(page.locator(".say")).to_contain_text("Player")
        assert wrong == []

    run_in_browser(inner())
