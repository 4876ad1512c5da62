"""The page of drills in a real browser: asked, answered by keyboard, graded with clauses, kept, and exported."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.async_api import Page, Response, expect

from baccarat.drill.base import DrillKind
from baccarat.drill.trainee import Trainee, pass_over
from baccarat.law.rulebook import rulebook
from browser import browsing, run_in_browser
from look_at_page import findings
from served import served

pytestmark = pytest.mark.slow
RULES = rulebook("nj-punto-banco")


async def kept(page: Page) -> dict[str, Any]:
    """What the browser keeps of these rules."""
    text = await page.evaluate("() => localStorage.getItem('drill')")
    found: dict[str, Any] = json.loads(text)["rules"][RULES.hash]
    return found


async def right_choice(page: Page) -> str:
    """The key of the right answer, which the page itself does not know."""
    held = await kept(page)
    trainee = msgspec.convert(held["trainee"], Trainee)
    sitting = held["sitting"]
    kinds = [DrillKind(kind) for kind in sitting["kinds"]]
    shown = pass_over(RULES, trainee, seed=sitting["seed"], milliseconds=0, kinds=kinds)
    return shown.graded.answer[0]


@pytest.mark.parametrize(("width", "height", "theme"), [(1280, 800, "light"), (390, 844, "dark")])
def test_a_sitting_is_answered_by_keyboard_kept_and_exported(
    width: int, height: int, theme: str, tmp_path: Path
) -> None:
    sent: list[str] = []

    async def heard(response: Response) -> None:
        if response.url.endswith("/exercise"):
            sent.append(await response.text())

    async def work() -> None:
        async with (
            served(tmp_path) as (_live, address),
            browsing(width=width, height=height, theme=theme) as (page, wrong),
        ):
            page.on("response", heard)
            await page.goto(f"{address}/drill?submission=nj-punto-banco")
            await page.get_by_role("checkbox").first.wait_for()
            for box in await page.get_by_role("checkbox").all():
                await box.set_checked(await box.get_attribute("value") == "draw")
            await page.get_by_label("Exercises in a sitting").select_option("10")
            await page.locator("#setting").get_by_role("button", name="Begin a new sitting").click()
            await page.get_by_role("button", name="Show the answer").click()
            await page.get_by_text("✕ Wrong").wait_for()
            assert await page.locator(".grade clause-tag a").count() >= 1
            assert await findings(page) == []
            await page.keyboard.press("Enter")
            for number in range(2, 5):
                await page.get_by_text(f"{number} of 10").wait_for()
                await page.keyboard.press(await right_choice(page))
                await page.locator(".grade.right").wait_for()
                await page.keyboard.press("Enter")
            marks = (await kept(page))["sitting"]["marks"]
            assert marks[3]["case"] == marks[0]["case"], "what went wrong comes back after two others"
            await page.get_by_text("5 of 10").wait_for()
            await page.reload()
            await page.get_by_text("5 of 10").wait_for()
            await page.get_by_text("3 of 4 right").wait_for()
            for number in range(5, 11):
                await page.get_by_text(f"{number} of 10").wait_for()
                await page.keyboard.press(await right_choice(page))
                await page.locator(".grade.right").wait_for()
                await page.keyboard.press("Enter")
            await page.get_by_text("Score sheet").wait_for()
            await page.locator(".sheet").get_by_text("90 %").wait_for()
            async with page.expect_download() as saved:
                await page.get_by_role("button", name="CSV").click()
            file = tmp_path / "sheet.csv"
            await (await saved.value).save_as(file)
            rows = list(csv.DictReader(io.StringIO(file.read_text("utf-8"))))
            assert [row["right"] for row in rows] == ["no", *["yes"] * 9]
            assert await page.evaluate("() => document.documentElement.scrollWidth") <= width
            assert wrong == []

    run_in_browser(work())
    assert len(sent) >= 10
    for text in sent:
        assert set(json.loads(text)) == {"number", "kind", "seconds", "question"}, "no answer before it is given"


def test_acts_are_put_in_order_and_a_sum_is_typed(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (_live, address), browsing() as (page, wrong):
            await page.goto(f"{address}/drill?submission=nj-punto-banco")
            await page.get_by_role("checkbox").first.wait_for()
            for kind in ("order", "vigorish"):
                for box in await page.get_by_role("checkbox").all():
                    await box.set_checked(await box.get_attribute("value") == kind)
                await page.locator("#setting").get_by_role("button", name="Begin a new sitting").click()
                if kind == "order":
                    await page.locator("button.answer").first.wait_for()
                    keys = [await each.inner_text() for each in await page.locator("button.answer kbd").all()]
                    await page.keyboard.press(keys[0])
                    await page.keyboard.press("Backspace")
                    for key in keys:
                        await page.keyboard.press(key)
                    await page.locator(".why.numbered li").nth(len(keys) - 1).wait_for()
                else:
                    await page.get_by_label("Your answer, in dollars").fill("much")
                    await page.keyboard.press("Enter")
                    await page.get_by_text("Expected a sum in dollars").wait_for()
                    await page.get_by_label("Your answer, in dollars").fill("0.01")
                    await page.keyboard.press("Enter")
                    await page.get_by_text("You answered: $0.01").wait_for()
            assert [each for each in wrong if "422" not in each] == [], "an answer that cannot be read is said, no more"

    run_in_browser(work())


def test_the_clock_of_an_exercise_goes_on_when_the_page_is_loaded_again(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (_live, address), browsing() as (page, wrong):
            await page.clock.install()
            await page.goto(f"{address}/drill?submission=nj-punto-banco")
            await page.get_by_role("checkbox").first.wait_for()
            for box in await page.get_by_role("checkbox").all():
                await box.set_checked(await box.get_attribute("value") == "draw")
            await page.locator("#setting").get_by_role("button", name="Begin a new sitting").click()
            clock, pace = page.locator("#clock"), page.locator("#pace")
            await expect(clock).to_have_text(re.compile(r"^0 s of \d+ s$"))
            await page.clock.fast_forward(2_000)
            await page.keyboard.press(await right_choice(page))
            await expect(page.locator(".grade.right .verdict")).to_contain_text(re.compile(r"Right.*2\.\d s"))
            await page.keyboard.press("Enter")
            await page.get_by_text("2 of 20").wait_for()
            await page.clock.fast_forward(3_000)
            await expect(clock).to_have_text(re.compile("^3 s of"))
            await expect(pace).not_to_have_class(re.compile("late"))
            await page.reload()
            await page.get_by_text("2 of 20").wait_for()
            await expect(clock).to_have_text(re.compile("^[3-9] s of"))
            allowed = int((await clock.inner_text()).split(" of ")[1].split()[0])
            await page.clock.fast_forward(allowed * 1_000)
            await expect(pace).to_have_class(re.compile("late"))
            await page.keyboard.press(await right_choice(page))
            await expect(page.locator(".grade .verdict")).to_contain_text("Right, but later than a table allows")
            mark = (await kept(page))["sitting"]["marks"][1]
            assert mark["milliseconds"] > allowed * 1_000
            assert wrong == []

    run_in_browser(work())
