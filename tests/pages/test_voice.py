"""A blind player: everything is done with keys, and cards, results and money are known only from what is announced."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.async_api import Page, expect

from browser import browsing, run_in_browser
from served import served
from table_page import NAME, go_to_table, sit_with_chips

pytestmark = pytest.mark.slow
BRISK: dict[str, Any] = {"pace": 0.02, "betting_seconds": 2.5, "squeeze_seconds": 15.0, "answer_seconds": 0.3}
ROUNDS = 60 if os.environ.get("BACCARAT_PAGES") else 3
"""How many rounds the blind player plays: most of a shoe in `make pages`."""

LISTEN = """() => {
  window.announced = [];
  const log = document.querySelector('[role="log"]');
  for (const said of log.children) announced.push(said.textContent);
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const said of addedNodes) announced.push(said.textContent);
  }).observe(log, { childList: true });
}"""
RANKS = {"ace": "A", "jack": "J", "queen": "Q", "king": "K", "10": "T"}
CARD = re.compile(r"(Player|Banker), card (\d): (\w+) of (\w+)\.")
WINS = re.compile(r"(Player|Banker) wins, (\d) to (\d)\.")
TIE = re.compile(r"Tie, (\d) to \1\.")


class Heard(NamedTuple):
    """A round as it was heard."""

    cards: dict[str, list[str]]
    winner: str
    counts: dict[str, int]


async def announced(page: Page, after: int, what: str) -> tuple[int, str]:
    """Wait for an announcement that matches, from a number on; where it stands, and what it says."""
    script = """([after, what]) => {
      const at = announced.findIndex((said, index) => index >= after && new RegExp(what).test(said));
      return at < 0 ? null : [at, announced[at]];
    }"""
    found = await (await page.wait_for_function(script, arg=[after, what])).json_value()
    return int(found[0]), str(found[1])


def heard_round(said: list[str]) -> Heard:
    """The cards by side, the winner and the counts, from announcements alone."""
    cards: dict[str, list[str]] = {"player": ["?"] * 3, "banker": ["?"] * 3}
    for text in said:
        for side, number, rank, suit in CARD.findall(text):
            cards[side.lower()][int(number) - 1] = RANKS.get(rank, rank) + suit[0]
    text = " ".join(said)
    if won := WINS.search(text):
        winner, other = won[1].lower(), "banker" if won[1] == "Player" else "player"
        return Heard(cards, winner, {winner: int(won[2]), other: int(won[3])})
    tied = TIE.search(text)
    assert tied, said
    return Heard(cards, "tie", {"player": int(tied[1]), "banker": int(tied[1])})


async def played(page: Page, number: int) -> tuple[Heard, str]:
    """Wager $100 on the Banker by keys, turn what is handed over, and listen to the end of the round."""
    begun, _ = await announced(page, 0 if not number else await count_of(page), r"Wagers are open\.")
    await page.keyboard.press("4")
    await page.keyboard.press("b")
    await announced(page, begun, r"^\$100 on Banker\.$")
    closed, _ = await announced(page, begun, r"^No more bets\.$")
    turn = page.locator("squeeze-panel:visible .foot .main")
    script = """([from]) => announced.slice(from).some((said) => /^You (won|lost|neither)/.test(said))"""
    while not await page.evaluate(script, [closed]):
        if await turn.count():
            await page.keyboard.press("Enter")
        await page.wait_for_timeout(30)
    end, money = await announced(page, closed, "^You (won|lost|neither)")
    said = await page.evaluate("([from, to]) => announced.slice(from, to)", [closed, end])
    return heard_round(said), money


async def count_of(page: Page) -> int:
    """How many announcements there were when wagers were last opened."""
    return int(
        await page.evaluate(r"() => announced.findLastIndex((said) => /^You (won|lost|neither)/.test(said)) + 1")
    )


def test_a_blind_player_plays_by_keys_and_ear(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, **BRISK, company=1) as (_live, address), browsing() as (page, wrong):
            await go_to_table(page, address)
            await page.evaluate(LISTEN)
            await sit_with_chips(page)
            await announced(page, 0, r"You sit at seat 3\.")
            await announced(page, 0, r"Chips \$1,000\.")
            chips = 100_000
            for number in range(ROUNDS):
                heard, money = await played(page, number)
                rounds = await page.evaluate(
                    f"() => fetch('/api/tables/{NAME}/rounds?limit=1').then((found) => found.json())"
                )
                record = rounds["rounds"][0]
                whole = await page.evaluate(
                    "(at) => fetch(at).then((found) => found.json())",
                    f"/api/tables/{NAME}/shoes/{record['shoe']}/rounds/{record['round']}",
                )
                events = [each["event"] for each in whole["events"]]
                turned = {each["position"]: each["card"] for each in events if each["event"] == "card_turned"}
                result = next(each for each in events if each["event"] == "result_announced")
                for side in ("player", "banker"):
                    drawn = [
                        each["position"] for each in events if each["event"] == "card_drawn" and each["to"] == side
                    ]
                    dealt = [turned[position]["rank"] + turned[position]["suit"] for position in drawn]
                    assert [card for card in heard.cards[side] if card != "?"] == dealt, (heard, dealt)
                    assert heard.counts[side] == result[side]
                assert heard.winner == result["outcome"]
                won = {"banker": 1, "player": -1, "tie": 0}[heard.winner]
                said = re.search(r"Chips \$([\d,.]+)\.", money)
                assert said, money
                after = round(float(said[1].replace(",", "")) * 100)
                assert (after > chips) - (after < chips) == won, money
                chips = after
            await page.keyboard.press("m")
            await announced(page, 0, rf"^Chips \${chips / 100:,.2f}".replace(".00", "") + r"[^ ]*, on the table \$0\.$")
            await page.keyboard.press("l")
            assert wrong == []

    run_in_browser(work(), 900)


def test_settings_are_in_one_place_and_stay(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (_live, address), browsing() as (page, wrong):
            await go_to_table(page, address)
            menu = page.locator("settings-menu")
            await menu.locator("summary").focus()
            await page.keyboard.press("Enter")
            await expect(page.get_by_label("Language")).to_be_focused()
            await page.get_by_label("Theme").select_option("dark")
            await page.get_by_label("Suits").select_option("four")
            await page.get_by_label("Movement of cards").select_option("still")
            await page.get_by_label("Sounds").select_option("on")
            await page.get_by_label("For screen readers").select_option("short")
            await page.keyboard.press("Escape")
            await expect(menu.locator("summary")).to_be_focused()
            await page.reload()
            root = page.locator("html")
            await expect(root).to_have_attribute("data-theme", "dark")
            await expect(root).to_have_attribute("data-suits", "four")
            await expect(root).to_have_attribute("data-speed", "still")
            await menu.locator("summary").click()
            await expect(page.get_by_label("Sounds")).to_have_value("on")
            await expect(page.get_by_label("For screen readers")).to_have_value("short")
            await page.locator("h1").first.dispatch_event("pointerdown")
            await expect(page.get_by_label("Sounds")).to_be_hidden()
            assert wrong == []

    run_in_browser(work())
