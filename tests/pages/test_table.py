"""The lobby and the table in a real browser: from README's command to a paid round, two people, lost connections."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

from baccarat.record.wire import read_command
from baccarat.serve.fanout.message import Bye
from baccarat.serve.live import HouseServer
from browser import browsing, run_in_browser
from look_at_page import Weight, first_paint, shifts, watch_shifts
from served import audited, served
from served_program import Program
from table_page import NAME, PATIENCE, go_to_table, sit_with_chips, turn_whatever_is_mine, wagers_open

pytestmark = pytest.mark.slow
MOST_BYTES = 170_000
MOST_MS = 100
BRISK = {"BACCARAT_PACE": "0.2", "BACCARAT_BETTING_SECONDS": "5", "BACCARAT_ANSWER_SECONDS": "1"}
UNHURRIED: dict[str, Any] = {"pace": 0.25, "betting_seconds": 1.5, "squeeze_seconds": 15.0, "answer_seconds": 0.5}


def test_a_newcomer_comes_from_the_readmes_command_to_a_paid_round(tmp_path: Path) -> None:
    async def work(address: str) -> None:
        async with browsing(width=1440, height=900) as (page, wrong):
            page.set_default_timeout(PATIENCE)
            expect.set_options(timeout=PATIENCE)
            weight = Weight(page)
            await page.goto(address)
            assert await soonest_paint(page) < 1000
            await page.get_by_role("button", name="New Jersey").click()
            await expect(page.locator("#tables > li")).to_have_count(4)
            await page.get_by_role("button", name="Massachusetts").click()
            await expect(page.locator(f'[data-table="{NAME}"] .limits')).to_have_text(re.compile(r"\$25\s*to \$5,000"))
            await page.get_by_role("link", name=re.compile("Sit at Midi Baccarat.*, Table 5$")).click()
            await page.get_by_role("button", name="$1,000 in chips").click()
            await wagers_open(page)
            assert await soonest_paint(page) < 1000
            await wagers_open(page)
            await page.keyboard.press("4")
            await page.keyboard.press("b")
            await expect(page.locator("#purse dd").nth(1)).to_have_text("$100.00")
            await turn_whatever_is_mine(page, ".bet.win, .bet.lose, .bet.push")
            await expect(page.locator("why-drawer h2")).to_have_text(re.compile("Why did the Banker (draw|stay)"))
            await page.locator("#history li").first.wait_for()
            slip = page.locator("#slip .net b")
            net = await slip.inner_text()
            assert net in ("+$95.00", "−$100.00", "$0.00")
            await wagers_open(page)
            await expect(slip).to_have_text(net)  # until the next one
            await expect(page.locator("#purse dd").nth(2)).to_have_text(net)
            page_weight = sum(size for url, size in (await weight.bytes()).items())
            assert page_weight < 4 * MOST_BYTES, "lobby and table together, each twice"
            await page.locator("#slip .slip-line").click()
            await expect(page.locator("#slip .slip-table tfoot .sum")).to_have_text(net)
            await page.get_by_role("link", name="All my rounds").click()
            await expect(page.locator("#list tbody tr .net")).to_have_text(net)
            await expect(page.locator("#sums .first dd")).to_have_text(net)
            assert wrong == []

    with Program("--port", "0", folder=tmp_path, environment=BRISK) as program:
        run_in_browser(work(program.address()))


async def soonest_paint(page: Page) -> float:
    """The sooner of two paints of a page: the machine may have had other work."""
    once = await first_paint(page)
    await page.reload()
    return min(once, await first_paint(page))


def test_nothing_jumps_while_cards_are_dealt_and_an_act_is_seen_at_once(tmp_path: Path) -> None:
    async def work() -> None:
        async with (
            served(tmp_path, **UNHURRIED, company=2) as (_live, address),
            browsing(width=1440, height=900) as (page, wrong),
        ):
            weight = Weight(page)
            await go_to_table(page, address)
            await sit_with_chips(page, 5)
            await wagers_open(page)
            await page.wait_for_timeout(300)
            total = sum((await weight.bytes()).values())
            assert total < MOST_BYTES, await weight.bytes()
            await watch_shifts(page)
            took = [await seen_after(page)]
            while min(took) >= MOST_MS and len(took) < 4:  # the machine may have had other work
                await wagers_open(page)
                took.append(await seen_after(page))
            assert min(took) < MOST_MS, f"milliseconds until a wager was seen: {took}"
            await expect(page.locator("dealer-call")).to_have_attribute("data-state", "open")
            assert await shifts(page) == []
            assert wrong == []

    run_in_browser(work())


async def seen_after(page: Page) -> float:
    """How many milliseconds after a click a wager is seen; its round is played to the end."""
    seen = float(await page.evaluate(SEEN_AFTER))
    await turn_whatever_is_mine(page, ".bet.win, .bet.lose, .bet.push")
    return seen


SEEN_AFTER = """
() => new Promise((seen) => {
  const from = performance.now(), bets = document.querySelector('bac-felt .bets');
  const look = () => { if (bets.querySelector('.bet')) seen(performance.now() - from); };
  new MutationObserver(look).observe(bets, {childList: true});
  const area = document.querySelector('bac-felt .area.own[data-on="banker"]');
  area.dispatchEvent(new MouseEvent('click', {bubbles: true}));
})
"""


def test_one_of_two_people_squeezes_and_the_other_sees_nothing_before_the_turn(tmp_path: Path) -> None:
    async def work() -> None:
        async with (
            served(tmp_path, pace=0.25, betting_seconds=10.0, squeeze_seconds=15.0) as (live, address),
            browsing() as (holder, wrong),
            browsing(width=390, height=844, theme="dark") as (other, wrong_too),
        ):
            said: list[str] = []
            other.on("websocket", lambda socket: socket.on("framereceived", lambda text: said.append(str(text))))
            other.on("response", lambda answer: said.append(answer.url))
            for page, seat in ((holder, 3), (other, 6)):
                await go_to_table(page, address)
                await sit_with_chips(page, seat)
            await wagers_open(holder)
            await holder.locator('bac-felt .area.own[data-on="player"]').click()
            await wagers_open(other)
            await other.locator('.spot[data-on="tie"]').click()
            await holder.locator("card-squeeze").first.wait_for()
            assert live.rooms[NAME].state.round.turned == {}
            assert not any("/held" in each or '"turned":{"' in each for each in said)
            await expect(other.locator("squeeze-panel")).to_be_hidden()
            cards = holder.locator("card-squeeze")
            assert await cards.locator(".lift").count() == 0, "nothing of a face is drawn before it is peeled"
            await peel(holder, cards.nth(0))
            await cards.nth(1).focus()
            for _ in range(4):
                await holder.keyboard.press("ArrowRight")
            await expect(cards.nth(1)).to_have_attribute("aria-valuetext", re.compile(r"lifted \d+ percent"))
            await holder.keyboard.press("t")
            assert await cards.nth(1).locator(".thumb").count() == 0
            await holder.keyboard.press("Escape")
            await expect(cards.nth(1)).to_have_attribute("aria-valuenow", "0")
            assert await cards.nth(1).locator(".lift").count() == 0, "a card that is laid back shows its back"
            assert live.rooms[NAME].state.round.turned == {}, "whoever peels has turned nothing yet"
            await expect(other.locator("#player.held .held-by")).to_have_text(re.compile(r"seat 3 turns 0:\d\d"))
            await holder.get_by_role("button", name="Turn both").wait_for()
            await cards.nth(0).focus()
            await holder.keyboard.press("Enter")
            face, frame = await cards.nth(0).locator("use").bounding_box(), await cards.nth(0).bounding_box()
            assert face is not None
            assert frame is not None
            assert frame["x"] <= face["x"] <= face["x"] + face["width"] <= frame["x"] + frame["width"]
            assert frame["y"] <= face["y"] <= face["y"] + face["height"] <= frame["y"] + frame["height"]
            await expect(cards.nth(1)).to_be_focused()
            await holder.get_by_role("button", name="Turn", exact=True).wait_for()
            assert live.rooms[NAME].state.round.turned == {}, "one card of two is not handed back yet"
            assert await holder.evaluate(WHEN_TIME_ENDS) == [[], ["return_cards"]]
            await holder.keyboard.press("Enter")
            await expect(other.locator("hand-cards#player .slot [aria-label*=' of ']")).to_have_count(2)
            assert wrong == wrong_too == []

    run_in_browser(work())


WHEN_TIME_ENDS = """
() => {
  const panel = document.createElement('squeeze-panel'), given = [];
  document.body.append(panel);
  panel.addEventListener('command', (event) => { event.stopPropagation(); given.push(event.detail.do); });
  const make = () => Object.assign(document.createElement('card-squeeze'), {card: '8s'});
  panel.cards.replaceChildren(make(), make());
  Object.assign(panel, {key: '1,2', hidden: false, wait: {until: performance.now() + 300, of: 15000}});
  panel.tick();
  const untouched = [...given];
  panel.cards.firstChild.turn();
  panel.tick();
  panel.tick();
  panel.remove();
  return [untouched, given];
}
"""
"""What a panel hands back when its time ends: nothing for somebody who has not begun, once if a card is turned."""


async def peel(page: Page, card: object) -> None:
    """Drag the lower edge of a card up: thumbs cover both its indices."""
    box = await card.bounding_box()  # type: ignore[attr-defined]
    middle = box["x"] + box["width"] / 2
    await page.mouse.move(middle, box["y"] + box["height"] - 30)
    await page.mouse.down()
    await page.mouse.move(middle - 12, box["y"] + box["height"] - 140, steps=5)
    await page.mouse.up()
    assert await page.locator("card-squeeze").first.locator(".thumb").count() == 2


def test_a_watcher_sees_how_many_seats_are_free_now(tmp_path: Path) -> None:
    async def work() -> None:
        async with (
            served(tmp_path, company=0) as (_, address),
            browsing() as (watching, wrong),
            browsing() as (sitting, _),
        ):
            await go_to_table(watching, address)
            await expect(watching.locator("#purse dd")).to_have_text("9 seats free")
            await go_to_table(sitting, address)
            await sit_with_chips(sitting)
            await expect(watching.locator("#purse dd")).to_have_text("8 seats free")
            assert wrong == []

    run_in_browser(work())


def test_three_lost_connections_in_one_round_lose_nothing(tmp_path: Path) -> None:
    async def work() -> None:
        async with (
            served(tmp_path, **UNHURRIED | {"squeeze_seconds": 15.0}) as (live, address),
            browsing() as (page, wrong),
        ):
            await go_to_table(page, address)
            await sit_with_chips(page)
            await wagers_open(page)
            await page.keyboard.press("b")
            await expect(page.locator("bac-felt .bet")).to_have_count(1)
            await cut(live, page)
            await page.locator("dealer-call[data-state=closed]").wait_for()
            await expect(page.locator("bac-felt .bet")).to_have_count(1)
            await cut(live, page)
            await page.locator("squeeze-panel:visible card-squeeze").first.wait_for()
            await cut(live, page)
            await page.locator("squeeze-panel:visible card-squeeze").first.wait_for()
            await turn_whatever_is_mine(page, ".bet.win, .bet.lose, .bet.push")
            await live.house.writer.wait_until_flushed()
            audited(live, tmp_path)
            assert wrong == []

    run_in_browser(work())


NOTE_LOSSES = """
() => {
  window.lost = [];
  const call = document.querySelector('dealer-call');
  new MutationObserver(() => window.lost.push(call.dataset.state)).observe(call, {attributeFilter: ['data-state']});
}
"""


async def cut(live: HouseServer, page: Page) -> None:
    """End every line to the table; the page says so, and comes back by itself."""
    await page.evaluate(NOTE_LOSSES)
    for guest in list(live.rooms[NAME].guests):
        guest.line.end(Bye(why="closing", say="The line ends."))
    await page.wait_for_function("() => window.lost.includes('lost') && window.lost.at(-1) !== 'lost'")


def test_a_page_says_what_holds_while_the_house_is_closed_and_goes_on_when_it_is_back(tmp_path: Path) -> None:
    async def work() -> None:
        async with browsing() as (page, _wrong):
            async with served(tmp_path) as (_live, address):
                port = int(address.rpartition(":")[2])
                await go_to_table(page, address)
                await page.get_by_role("button", name="Sit at seat 3", exact=True).click()
                await page.get_by_role("button", name="$1,000 in chips").wait_for()
            await expect(page.locator("dealer-call")).to_have_attribute("data-state", "lost")
            await expect(page.locator("#beside .tag").first).to_have_class("tag held")
            await expect(page.locator("dealer-call")).to_contain_text("Wagers on the layout stay.")
            await expect(page.locator("dealer-call")).to_contain_text(re.compile(r"since \d\d:\d\d:\d\d"))
            async with served(tmp_path, listen=port):
                await expect(page.locator("dealer-call")).not_to_have_attribute("data-state", "lost")
                await expect(page.locator("#beside .tag").first).to_have_class("tag live")
                await page.get_by_role("button", name="$1,000 in chips").click()
                await expect(page.locator("#purse dd").first).to_have_text("$1,000.00")

    run_in_browser(work())


def test_chips_undo_double_rebet_clear_and_limits_on_the_spot(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, betting_seconds=3600.0) as (live, address), browsing() as (page, wrong):
            await go_to_table(page, address)
            await sit_with_chips(page)
            await wagers_open(page)
            staked = page.locator("#purse dd").nth(1)
            for key, lies in [("3p", "$25.00"), ("p", "$50.00"), ("d", "$100.00"), ("u", "$50.00"), ("t", "$75.00")]:
                for each in key:
                    await page.keyboard.press(each)
                await expect(staked).to_have_text(lies)
            await page.keyboard.press("c")
            await expect(staked).to_have_text("$0.00")
            await page.keyboard.press("u")
            await expect(staked).to_have_text("$75.00")
            await page.keyboard.press("1")
            await page.keyboard.press("b")
            await expect(page.locator("answer-line")).to_contain_text("below the posted minimum of $25.00")
            assert await page.locator("answer-line clause-tag").count() > 0
            await page.locator('bac-felt .area.own[data-on="player"]').focus()
            await page.keyboard.press("ArrowUp")
            focused = await page.evaluate("() => document.activeElement.dataset.on")
            assert focused == "banker"
            assert "$25 to $5,000" in await page.evaluate("() => document.activeElement.getAttribute('aria-label')")
            await page.locator('bac-felt .area.spot[data-seat="6"]').first.click(force=True)
            await page.wait_for_timeout(100)
            assert sum(wager.stake for wager in live.rooms[NAME].state.round.wagers) == 7500, (
                "another's area is not mine"
            )
            assert wrong == []

    run_in_browser(work())


def test_texts_of_others_stay_texts(tmp_path: Path) -> None:
    hostile = "<img src=x onerror='window.hit=1'><script>window.hit=1</script>"

    async def work() -> None:
        async with served(tmp_path) as (_live, address), browsing() as (page, _wrong):

            async def spoilt(route: object) -> None:
                answer = await route.fetch()  # type: ignore[attr-defined]
                said = await answer.json()
                await route.fulfill(response=answer, json=poisoned(said, hostile))  # type: ignore[attr-defined]

            await page.route(re.compile("/api/(tables.*|clauses.*|welcome)$"), spoilt)
            await page.goto(address)
            await page.get_by_text(hostile).first.wait_for()
            await page.goto(f"{address}/table/{NAME}")
            await page.get_by_text(hostile).first.wait_for()
            await asyncio.sleep(0.3)
            assert await page.evaluate("() => window.hit") is None

    run_in_browser(work())


TEXTS = frozenset({"title", "titles", "form_say", "say", "question", "side_wagers", "jurisdiction", "when_away"})


def poisoned(value: object, hostile: str, key: str = "") -> object:
    """An answer of the house with every text that people read replaced."""
    if isinstance(value, dict):
        return {name: poisoned(each, hostile, name if key != "titles" else key) for name, each in value.items()}
    if isinstance(value, list):
        return [poisoned(each, hostile, key) for each in value]
    return hostile if isinstance(value, str) and key in TEXTS else value


ANSWERS = """
(due) => {
  const panel = document.querySelector('due-act'), given = [];
  panel.addEventListener('command', (event) => { event.stopPropagation(); given.push(event.detail); });
  const wagers = [{seat: 3, on: 'banker', stake: 2500}];
  const about = {seat: 3, cards: 416, wagers, press: ['player', 'banker'], titles: {banker: 'Banker'}};
  panel.show({by: 'participant', seat: 3, cites: ['ma-midi-4 §5(d)'], say: `Seat 3: ${due}.`, act: due}, about);
  const text = panel.querySelector('input.line');
  if (text) text.value = 'a text of my own';
  for (const button of [...panel.querySelectorAll('button')]) button.click();
  return given;
}
"""


def test_every_act_that_is_due_from_a_seat_has_buttons_that_the_table_understands(tmp_path: Path) -> None:
    acts = {
        "answer_cut": 2, "answer_turn": 2, "answer_shoe": 3, "cut_cards": 2, "press_house_money": 1, "contribute": 1,
        "draw_card": 1,
    }  # fmt: skip

    async def work() -> None:
        async with served(tmp_path) as (_live, address), browsing() as (page, wrong):
            await go_to_table(page, address)
            for act, buttons in acts.items():
                given = await page.evaluate(ANSWERS, act)
                commands = [read_command(json.dumps(each).encode())[0] for each in given]
                assert len(commands) == buttons, (act, given)
                assert all(getattr(command, "seat", 0) == 3 for command in commands)
                assert commands[0].name == act
            assert wrong == []

    run_in_browser(work())


LAID_TWICE = """
async ([table, other]) => {
  const card = async (name) => (await fetch(`/api/tables/${name}`)).json(), felt = document.createElement('bac-felt');
  const [first, second] = [await card(table), await card(other)];
  document.body.append(felt);
  void felt.lay(first);
  await felt.lay(first);
  const spots = felt.legend.length;
  const late = felt.lay(second), back = felt.lay(first);
  await Promise.all([late, back]);
  return [spots, felt.legend.length, felt.querySelectorAll('.cloth-box > svg').length];
}
"""


def test_a_felt_that_is_asked_for_twice_at_once_is_laid_before_it_is_read(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (_live, address), browsing() as (page, wrong):
            await go_to_table(page, address)
            spots, again, pictures = await page.evaluate(LAID_TWICE, [NAME, "nj-punto-banco"])
            assert spots > 0
            assert (again, pictures) == (spots, 1)
            assert wrong == []

    run_in_browser(work())


ON_A_PHONE = """
() => {
  const due = document.querySelector('due-act'), about = {seat: 3, cards: 416, wagers: [], press: [], titles: {}};
  due.show({by: 'participant', seat: 3, cites: [], say: 'Seat 3 cuts.', act: 'cut_cards'}, about);
  document.querySelector('.open-more').click();
  const small = [...document.querySelectorAll('.bar :is(a, button, select), #instead button, #more button')]
    .filter((each) => each.checkVisibility())
    .filter((each) => each.getBoundingClientRect().height < 44 || each.getBoundingClientRect().width < 44);
  return {
    wide: document.documentElement.scrollWidth, small: small.map((each) => each.outerHTML.slice(0, 80)),
    gap: document.querySelector('.rail').getBoundingClientRect().top - due.getBoundingClientRect().bottom,
    bar: document.querySelector('.bar').getBoundingClientRect(),
  };
}
"""


def test_a_phone_has_room_for_fourteen_seats_and_shows_what_is_due_above_the_rail(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (_live, address), browsing(width=390, height=844) as (page, wrong):
            await go_to_table(page, address, "nj-punto-banco")
            await page.get_by_role("button", name="Sit at seat 14", exact=True).click()
            await page.get_by_role("button", name="$1,000 in chips").wait_for()
            found = await page.evaluate(ON_A_PHONE)
            assert found["wide"] <= 390
            assert found["small"] == []
            assert found["gap"] >= 0, "what is due does not lie under the rail"
            assert found["bar"]["width"] == 390, "the line under the bar goes to the edge"
            assert found["bar"]["height"] < 60, "the bar is one row, so that the table has the rest"
            await page.get_by_role("button", name="Play a coupon").click()
            await expect(page.get_by_role("textbox", name="coupon").first).to_be_visible()
            await page.get_by_role("button", name="Leave the table").click()
            await page.get_by_role("button", name="Sit at seat 14", exact=True).wait_for()
            assert not await page.locator("#more").evaluate("(menu) => menu.matches(':popover-open')")
            assert wrong == []

    run_in_browser(work())


def test_the_lobby_leads_to_a_seat_and_a_link_from_elsewhere_seats_nobody(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, betting_seconds=30.0) as (live, address), browsing() as (page, wrong):
            page.set_default_timeout(PATIENCE)
            expect.set_options(timeout=PATIENCE)
            await page.goto(f"{address}/table/{NAME}?seat=3")
            await page.get_by_role("button", name="Sit at seat 3", exact=True).wait_for()
            await page.goto(address)
            await page.locator(f'[data-table="{NAME}"] .go a.main').click()
            await expect(page.get_by_role("button", name="$1,000 in chips")).to_be_visible()
            (own,) = [each for each in live.house.state.tables[NAME].seats.participants if each is not None]
            assert own.who
            await page.get_by_role("button", name="Leave", exact=False).first.click()
            await page.get_by_role("button", name="Sit at seat 3", exact=True).wait_for()
            await page.reload()
            await page.get_by_role("button", name="Sit at seat 3", exact=True).wait_for()
            assert not wrong

    run_in_browser(work())
