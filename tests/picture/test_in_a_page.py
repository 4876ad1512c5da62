"""Pictures in a real page: they come in under the page's policy, and stand where the house drew them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from baccarat.picture.chip import CHIPS, MOST_SHOWN, split
from browser import browsing, run_in_browser
from served import served

pytestmark = pytest.mark.slow
PATIENCE = 60_000
PLAIN = "/docs/problem"
"""A page of the house without a script of its own."""

SHEET = """async () => {
  const pictures = await import("/page/js/picture.js");
  await pictures.picturesReady();
  for (const name of ["tokens", "base", "picture"]) {
    const link = document.createElement("link");
    link.rel = "stylesheet"; link.href = `/page/css/${name}.css`;
    await new Promise((done) => { link.onload = done; document.head.append(link); });
  }
  document.body.replaceChildren(...document.querySelectorAll(".picture-sheet"));
  const row = () => { const made = document.createElement("div"); made.style.display = "flex"; made.style.gap = "8px";
    made.style.margin = "8px"; document.body.append(made); return made; };
  const put = (line, picture, width) => { picture.style.width = `${width}px`; line.append(picture); };
  let line = row();
  for (const card of ["Ks", "Qh", "Jd", "Tc", "8s", "As", { rank: "9", suit: "h" }, null]) {
    put(line, pictures.cardPicture(card), 98);
  }
  line = row();
  for (const cents of [100, 500, 2500, 10000, 50000, 100000]) put(line, pictures.chipPicture(cents), 46);
  for (const cents of [10300, 22500, 163000, 525]) put(line, pictures.chipStack(cents, { label: String(cents) }), 46);
  for (const road of ["big_eye_boy", "small_road", "cockroach_pig"]) {
    for (const colour of ["red", "blue"]) put(line, pictures.markPicture(road, colour), 24);
  }
  line = row();
  const marks = "BBPPPbBBnBBPBTPPPPPpPPPB";
  for (const road of ["bead_plate", "big_road", "big_eye_boy", "small_road", "cockroach_pig"]) {
    line.append(await pictures.inlinePicture(pictures.roadAddress(road, marks)));
  }
  const felt = await pictures.inlinePicture("/api/tables/ma-midi-4/felt.svg");
  document.body.append(felt);
  felt.querySelector(".seat[data-seat='5']").classList.add("own");
  for (const [on, cents] of [["player", 22500], ["banker", 10300], ["tie", 2500], ["dragon_banker", 500]]) {
    const area = felt.querySelector(`.area[data-seat='5'][data-on='${on}']`);
    const stack = pictures.chipStackGroup(cents, { radius: Number(area.dataset.r) });
    stack.setAttribute("transform", `translate(${area.dataset.x} ${area.dataset.y})`);
    felt.append(stack);
  }
  await new Promise((done) => setTimeout(done, 50));
  const used = [...document.querySelectorAll("svg:not(.picture-sheet) use")];
  return used.map((use) => [use.getAttribute("href"), use.getBoundingClientRect().width > 0]);
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_cards_chips_roads_and_the_felt_stand_in_a_page(theme: str, tmp_path: Path) -> None:
    async def work() -> None:
        async with (
            served(tmp_path) as (_live, address),
            browsing(width=1040, height=1000, theme=theme) as (page, wrong),
        ):
            page.set_default_timeout(PATIENCE)
            await page.goto(f"{address}{PLAIN}")
            used = await page.evaluate(SHEET)
            if kept := os.environ.get("KEEP_SHOTS"):
                await page.screenshot(path=str(Path(kept) / f"pictures-{theme}.png"), full_page=True)
            assert [href for href, is_seen in used if not is_seen] == []
            assert used[:3] == [["#deck-Ks", True], ["#deck-Qh", True], ["#deck-Jd", True]]
            assert await page.get_by_role("img", name="king of spades").count() == 1
            assert await page.get_by_role("img", name="a card, face down").count() == 1
            assert await page.get_by_role("grid", name="Big road, 21 rounds").get_by_role("gridcell").count() == 20
            ids = await page.evaluate("() => [...document.querySelectorAll('[id]')].map((each) => each.id)")
            assert len(ids) == len(set(ids))
            assert wrong == []

    run_in_browser(work())


def test_a_page_stacks_the_chips_that_the_house_stacks(tmp_path: Path) -> None:
    sums = [1, 99, 525, 10_300, 22_500, 163_000, 99_999, 123_456_789, *(chip.cents for chip in CHIPS)]

    async def work() -> None:
        async with served(tmp_path) as (_live, address), browsing() as (page, _wrong):
            page.set_default_timeout(PATIENCE)
            await page.goto(f"{address}{PLAIN}")
            found = await page.evaluate(
                """async (sums) => {
                  const pictures = await import("/page/js/picture.js");
                  await pictures.picturesReady();
                  const made = sums.map((cents) => pictures.chipStackGroup(cents));
                  await new Promise((done) => setTimeout(done, 50));
                  const id = (use) => use.getAttribute("href").slice("#chips-".length);
                  return made.map((group) => [...group.children].map(id));
                }""",
                sums,
            )
            assert found == [[chip.id for chip in split(cents, most=MOST_SHOWN)] for cents in sums]

    run_in_browser(work())


def test_four_colours_change_every_card_of_the_page_at_once(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (_live, address), browsing() as (page, wrong):
            page.set_default_timeout(PATIENCE)
            await page.goto(f"{address}{PLAIN}")
            colours = await page.evaluate(
                """async () => {
                  const pictures = await import("/page/js/picture.js");
                  await pictures.picturesReady();
                  const colour = () => document.querySelector("#deck-8d .suit-d").getAttribute("fill");
                  const before = colour();
                  const settings = await import("/page/js/settings.js");
                  settings.choose("suits", "four");
                  while (!document.querySelector("#deck-8d") || colour() === before)
                    await new Promise(requestAnimationFrame);
                  const after = colour();
                  return [before, after, document.querySelectorAll("#deck-8d").length];
                }"""
            )
            assert colours == ["#b3261e", "#1f4fb8", 1]
            assert wrong == []

    run_in_browser(work())
