"""The first administrator of a house, by the link on its terminal: the password is typed twice, and must be one."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import expect

from baccarat.serve.access.person import has_administrator
from browser import browsing, run_in_browser
from house_of_roles import production
from served import served

pytestmark = pytest.mark.slow


def test_the_first_administrator_types_the_password_twice_and_is_signed_on(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, **production(tmp_path)) as (live, address), browsing() as (page, wrong):
            (_, link) = await live.people.greeting(address)
            await page.goto(link.strip())
            await page.get_by_role("heading", name="The first administrator").wait_for()
            assert "#" not in page.url, "the link is a secret: it does not stay in the address"
            assert not await page.get_by_label("As", exact=True).is_visible()
            await page.get_by_label("Name").fill("Ada Admin")
            await page.get_by_label("Password", exact=True).fill("a long enough password")
            again = page.get_by_label("Repeat the password")
            await again.fill("a long enough passwort")
            await page.locator("form .main").click()
            await page.get_by_role("alert").filter(has_text="passwords differ").wait_for()
            await expect(again).to_be_focused()
            assert not has_administrator(live.store), "nothing was sent"
            await again.fill("a long enough password")
            await page.locator("form .main").click()
            await page.get_by_role("link", name="Office").wait_for()
            assert has_administrator(live.store)
            await page.get_by_role("button", name="Sign off").click()
            await page.wait_for_url("**/sign-on")
            assert not await page.get_by_label("Repeat the password").is_visible(), "whoever signs on types it once"
            assert wrong == []

    run_in_browser(work())
