"""The page of rules in a real browser: every clause can be pointed at, found, and compared."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest

from baccarat.law.edition import load_edition, shipped_editions
from browser import browsing, run_in_browser
from look_at_page import findings
from served import served

pytestmark = pytest.mark.slow


def test_a_clause_tag_leads_to_its_clause_in_every_edition(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (_live, address), browsing() as (page, wrong):
            for name in shipped_editions():
                paragraphs = sorted({clause.paragraph for clause in load_edition(name).clauses.values()})
                last = paragraphs[-1]
                await page.goto(f"{address}/rules?edition={name}#{quote(last)}")
                aimed = page.locator(".aimed")
                await aimed.wait_for()
                assert await aimed.get_attribute("id") == last
                box = await aimed.bounding_box()
                assert box is not None
                assert 0 <= box["y"] < 800, "the clause is in sight"
                missing = await page.evaluate(
                    "(names) => names.filter((each) => !document.getElementById(each))", paragraphs
                )
                assert missing == []
                links = await page.evaluate(
                    "() => [...document.querySelectorAll('.clause clause-tag a')].map((each) => "
                    "[each.closest('.clause').id, decodeURIComponent(new URL(each.href).hash.slice(1))])"
                )
                assert all(own == target for own, target in links)
            await page.evaluate("() => { location.hash = '#3.3(c)'; }")
            await page.locator(".aimed clause-tag").get_by_text("§3.3(c)").wait_for()
            await page.evaluate("() => { location.hash = '#99(z)'; }")
            await page.get_by_text("has no clause “99(z)”").wait_for()
            assert wrong == []

    run_in_browser(work())


@pytest.mark.parametrize(("width", "height", "theme"), [(1440, 900, "light"), (390, 844, "dark")])
def test_clauses_are_found_editions_compared_and_coverage_told(
    width: int, height: int, theme: str, tmp_path: Path
) -> None:
    async def work() -> None:
        async with (
            served(tmp_path) as (_live, address),
            browsing(width=width, height=height, theme=theme) as (page, wrong),
        ):
            await page.goto(f"{address}/rules")
            await page.get_by_role("heading", name="Massachusetts, Baccarat – Midi Baccarat, fourth edition").wait_for()
            assert await findings(page) == []
            await page.get_by_label("Find in the clauses").fill("round vigorish up to quarters")
            await page.get_by_text("1 paragraph contains these words.").wait_for()
            assert await page.locator(".clause:visible").count() == 1
            assert "changed since ma-midi-3" in " ".join(await page.locator(".changed").all_inner_texts())
            await page.get_by_role("button", name="Differences").click()
            await page.get_by_role("heading", name="ma-midi-3 → ma-midi-4").wait_for()
            await page.get_by_label("Compared with").select_option("nj-punto-banco")
            await page.get_by_role("heading", name="nj-punto-banco → ma-midi-4").wait_for()
            assert await findings(page) == []
            await page.get_by_role("button", name="Coverage").click()
            await page.get_by_role("link", name="nj-punto-banco").wait_for()
            assert await findings(page) == []
            assert await page.evaluate("() => document.documentElement.scrollWidth") <= width
            assert wrong == []

    run_in_browser(work())
