"""Answers that come late, in another order than they were asked for, or not at all: each page shows the newest."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from playwright.async_api import Page, Route, expect

from baccarat.table.role import Role
from browser import browsing, run_in_browser
from floor_house import open_pit, sign_on_as
from house_of_roles import production
from played import next_round, play_round
from served import served, soon
from table_page import NAME, go_to_table
from watched_house import visited

pytestmark = pytest.mark.slow


class Held:
    """Answers that the house has given, and that do not arrive before they are let go."""

    def __init__(self) -> None:
        self.asked = 0
        self.arrived = 0
        self._gate = asyncio.Event()

    async def __call__(self, route: Route) -> None:
        self.asked += 1
        answer = await route.fetch()
        await self._gate.wait()
        await route.fulfill(response=answer)
        self.arrived += 1

    async def let_go(self, page: Page) -> None:
        """Let all of them arrive, and the page do what it does with them."""
        self._gate.set()
        await soon(lambda: self.arrived == self.asked, "the answers do not arrive")
        await page.wait_for_timeout(300)


async def once_in_vain(route: Route) -> None:
    """The first question gets no answer, all others do."""
    await route.abort()
    await route.request.frame.page.unroute(route.request.url)


def errors_of(page: Page) -> list[str]:
    """What goes wrong in the scripts of a page from now on; that an answer did not come is no fault of theirs."""
    found: list[str] = []
    page.on("pageerror", lambda error: found.append(str(error)))
    return found


ASKED_TWICE = """
async (name) => {
  const usual = window.fetch, board = document.querySelector('road-board');
  let asked = 0;
  window.fetch = async (path, how) => {
    if (!path.endsWith('/roads')) return usual(path, how);
    asked += 1;
    const number = asked, said = await (await usual(path, how)).json();
    said.statistics.banker = number;
    if (number === 1) await new Promise((after) => setTimeout(after, 500));
    return new Response(JSON.stringify(said), { headers: { 'Content-Type': 'application/json' } });
  };
  await Promise.all([board.show(name), board.show(name)]);
  window.fetch = usual;
  return board.querySelector('.stats').textContent;
}
"""


def test_roads_that_were_asked_for_earlier_do_not_replace_later_ones(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (_live, address), browsing() as (page, wrong):
            await go_to_table(page, address)
            assert "Banker wins2" in await page.evaluate(ASKED_TWICE, NAME)
            assert wrong == []

    run_in_browser(work())


def test_roads_and_rounds_that_did_not_come_are_asked_for_again(tmp_path: Path) -> None:
    async def work() -> None:
        async with visited(tmp_path) as here, browsing() as (page, _):
            await go_to_table(page, here.address)
            await expect(page.locator("#history")).to_contain_text("No round")
            errors = errors_of(page)
            for path in ("roads", "rounds?limit=8"):
                await page.route(f"{here.address}/api/tables/{NAME}/{path}", once_in_vain)
            await play_round(here.table, here.client)
            await expect(page.locator("#history li")).to_have_count(1)
            await expect(page.locator("road-board .stats")).to_contain_text("1")
            assert errors == []

    run_in_browser(work())


def test_a_road_in_the_lobby_that_did_not_come_is_asked_for_again(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (_live, address), browsing() as (page, _):
            errors = errors_of(page)
            await page.route("**/picture/road/**", lambda route: route.abort())
            await page.goto(address)
            await page.locator(".card").first.wait_for()
            await page.wait_for_timeout(300)
            assert await page.locator(".card .road-box svg").count() == 0
            await page.unroute("**/picture/road/**")
            await page.locator(".card .road-box svg").first.wait_for()
            assert errors == []

    run_in_browser(work())


def test_pictures_of_the_floor_that_do_not_come_break_nothing(tmp_path: Path) -> None:
    async def work() -> None:
        async with visited(tmp_path, rounds=1) as here, browsing() as (page, _):
            errors = errors_of(page)
            came = await page.context.request.post(
                f"{here.address}/api/visit", data={"role": "floorperson"}, headers={"Origin": here.address}
            )
            assert came.ok
            await page.route("**/picture/**", lambda route: route.abort())
            await page.goto(f"{here.address}/floor")
            await page.locator("table-tile").first.wait_for()
            await page.wait_for_timeout(300)
            await page.unroute("**/picture/**")
            await next_round(here.table)
            await page.locator("table-tile .road svg").first.wait_for()
            assert errors == []

    run_in_browser(work())


ELSEWHERE = """
async () => {
  const { goTo } = await import('/page/js/watch/asking.js'), { now } = await import('/page/js/watch/looked_at.js');
  const usual = window.fetch;
  let arrive;
  const arrives = new Promise((after) => { arrive = after; });
  window.fetch = async (path, how) => {
    if (!path.includes('/shoes/9')) return usual(path, how);
    const said = await (await usual(path.replace('/shoes/9', '/shoes/1'), how)).json();
    await arrives;
    return new Response(JSON.stringify({ ...said, shoe: 9 }), { headers: { 'Content-Type': 'application/json' } });
  };
  const late = goTo(9, 1);
  await goTo(1, 1, { first: true });
  arrive();
  await late;
  window.fetch = usual;
  return [now.shoe.shoe, now.film.shoe];
}
"""


def test_who_goes_elsewhere_is_not_brought_back_by_a_shoe_that_comes_late(tmp_path: Path) -> None:
    async def work() -> None:
        async with visited(tmp_path, rounds=2) as here, browsing() as (page, wrong):
            came = await page.context.request.post(
                f"{here.address}/api/visit", data={"role": "surveillance"}, headers={"Origin": here.address}
            )
            assert came.ok
            await page.goto(f"{here.address}/watch/{NAME}")
            await expect(page.locator("#state")).to_have_text("live")
            assert await page.evaluate(ELSEWHERE) == [1, 1]
            assert wrong == []

    run_in_browser(work())


FOLLOWED_MEANWHILE = """
async () => {
  const { follow, goTo } = await import('/page/js/watch/asking.js');
  const { isLive, now } = await import('/page/js/watch/looked_at.js');
  const usual = window.fetch, headers = { 'Content-Type': 'application/json' };
  const said = (data) => new Response(JSON.stringify(data), { headers });
  const gate = () => { let open; return [new Promise((after) => { open = after; }), open]; };
  const [news, newsArrive] = gate(), [earlier, earlierArrives] = gate();
  window.fetch = async (path, how) => {
    const answer = await (await usual(path, how)).json();
    if (path.includes(`round=${now.film.round}&after=`) && !path.endsWith('after=0')) {
      await news;
      return said({ ...answer, over: true });
    }
    if (path.includes('round=1&')) await earlier;
    return said(answer);
  };
  const following = follow(), going = goTo(1, 1);
  newsArrive();
  await new Promise((after) => setTimeout(after, 100));
  earlierArrives();
  await Promise.all([following, going]);
  window.fetch = usual;
  return [now.film.round, isLive()];
}
"""


def test_who_goes_to_an_earlier_round_is_not_brought_back_by_the_end_of_the_round_in_play(tmp_path: Path) -> None:
    async def work() -> None:
        async with visited(tmp_path, rounds=2) as here, browsing() as (page, wrong):
            came = await page.context.request.post(
                f"{here.address}/api/visit", data={"role": "surveillance"}, headers={"Origin": here.address}
            )
            assert came.ok
            await page.goto(f"{here.address}/watch/{NAME}")
            await expect(page.locator("#state")).to_have_text("live")
            assert await page.evaluate(FOLLOWED_MEANWHILE) == [1, False]
            assert wrong == []

    run_in_browser(work())


LET_IN_TWICE = """
async () => {
  const { HouseLine } = await import('/page/js/house_line.js'), line = new HouseLine(), Usual = window.WebSocket;
  const heard = () => new Promise((after) => line.addEventListener('change', after, { once: true }));
  await line.first();
  let made = 0;
  window.WebSocket = class extends Usual {
    constructor(where) {
      super(where);
      made += 1;
    }
  };
  line.socket.onclose = null;
  line.socket.close();
  line.turnedAway({ status: 423, message: 'locked' });
  line.seq = -1;
  line.retry();
  line.retry();
  await heard();
  await new Promise((after) => setTimeout(after, 300));
  return made;
}
"""


def test_a_line_that_is_let_in_again_twice_at_once_is_one_line(tmp_path: Path) -> None:
    async def work() -> None:
        async with visited(tmp_path) as here, browsing() as (page, wrong):
            came = await page.context.request.post(
                f"{here.address}/api/visit", data={"role": "surveillance"}, headers={"Origin": here.address}
            )
            assert came.ok
            await page.goto(f"{here.address}/watch")
            await page.locator("#tables tbody tr").first.wait_for()
            assert await page.evaluate(LET_IN_TWICE) == 1
            assert wrong == []

    run_in_browser(work())


def test_a_draft_belongs_to_the_table_that_was_chosen_last(tmp_path: Path) -> None:
    """What is filed of another table arrives late: it does not become the draft of this one."""

    async def work() -> None:
        async with served(tmp_path, **production(tmp_path)) as (live, address), browsing() as (page, wrong):
            await open_pit(live, "main", Midi="ma-midi-4", Punto="nj-punto-banco")
            await sign_on_as(live, page, address, "Boss Ann", Role.PIT_BOSS)
            await page.goto(f"{address}/office")
            await page.get_by_text("as filed").wait_for()
            about = page.locator(".draft .head .soft")
            midi = await about.inner_text()
            late = Held()
            await page.route("**/api/tables/Punto/filed", late)
            await page.locator("#filing-table").select_option("Punto")
            await soon(lambda: late.asked == 1)
            await page.locator("#filing-table").select_option("Midi")
            await page.get_by_text("as filed").wait_for()
            await late.let_go(page)
            await expect(about).to_have_text(midi)
            assert await page.locator("#option-tie_odds").count() == 1
            assert wrong == []

    run_in_browser(work())


MORE_TWICE = """
() => {
  const more = document.querySelector('.view.log > button');
  more.click();
  more.click();
}
"""


def test_the_access_log_shows_each_line_once_however_often_one_asks_for_more(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, **production(tmp_path)) as (live, address), browsing() as (page, wrong):
            await sign_on_as(live, page, address, "Admin Ann", Role.ADMINISTRATOR)
            asked = list[str]()

            async def pages(route: Route) -> None:
                asked.append(route.request.url)
                await asyncio.sleep(0.2)
                line = {"at": 1, "what": f"line {len(asked)}", "person": "", "by": "", "about": ""}
                await route.fulfill(body=json.dumps({"lines": [line], "next": str(len(asked))}))

            await page.route("**/api/access-log?*", pages)
            await page.goto(f"{address}/office#log")
            await page.get_by_text("line 1").wait_for()
            await page.evaluate(MORE_TWICE)
            await page.get_by_text("line 2").wait_for()
            await page.wait_for_timeout(500)
            assert [url.rpartition("cursor=")[2] for url in asked] == ["", "1"]
            assert wrong == []

    run_in_browser(work())


def test_an_exercise_that_is_answered_twice_at_once_counts_once(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (_live, address), browsing() as (page, wrong):
            await page.goto(f"{address}/drill?submission=nj-punto-banco")
            await page.get_by_role("checkbox").first.wait_for()
            await page.locator("#setting").get_by_role("button", name="Begin a new sitting").click()
            late = Held()
            await page.route("**/answer", late)
            await page.get_by_role("button", name="Show the answer").click(click_count=2)
            await soon(lambda: late.asked > 0)
            await late.let_go(page)
            await page.locator("#grade .grade").wait_for()
            marks = "() => Object.values(JSON.parse(localStorage.getItem('drill')).rules)[0].sitting.marks.length"
            assert await page.evaluate(marks) == 1
            assert wrong == []

    run_in_browser(work())


def test_drills_are_of_the_rules_that_were_chosen_last(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (_live, address), browsing() as (page, wrong):
            await page.goto(f"{address}/drill?submission=nj-punto-banco")
            where = page.locator("#where")
            await expect(where).not_to_be_empty()
            first = await where.inner_text()
            late = Held()
            await page.route("**/api/drills/ma-midi-1", late)
            await page.locator("#submission").select_option("ma-midi-1")
            await soon(lambda: late.asked == 1)
            await page.locator("#submission").select_option("nj-punto-banco")
            await late.let_go(page)
            await expect(where).to_have_text(first)
            assert wrong == []

    run_in_browser(work())
