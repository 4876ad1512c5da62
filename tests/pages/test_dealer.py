"""The dealer's console in a real browser: a round by hand with a keyed shoe, irregularities, a correction by two."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from access_house import PASSWORD
from baccarat.serve.access.base import MINUTE
from baccarat.serve.access.denial import Denied
from baccarat.serve.access.session import open_session
from baccarat.table.role import Role
from browser import browsers, run_in_browser
from dealer_console import at_the_console, choose, now, press, report, saw, turn
from dealer_house import SEAT, DealerHouse, console, dealer_house

pytestmark = pytest.mark.slow


def test_a_dealer_runs_a_round_by_hand_with_a_keyed_shoe(tmp_path: Path) -> None:
    async def work(house: DealerHouse, page: Page) -> None:
        await expect(page.locator("next-act")).to_contain_text("Participants may wager.")
        await house.wager(banker=22_500, dragon_banker=2500, tie=1000)
        await expect(page.locator(".say")).to_have_text("“no more bets”")
        await expect(page.locator("#work")).to_contain_text("Banker $225 · Dragon Bonus on Banker $25")
        await press(page, "I have called it")
        for number in (3, 4, 5, 6):
            await press(page, f"Draw card {number}")
        await turn(page, 3, "6h")  # nobody has wagered on the Player: the dealer turns these
        await page.keyboard.type("9c")  # mistyped, and taken back
        await expect(page.locator(".keyed")).to_contain_text("9 of clubs")
        await page.keyboard.press("Backspace")
        await turn(page, 5, "7d")
        await expect(page.locator(".say")).to_have_text("“Player 3”")
        await press(page, "I have called it")
        await press(page, f"Hand over to seat {SEAT}")
        await expect(page.locator("next-act")).to_contain_text(f"Waiting for Seat {SEAT}")
        await house.act(Role.PARTICIPANT, "return_cards", seat=SEAT)
        await turn(page, 4, "7s")
        await turn(page, 6, "8h")
        await press(page, "I have called it")
        await press(page, "Draw card 7")
        await now(page, "Turn card 7")
        await page.locator('[data-card="8s"]').click()  # pressed instead of typed
        await expect(page.locator(".keyed")).to_contain_text("Player then counts 1")
        await expect(page.locator(".soon")).to_contain_text("Banker stays")
        await expect(page.locator(".soon clause-tag").first).to_have_text("§10(c)(2)(iii)")
        await press(page, "Turn card 7")
        await expect(page.locator(".say")).to_have_text("“Player 1, Banker 5, Banker wins”")
        await expect(page.locator(".tableau td.hit")).to_have_text("stay")
        await press(page, "I have called it")
        await expect(page.locator("pay-table tr.now")).to_contain_text("Losing wagers: seat 5")
        await expect(page.locator(".go-sum")).to_have_text("$10.00")
        await press(page, "Collect losing wagers")
        await expect(page.locator("pay-table tr.now")).to_contain_text("Banker $225 · Dragon Banker $25")
        await expect(page.locator("pay-table tr.now td.box")).to_have_text("$11.25")
        await expect(page.locator(".act-next")).to_have_text(f"The dealer pays seat {SEAT} $250.00.")
        await press(page, f"Mark vigorish, seat {SEAT}")
        await expect(page.locator("#boxes li.hot")).to_have_text(f"{SEAT}11.25")
        await press(page, f"Pay seat {SEAT}")
        await press(page, "Clear the table")
        await expect(page.locator("#steps .now")).to_have_text("wager")
        moved = ("losers_collected", "vigorish_taken", "paid", "table_cleared")
        events = [event["event"] for event in await house.journal()]
        assert tuple(event for event in events if event in moved) == moved
        assert events.count("card_turned") == 5

    at_the_console(tmp_path, work, vig_collection="deferred")


def test_a_scanning_shoe_deals_as_fast_as_it_types(tmp_path: Path) -> None:
    async def work(house: DealerHouse, page: Page) -> None:
        await house.wager(banker=2500)
        await press(page, "I have called it")
        await now(page, "Draw card 3")
        await page.get_by_role("button", name="Scanning shoe").click()
        await page.keyboard.type("6h7s10d8h")  # four cards leave the shoe, faster than any answer comes
        for number in (3, 5):
            await press(page, f"Turn card {number}")
        await expect(page.locator(".say")).to_have_text("“Player 6”")
        turned = [event["card"] for event in await house.journal() if event["event"] == "card_turned"]
        assert turned == [{"rank": "6", "suit": "h"}, {"rank": "T", "suit": "d"}]

    at_the_console(tmp_path, work)


# ----------------------------------------------------------------------------------------- irregularities


async def error_card(house: DealerHouse, page: Page) -> None:
    """A card for a Player who stays: laid aside, the round is finished, and the card opens a simulated one."""
    await house.wager(banker=2500)
    await house.play_to("announce_result", cards="6d Qs Th 7h")
    await now(page, "I have called it")
    await choose(page, "A card came out that no hand may have")
    await page.get_by_role("button", name="Player", exact=True).click()
    await page.keyboard.type("9d")
    await expect(page.locator("remedy-steps")).to_contain_text("in a simulated round without wagers")
    await expect(page.locator(".elected")).to_contain_text('disclosed_third_card = "simulated_round"')
    await report(page)
    await expect(page.locator(".act-head")).to_contain_text("Irregularity, step 3 of 4")
    await expect(page.locator(".todo .now")).to_contain_text("Lay the 9 of diamonds aside")
    await expect(page.locator(".todo .now clause-tag").first).to_have_text("§13(c)")
    await expect(page.locator(".aside svg")).to_have_attribute("aria-label", "9 of diamonds")
    await house.play_to("draw_card")
    await expect(page.locator("#notices")).to_contain_text("A simulated round")
    await expect(page.locator(".todo .now")).to_contain_text("without wagers")
    await house.play_to("clear_table", cards="Kc 2c 3c")
    await press(page, "Clear the table")
    await expect(page.locator("remedy-steps")).to_have_count(0)
    await saw(house, "error_card_drawn", "simulated_round_ordered")


async def exposed_card(house: DealerHouse, page: Page) -> None:
    """A card of the Banker's seen too early stays where it lies, and is known."""
    await house.wager(banker=2500)
    await house.play_to("turn_card")
    await choose(page, "A card was seen before its turn")
    await page.get_by_role("button", name="Banker's card").last.click()
    await page.keyboard.type("Kd")
    await report(page)
    seen = page.locator("#round .mini").nth(1).locator("svg").nth(1)
    await expect(seen).to_have_attribute("aria-label", "king of diamonds")
    await expect(page.locator(".todo .done")).to_contain_text("king of diamonds")
    await saw(house, "card_turned")
    await house.play_to("clear_table", cards="2d 7c 9h")
    await press(page, "Clear the table")


async def face_up(house: DealerHouse, page: Page) -> None:
    """The next card lies face up before any wager: the remedy is shown before it is reported; a simulated round."""
    await choose(page, "The next card lies face up in the shoe")
    await now(page, "Report it")
    await expect(page.locator("next-act .go")).to_have_attribute("aria-disabled", "true")
    await page.keyboard.type("5c")
    await expect(page.locator("remedy-steps li").first).to_contain_text("face up")
    assert "face_up_found" not in [event["event"] for event in await house.journal()]
    await report(page)
    await expect(page.locator("#notices")).to_contain_text("A simulated round")
    await saw(house, "face_up_found", "round_made_simulated")
    await house.play_to("clear_table", cards="4d 2h 3h")
    await press(page, "Clear the table")


async def delay(house: DealerHouse, page: Page) -> None:
    """A holder who looks for minutes: the right goes on, and falls to the dealer."""
    await house.wager(player=2500)
    await house.play_to("hand_cards")
    await press(page, f"Hand over to seat {SEAT}")
    await expect(page.locator("next-act")).to_contain_text("Waiting for Seat")
    await choose(page, "A holder delays the game")
    await page.get_by_label("Why?").fill("looks at the cards for minutes")
    await report(page)
    await expect(page.locator("next-act .go-say")).to_contain_text("Turn card")
    await saw(house, "turn_relinquished", "turn_fell_to_dealer")
    await house.play_to("clear_table", cards="9s Ks 2s 3d")
    await press(page, "Clear the table")


def test_one_irregularity_of_each_family_from_its_report_to_its_remedy(tmp_path: Path) -> None:
    async def work(house: DealerHouse, page: Page) -> None:
        for family in (face_up, error_card, exposed_card, delay):
            await expect(page.locator("#steps .now")).to_have_text("wager")
            await family(house, page)

    at_the_console(tmp_path, work)


# ------------------------------------------------------------------------------------------ a locked console


async def at_a_console(house: DealerHouse) -> None:
    """The dealer's session belongs to a console of this table, as one does that was signed on there."""
    live, person = house.house.live, house.house.people[Role.DEALER]
    issued = await live.desk.change(
        lambda reads, now: open_session(
            reads,
            person=person,
            role=Role.DEALER,
            now=now,
            lifetimes=live.desk.lifetimes,
            device="device-7",
            table=house.name,
        )
    )
    assert not isinstance(issued, Denied), issued
    house.house.tokens[Role.DEALER] = issued.token.reveal()


def test_a_console_that_nobody_used_is_locked_and_its_own_person_unlocks_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def inner() -> None:
        wrong: list[str] = []
        async with dealer_house(tmp_path) as house, browsers() as browser:
            await house.open_shoe()
            await at_a_console(house)
            page = await console(browser, house, Role.DEALER, wrong)
            await house.wager(banker=2500)
            await now(page, "I have called it")
            clock = house.house.live.desk._clock
            wall = clock.wall
            monkeypatch.setattr(clock, "wall", lambda: wall() + 6 * MINUTE)
            await page.keyboard.press("Enter")
            await expect(page.locator("#locked")).to_contain_text("locked")
            await expect(page.get_by_label("Password")).to_be_focused()
            for word in ("not the one at all", PASSWORD):
                assert not house.house.live.house.state.tables[house.name].round.closed, "nothing was done"
                await page.keyboard.type(word)
                await page.keyboard.press("Enter")
                if word != PASSWORD:
                    await expect(page.locator("#answer")).not_to_be_empty()
            await expect(page.locator("#locked")).to_be_empty()
            await expect(page.locator("#beside .tag.live")).to_be_visible()
            await press(page, "I have called it")
            await now(page, "Draw card 3")
        assert [each for each in wrong if "423" not in each and "40" not in each] == []

    run_in_browser(inner())


# --------------------------------------------------------------------------------------------- corrections


def test_two_persons_correct_a_card_from_two_browsers(tmp_path: Path) -> None:
    async def inner() -> None:
        wrong: list[str] = []
        async with dealer_house(tmp_path) as house, browsers() as browser:
            await house.open_shoe()
            await house.wager(banker=2500)
            await house.play_to("announce_result", cards="2c 4s 4h 5h Kd")
            dealer = await console(browser, house, Role.DEALER, wrong)
            floor = await console(browser, house, Role.FLOORPERSON, wrong)
            await expect(dealer.locator(".say")).to_have_text("“Player 6, Banker 9, Banker wins”")
            await dealer.keyboard.press("e")
            await dealer.locator(".what button").filter(has_text="Card 5 is the 4 of spades").click()
            await dealer.get_by_label("Why?").fill("a 3 was read as a 4")
            await dealer.locator('entry-form [data-card="3s"]').click()
            await expect(dealer.locator("remedy-steps li").first).to_contain_text("corrected")
            await press(dealer, "Propose the correction")
            await expect(dealer.locator(".proposal")).to_contain_text("waits for the floorperson")
            await expect(dealer.get_by_role("button", name="Approve", exact=True)).to_have_count(0)
            card = floor.locator(".proposal")
            await expect(card).to_contain_text("It is the 3 of spades.")
            await expect(card).to_contain_text("“a 3 was read as a 4”")
            await card.get_by_role("button", name="Approve", exact=True).click()
            await expect(dealer.locator(".proposal")).to_have_count(0)
            await expect(dealer.locator(".say")).to_have_text("“Player 5”")
            await expect(floor.locator(".proposal")).to_have_count(0)
            found = [event for event in await house.journal() if event["event"] == "card_corrected"]
            assert [(event["was"], event["card"]) for event in found] == [
                ({"rank": "4", "suit": "s"}, {"rank": "3", "suit": "s"})
            ]
            people = house.house.people
            assert (found[0]["requester"], found[0]["approver"]) == (people[Role.DEALER], people[Role.FLOORPERSON])
            assert found[0]["cites"]
        assert wrong == []

    run_in_browser(inner())
