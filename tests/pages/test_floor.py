"""The floor in real browsers: two persons, two browsers; notices and their clock; a form on paper."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from access_house import PASSWORD
from baccarat.client import command_id
from baccarat.house.stream import Stream
from baccarat.law.rulebook import rulebook
from baccarat.money import Cents
from baccarat.play.hand import PLAYER_SIDE
from baccarat.serve.live import HouseServer
from baccarat.serve.runtime.house import EngineTable
from baccarat.table.actor import Actor, Envelope
from baccarat.table.base import table_rules
from baccarat.table.owed import dues
from baccarat.table.role import Role
from browser import browsing, run_in_browser
from correction_scenes import key_again
from floor_house import add_named, fill_cage, foul_shoe, open_pit, owe_vigorish, play_until, sign_on_as
from house_of_roles import production
from look_at_page import found_in_both_themes
from served import audited, served

pytestmark = pytest.mark.slow
PATIENCE = 60_000
HOSTILE = "<img src=x onerror=alert(1)>"
"""The name of a table; names of people cannot have such signs."""


async def opened(live: HouseServer) -> None:
    await open_pit(live, "main", **{HOSTILE: "ma-midi-4"})
    await fill_cage(live, HOSTILE)


async def on_floor(live: HouseServer, page: Any, address: str, name: str, role: Role, view: str = "") -> None:
    page.set_default_timeout(PATIENCE)
    await sign_on_as(live, page, address, name, role)
    await page.goto(f"{address}/floor{view}")


def sent(live: HouseServer) -> int:
    return live.house.state.cage.sent[HOSTILE]


def test_a_fill_is_asked_for_in_one_browser_and_approved_in_another(tmp_path: Path) -> None:
    async def work() -> None:
        async with (
            served(tmp_path, **production(tmp_path)) as (live, address),
            browsing() as (asks, wrong),
            browsing(theme="dark") as (approves, wrong_too),
        ):
            await opened(live)
            before = sent(live)
            await on_floor(live, asks, address, "Flora Floor", Role.FLOORPERSON, "#cage")
            await on_floor(live, approves, address, "Cara Cash", Role.CAGE_CASHIER)
            await approves.get_by_text("Nothing is waiting.").wait_for()

            await asks.get_by_role("button", name="Fill").click()
            sheet = asks.get_by_role("dialog")
            await sheet.get_by_label("Chips of $25.00").fill("40")
            await sheet.get_by_text("Total $1,000.00").wait_for()
            await sheet.get_by_role("button", name="Propose").click()
            own = sheet.locator("approval-card")
            await own.get_by_text("You requested this. Someone else must approve it: cage cashier.").wait_for()
            assert await own.get_by_role("button", name="Approve as").count() == 0, "nobody approves what is his own"
            assert sent(live) == before

            card = approves.locator("#asks approval-card")
            await card.get_by_text(f"fill of $1,000.00 for {HOSTILE}: 40 of $25.00").wait_for()
            assert "asked for by Flora Floor" in await card.inner_text()
            assert await card.locator("clause-tag").first.inner_text() == "House rule: two persons"
            await card.get_by_role("button", name="Approve as Cara Cash").click()
            await approves.get_by_text("Nothing is waiting.").wait_for()
            assert sent(live) == before + 1_000_00
            await asks.locator("#asks").get_by_text("Nothing is waiting.").wait_for()
            assert wrong + wrong_too == []
            audited(live, tmp_path)

    run_in_browser(work())


@pytest.mark.pages
def test_a_second_person_approves_at_the_console_of_the_first_or_declines_elsewhere(tmp_path: Path) -> None:
    async def work() -> None:
        async with (
            served(tmp_path, **production(tmp_path)) as (live, address),
            browsing() as (asks, wrong),
            browsing() as (second, wrong_too),
        ):
            await opened(live)
            before = sent(live)
            await on_floor(live, second, address, "Cara Cash", Role.CAGE_CASHIER)
            await on_floor(live, asks, address, "Flora Floor", Role.FLOORPERSON, "#cage")

            async def propose(act: str, chips: str) -> None:
                await asks.get_by_role("button", name=act).click()
                await asks.get_by_role("dialog").get_by_label("Chips of $5.00").fill(chips)
                await asks.get_by_role("dialog").get_by_role("button", name="Propose").click()

            await propose("Credit", "10")
            card = asks.get_by_role("dialog").locator("approval-card")
            await card.get_by_role("button", name="Approve here").click()
            await card.get_by_label("Name").fill("Cara Cash")
            await card.get_by_label("Password").fill("not the password")
            await card.get_by_role("button", name="Approve", exact=True).click()
            await card.get_by_role("alert").filter(has_text="password").wait_for()
            await card.get_by_label("Password").fill(PASSWORD)
            await card.get_by_role("button", name="Approve", exact=True).click()
            await asks.get_by_role("dialog").wait_for(state="hidden")
            assert sent(live) == before - 50_00

            await propose("Fill", "7")
            await asks.get_by_role("button", name="Leave it waiting").click()
            await second.get_by_text("fill of $35.00").wait_for()
            await second.get_by_role("button", name="Decline").click()
            await second.get_by_text("Nothing is waiting.").wait_for()
            assert sent(live) == before - 50_00
            assert wrong_too == []
            assert all("401" in each for each in wrong), "the wrong password, and nothing else"

    run_in_browser(work())


def test_orders_are_offered_where_they_are_taken_and_otherwise_say_why_not(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, **production(tmp_path)) as (live, address), browsing() as (page, wrong):
            await opened(live)
            await on_floor(live, page, address, "Sue Super", Role.CASINO_SUPERVISOR)
            orders = page.locator("#orders")
            await orders.get_by_text("Not now").first.click()
            assert await orders.get_by_role("button", name="Recut").count() == 0
            why = await orders.get_by_role("listitem").filter(has_text="Recut").inner_text()
            assert "§5(f)" in why
            await page.get_by_role("button", name="Gaming day", exact=True).click()
            await page.get_by_text("The day cannot be closed yet.").wait_for()
            assert "tray" in await page.locator("#view .notice").inner_text()
            assert wrong == []

    run_in_browser(work())


def test_a_notice_hangs_with_its_clock_until_a_change_may_rest_on_it(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, **production(tmp_path)) as (live, address), browsing() as (page, wrong):
            await open_pit(live, "north", Punto="nj-punto-banco")
            await on_floor(live, page, address, "Flora Floor", Role.FLOORPERSON)
            await page.get_by_text("No notice is posted.").wait_for()
            boss = await sign_on_as(live, await page.context.new_page(), address, "Bob Boss", Role.PIT_BOSS)
            await _give_notice(live, boss)
            clock = page.locator("notice-clock")
            await clock.get_by_text("29:5").wait_for()
            text = await clock.inner_text()
            assert "left of 30 minutes" in text
            assert "no commission is to be six half in pit north" in text
            assert "§3.3(e)" in text
            first = await clock.locator("b").inner_text()
            await page.wait_for_function(
                "first => document.querySelector('notice-clock b').textContent !== first", arg=first
            )
            assert wrong == []

    run_in_browser(work())


async def _give_notice(live: HouseServer, boss: str) -> None:
    from baccarat.house.notice import Notice  # noqa: PLC0415
    from baccarat.house.pit_book import GiveNotice  # noqa: PLC0415

    sent_now = live.desk.now // 1_000_000
    notice = Notice(to="table", pit="north", option="no_commission", value="six_half", sent=sent_now)
    envelope = Envelope(actor=Actor(who=boss, role=Role.PIT_BOSS), id=command_id())
    kept = live.house.enter(Stream("pit north"), GiveNotice(notice=notice), envelope)
    assert kept.refused is None
    await live.house.writer.wait_until_flushed()


@pytest.mark.pages
def test_a_house_that_is_not_heard_is_said_and_what_is_there_is_shown_again(tmp_path: Path) -> None:
    async def work() -> None:
        async with browsing() as (page, _wrong):
            async with served(tmp_path, **production(tmp_path)) as (live, address):
                port = int(address.rpartition(":")[2])
                await opened(live)
                await on_floor(live, page, address, "Flora Floor", Role.FLOORPERSON)
                await page.locator("table-tile").wait_for()
            await page.get_by_text("No contact with the house since").wait_for()
            assert await page.locator("table-tile").count() == 1, "what was there stays"
            async with served(tmp_path, listen=port, **production(tmp_path)):
                await page.get_by_text("No contact with the house since").wait_for(state="hidden")

    run_in_browser(work())


@pytest.mark.pages
def test_vigorish_is_waived_by_a_form_that_two_sign_and_that_is_printed_in_two_parts(tmp_path: Path) -> None:
    async def work() -> None:
        async with (
            served(tmp_path, **production(tmp_path)) as (live, address),
            browsing() as (clerk, wrong),
            browsing() as (boss, wrong_too),
        ):
            await open_pit(live, "main", Midi=rulebook("nj-punto-banco", vig_collection="deferred"))
            await fill_cage(live, "Midi")
            owed = await owe_vigorish(live, "Midi", patron="Pat Patron")
            await on_floor(live, clerk, address, "Cleo Clerk", Role.PIT_CLERK)
            await on_floor(live, boss, address, "Bob Boss", Role.PIT_BOSS)
            await clerk.get_by_role("button", name="Receive forms").click()
            await clerk.get_by_role("dialog").get_by_role("button", name="Do it").click()
            await clerk.get_by_role("button", name="Vigorish form").click()
            paper = clerk.get_by_role("dialog")
            assert await paper.locator("[name=amount]").input_value() == f"{owed / 100:g}"
            assert await paper.locator("[name=patron]").input_value() == "Pat Patron"
            assert await paper.locator("[name=pit_clerk]").input_value() == "Cleo Clerk"
            await paper.locator("[name=pit_boss]").fill("Bob Boss")
            await paper.get_by_role("button", name="Propose").click()
            await paper.get_by_text("refused").filter(has_text="signs").wait_for()
            await paper.get_by_role("button", name="Withdraw").click()
            await clerk.get_by_role("button", name="Vigorish form").click()
            await paper.locator("[name=pit_boss]").fill("Bob Boss")
            await paper.get_by_label("whether the patron has signed").check()
            await paper.get_by_role("button", name="Propose").click()
            await clerk.get_by_role("button", name="Leave it waiting").click()
            await boss.get_by_role("button", name="Approve as Bob Boss").click()
            await boss.get_by_text("Nothing is waiting.").wait_for()
            assert not live.house.state.tables["Midi"].money.markers.get(3)

            await clerk.get_by_role("button", name="Forms", exact=True).click()
            await clerk.get_by_role("cell", name="made out").wait_for()
            await clerk.evaluate(
                "() => { window.print = () => { window.printed = document.getElementById('paper').textContent; }; }"
            )
            await clerk.get_by_role("button", name="Print").click()
            printed = await (await clerk.wait_for_function("() => window.printed")).json_value()
            assert printed.count("Complimentary Vigorish Form") == 2, "an original and a duplicate"
            assert printed.count("Pat Patron") == 2
            assert "No. 1" in printed
            assert wrong + wrong_too == []
            audited(live, tmp_path)

    run_in_browser(work())


@pytest.mark.parametrize(
    "views", [("Tables",), pytest.param(("Cage", "Forms", "Meters", "Gaming day"), marks=pytest.mark.pages)]
)
def test_nothing_hangs_over_the_edge_and_axe_finds_nothing(views: tuple[str, ...], tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, **production(tmp_path)) as (live, address), browsing() as (page, wrong):
            await open_pit(live, "main", Midi="ma-midi-4-royal9")
            await fill_cage(live, "Midi")
            await on_floor(live, page, address, "Sue Super", Role.CASINO_SUPERVISOR)
            await page.locator("table-tile").first.wait_for()
            for view in views:
                await page.get_by_role("button", name=view, exact=True).click()
                await page.locator("#view table, #view table-tile").first.wait_for()
                for width in (390, 1180, 1440):
                    await page.set_viewport_size({"width": width, "height": 840})
                    wide = await page.evaluate("() => document.documentElement.scrollWidth")
                    assert wide <= width, view
                assert await found_in_both_themes(page) == [], view
            assert wrong == []

    run_in_browser(work())


def test_calls_are_pushed_and_answered_and_a_stopped_table_says_what_it_needs(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, **production(tmp_path)) as (live, address), browsing() as (page, wrong):
            await open_pit(live, "main", Midi="ma-midi-4", Punto="nj-punto-banco")
            await on_floor(live, page, address, "Flora Floor", Role.FLOORPERSON)
            dealer = await add_named(live, "Dora Dealer", Role.DEALER)
            await page.locator("table-tile").first.wait_for()
            assert await page.locator("#calls").is_hidden()
            live.floor_calls.call("Punto", by=dealer, now=live.desk.now - 65_000_000)
            live.rooms.house_room.mark_changed("calls")
            call = page.locator("#calls .call")
            await call.get_by_text("Dora Dealer asked for a floorperson").wait_for()
            assert re.search(r"at (\d+ \w+, )?\d\d:\d\d:\d\d\.", await call.inner_text()), "24 hours, as on every page"
            assert "1:0" in await call.locator("time").inner_text(), "it has waited for more than a minute"
            tile = page.locator("table-tile[data-table='Punto']")
            await tile.get_by_text("calls for the floorperson").wait_for()
            await call.get_by_role("button", name="I am coming").click()
            await page.locator("#calls .answered").get_by_text("Punto: answered by Flora Floor").wait_for()
            assert live.floor_calls.open_calls == []
            live.floor_calls.call("Midi", by=dealer, now=live.desk.now)
            live.rooms.house_room.mark_changed("calls")
            await call.get_by_text("Dora Dealer asked for a floorperson").wait_for()
            live.floor_calls.withdraw("Midi", now=live.desk.now)
            live.rooms.house_room.mark_changed("calls")
            await page.locator("#calls .withdrawn").get_by_text("Midi: Dora Dealer withdrew the call").wait_for()
            assert await call.count() == 0

            live.table_jobs.stopped["Punto"] = live.desk.now
            live.rooms.house_room.mark_changed("alerts", "table Punto")
            down = page.locator("table-tile[data-table='Punto'] .stopped")
            await down.get_by_text("The program stopped at this table.").wait_for()
            assert "Everyone may leave with their chips" in await down.inner_text()

            await foul_shoe(live, "Midi")
            stopped = page.locator("table-tile[data-table='Midi'] .stopped")
            await stopped.get_by_text("The table has stopped").wait_for()
            assert "The floorperson has the shoe taken away; other cards come." in await stopped.inner_text()
            assert await stopped.locator("clause-tag").count() > 0
            await stopped.get_by_role("button", name="What can be done").click()
            await page.locator("#orders").get_by_role("button", name="Abandon the shoe").click()
            sheet = page.get_by_role("dialog")
            await sheet.locator("[name=reason]").fill("one ace too many")
            await sheet.get_by_role("button", name="Propose").click()  # wagers were taken in the shoe: two persons
            await page.get_by_text("Waiting for a second person").first.wait_for()
            assert wrong == []
            audited(live, tmp_path)

    run_in_browser(work())


def _misread(table: EngineTable) -> int:
    """A card of the Banker's turns out to be another one: what seat 3, which had lost, is owed."""
    place = table.state.round.banker[0]
    for card in ("9h", "8h", "7h", "6h", "5h", "4h", "3h"):
        key_again(table, place, card)
        if (due := dues(table_rules(table.rules), table.state).get(3, 0)) > 0:
            return due
    raise AssertionError("one of them wins, or ties")


def test_what_is_corrected_is_picked_from_the_round_and_its_entries(tmp_path: Path) -> None:
    """Nobody types the number of an event: the round, the payment in words, what is right; the dealer approves."""

    async def work() -> None:
        async with served(tmp_path, **production(tmp_path)) as (live, address), browsing() as (page, wrong):
            await open_pit(live, "main", Midi="ma-midi-4")
            at = await play_until(
                live,
                "Midi",
                lambda at: (
                    at.state.round.number > 3 and at.state.step == "clear" and at.state.round.winner is PLAYER_SIDE
                ),
                patron="Pat Patron",
            )
            number = at.state.round.number
            due = _misread(at)
            await on_floor(live, page, address, "Flora Floor", Role.FLOORPERSON)
            await add_named(live, "Dora Dealer", Role.DEALER)
            chips = at.state.at(3)
            await page.locator("#orders summary", has_text="Corrections").click()
            await page.locator("#orders").get_by_role("button", name="Correct a payment").click()
            sheet = page.get_by_role("dialog")
            await sheet.get_by_role("heading", name="Correct a payment at Midi").wait_for()
            rounds = await sheet.locator("select option").all_inner_texts()
            assert rounds[0] == f"Round {number}, in play"
            assert [each.partition(":")[0] for each in rounds[1:]] == [
                f"Round {each}" for each in range(number - 1, 0, -1)
            ]
            entry = sheet.locator(".what button", has_text="eat 3").first
            await entry.click()
            propose = sheet.get_by_role("button", name="Propose the correction")
            await propose.click()
            await sheet.get_by_role("alert").filter(has_text="Still to be entered").wait_for()
            await sheet.get_by_label("Dollars more").fill(f"{due / 100:.2f}")
            await sheet.get_by_label("Why?").fill("the colour of a chip")
            await sheet.get_by_text(str(Cents(due))).first.wait_for()
            await propose.click()
            waits = await page.locator("#asks approval-card").inner_text()
            assert f"Seat 3 gets {Cents(due)} more." in waits
            assert "Recorded:" in waits
            assert "“the colour of a chip”" in waits
            await sheet.get_by_role("button", name="Approve here").click()
            await sheet.get_by_label("Name").fill("Dora Dealer")
            await sheet.get_by_label("Password").fill(PASSWORD)
            await sheet.get_by_role("button", name="Approve", exact=True).click()
            await sheet.wait_for(state="hidden")
            after = live.house.state.tables["Midi"].at(3)
            assert chips is not None
            assert after is not None
            assert after.chips == chips.chips + due
            assert wrong == []
            audited(live, tmp_path)

    run_in_browser(work())
