"""The office in a real browser: a Submission edited, refused, mended, announced and put in force; people come in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from baccarat.serve.access.denial import Denial, make_denial
from baccarat.serve.live import HouseServer
from baccarat.table.role import Role
from browser import browsing, run_in_browser
from floor_house import open_pit, sign_on_as
from house_of_roles import production
from look_at_page import found_in_both_themes
from served import audited, served

pytestmark = pytest.mark.slow
PATIENCE = 60_000


async def at_office(live: HouseServer, page: Any, address: str, role: Role, section: str = "") -> None:
    page.set_default_timeout(PATIENCE)
    await sign_on_as(live, page, address, f"{role.value} Ann", role)
    await page.goto(f"{address}/office{section}")


def test_a_submission_is_edited_refused_mended_and_put_in_force(tmp_path: Path) -> None:
    async def work() -> None:
        async with (
            served(tmp_path, **production(tmp_path)) as (live, address),
            browsing(width=1440, height=900) as (page, wrong),
            browsing() as (floor, wrong_too),
        ):
            await open_pit(live, "main", Midi="ma-midi-4")
            before = live.rooms["Midi"].rules
            await at_office(live, page, address, Role.PIT_BOSS)
            await page.get_by_text("as filed").wait_for()

            odds = page.locator("#option-tie_odds")
            await odds.get_by_role("textbox").fill("7")
            await page.get_by_text("✕ 1 wrong").wait_for()
            assert "7 to 1 is below the floor; allowed: at least 8 to 1" in await odds.inner_text()
            assert "§12(b)" in await page.locator(".faults").inner_text()
            assert await page.get_by_role("button", name="File").count() == 0, "nothing is filed while it is wrong"

            await odds.get_by_role("textbox").fill("9")
            await page.get_by_text("✓ sound · changes: 1").wait_for()
            assert "8 → 9" in await page.locator(".differences").inner_text()
            await page.get_by_role("button", name="Compare prices").click()
            tie = page.locator(".prices tr.differs")
            await tie.wait_for()
            assert "14.360 %" in await tie.inner_text()
            assert "4.844 %" in await tie.inner_text()
            await page.get_by_role("button", name="File, effective immediately").click()
            await page.get_by_text("Filed, not in force yet").wait_for()
            assert live.rooms["Midi"].rules is before, "a table plays on by its own rules until others are adopted"

            floor.set_default_timeout(PATIENCE)
            await sign_on_as(live, floor, address, "Flora Floor", Role.FLOORPERSON)
            await floor.goto(f"{address}/floor")
            await floor.locator("table-tile").get_by_text("rules wait").wait_for()
            await floor.get_by_role("button", name="Adopt the filed rules").click()
            await floor.get_by_role("dialog").get_by_role("button", name="Do it").click()
            await floor.get_by_role("dialog").wait_for(state="hidden")
            assert live.rooms["Midi"].rules.elects("tie_odds") == 9
            await page.reload()
            await page.get_by_text("as filed").wait_for()
            assert await page.get_by_text("Filed, not in force yet").count() == 0
            assert wrong + wrong_too == []
            audited(live, tmp_path)

    run_in_browser(work())


def test_a_change_that_must_be_announced_waits_for_its_notice(tmp_path: Path) -> None:
    async def work() -> None:
        async with (
            served(tmp_path, **production(tmp_path)) as (live, address),
            browsing(width=1440, height=900) as (page, wrong),
        ):
            await open_pit(live, "north", Punto="nj-punto-banco")
            await at_office(live, page, address, Role.CASINO_SUPERVISOR)
            await page.get_by_text("as filed").wait_for()
            await page.locator("#option-settlement_option").get_by_role("button", name="2").click()
            steps = page.locator(".steps")
            await steps.get_by_text("must be notified 30 minutes in advance").first.wait_for()
            assert await steps.get_by_role("button", name="File").is_disabled()
            await steps.get_by_role("button", name="Notify the Commission now").click()
            await steps.locator("notice-clock").get_by_text("left of 30 minutes").wait_for()
            await steps.get_by_role("button", name="Notify surveillance now").click()
            await steps.locator("notice-clock").nth(1).wait_for()
            file = steps.get_by_role("button", name="File, effective from")
            await file.click()
            await page.get_by_text("Filed, not in force yet").wait_for()
            await page.get_by_text("takes effect at").wait_for()
            assert wrong == []

    run_in_browser(work())


@pytest.mark.pages
def test_somebody_new_comes_in_by_a_link_and_signs_on(tmp_path: Path) -> None:
    async def work() -> None:
        async with (
            served(tmp_path, **production(tmp_path)) as (live, address),
            browsing() as (page, wrong),
            browsing(width=390, height=844, theme="dark") as (other, wrong_too),
        ):
            await at_office(live, page, address, Role.ADMINISTRATOR, "#people")
            await page.get_by_label("Name to sign on with").fill("Nell O'New")
            new = page.locator("section").filter(has_text="New person")
            await new.get_by_label("pit clerk").check()
            await new.get_by_role("button", name="Add, and make a link").click()
            link = await page.locator(".one-time input").input_value()
            assert link.startswith(f"{address}/password#")
            await page.get_by_text("no password yet").wait_for()

            other.set_default_timeout(PATIENCE)
            await other.goto(link)
            await other.get_by_label("New password").fill("a long enough password")
            assert "#" not in other.url, "the secret does not stay in the address"
            await other.get_by_label("Repeat the password").fill("another password")
            await other.get_by_role("button", name="Set it").click()
            await other.get_by_role("alert").filter(has_text="passwords differ").wait_for()
            await other.get_by_label("Repeat the password").fill("a long enough password")
            await other.get_by_role("button", name="Set it").click()
            await other.wait_for_url("**/sign-on")
            await page.reload()
            row = page.locator(".people > li").filter(has_text="Nell O'New")
            await row.wait_for()
            assert await row.get_by_text("no password yet").count() == 0
            await row.get_by_role("button", name="Deactivate").click()
            await page.get_by_text("deactivated").wait_for()
            for _ in range(12):
                live.desk.denials.enter_denial("person-" + "1" * 32, make_denial(Denial.OTHER_PERSON), "sit table T1")
            live.desk.denials.write_counts(is_closing=True)
            await page.get_by_role("link", name="Access log").click()
            await page.get_by_role("cell", name="deactivated", exact=True).wait_for()
            assert await page.get_by_role("cell", name="denied", exact=True).count() == 5
            await page.get_by_role("cell", name="denied, 7 times from").wait_for()
            assert wrong + wrong_too == []

    run_in_browser(work())


@pytest.mark.parametrize(
    "sections",
    [(), pytest.param(("Pits and tables", "People", "Devices", "Access log"), marks=pytest.mark.pages)],
)
def test_axe_finds_nothing_and_nothing_hangs_over_the_edge(sections: tuple[str, ...], tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, **production(tmp_path)) as (live, address), browsing() as (page, wrong):
            await open_pit(live, "main", Midi="ma-midi-4-royal9")
            await at_office(live, page, address, Role.ADMINISTRATOR)
            await page.locator("#option-tie_odds").get_by_role("textbox").fill("7")
            await page.get_by_text("✕ 1 wrong").wait_for()
            for section in sections or ("Submissions",):
                if sections:
                    await page.get_by_role("link", name=section).click()
                    await page.get_by_role("heading", level=1, name=section).wait_for()
                for width in (390, 1180, 1440):
                    await page.set_viewport_size({"width": width, "height": 840})
                    wide = await page.evaluate("() => document.documentElement.scrollWidth")
                    assert wide <= width, section
                assert await found_in_both_themes(page) == [], section
            await page.goto(f"{address}/password#none")
            await page.get_by_role("button", name="Set it").wait_for()
            assert await found_in_both_themes(page) == []
            assert wrong == []

    run_in_browser(work())
