"""Texts in another language: places are filled as its readers write, and every act of a console can be said in it."""

from __future__ import annotations

import json
import random
import re

import msgspec
import pytest

from baccarat.law.rulebook import shipped_submissions
from baccarat.play.wager import WagerKind
from baccarat.serve.route.page import PAGES
from baccarat.serve.watch.sentence import ToldEvent, told_event
from baccarat.table.actor import Actor
from baccarat.table.console.console_work import work_of
from baccarat.table.due_data import Sentence
from baccarat.table.role import Role
from baccarat.table.seating_acts import BuyIn, Sit
from baccarat.table.step.wagering import PlaceWager
from baccarat.table.view import Viewer
from page_script import run_page_script
from table_driver import Game, game_at

CHINESE: dict[str, str] = json.loads((PAGES / "words" / "zh-Hant.json").read_text("utf-8"))
READ_IN = """
const { readFileSync } = await import("node:fs");
globalThis.localStorage = { getItem: () => LANGUAGE };
globalThis.document = { documentElement: {} };
globalThis.fetch = async (path) => ({ json: async () => JSON.parse(readFileSync(new URL(path.slice(6), process.argv[2]), "utf-8")) });
process.env.TZ = "UTC";
const { listed, named, t, told, toldOf } = await import("/page/js/words.js");
const { dayOf } = await import("/page/js/time.js");
const noon = Date.UTC(2026, 10, 6, 0, 5, 9) * 1000;
const said = { say: "Seat 3 is paid.", what: "pay", params: { seat: 3, amount: 2500 } };
const found = {
  language: document.documentElement.lang,
  card: t("card.name", { rank: "3", suit: t("suit.d") }),
  waits: [t("dealer.waiting_for", { who: t("dealer.seat", { seat: 9 }) }), t("dealer.waiting_for", { who: named("role", "participant") })],
  comes: t("dealer.floor_comes", { who: "Bob Boss", time: "12:00" }), hostile: t("dealer.relieve", { name: "$& {name} <b>" }),
  seats: listed([7, 8, 9]), when: dayOf(noon), paid: told(said), lacks: told({ ...said, params: {} }),
  act: toldOf({ say: said.say, sentence: said }), nothing: toldOf(undefined), old: toldOf({ say: "As ever." }),
};
"""  # noqa: E501  a script


def read_in(language: str) -> dict[str, object]:
    """What texts come to in a language."""
    found: dict[str, object] = run_page_script(READ_IN.replace("LANGUAGE", json.dumps(language)))
    return found


def test_in_chinese_values_stand_apart_from_the_signs_beside_them() -> None:
    found = read_in("zh-Hant")
    assert found["language"] == "zh-Hant"
    assert found["card"] == "方塊 3"
    assert found["waits"] == ["等候 9 號位", "等候玩家"]
    assert found["comes"] == "Bob Boss 正在過來，12:00。"
    assert found["hostile"] == "接替 $& {name} <b>", "a name is text, whatever stands in it"


def test_lists_times_and_sentences_are_the_language_s_own() -> None:
    found = read_in("zh-Hant")
    assert found["seats"] == "7、8、9"
    assert re.fullmatch(r"11月6日 00:05:09", str(found["when"]))
    assert found["paid"] == found["act"] == "莊荷賠付 3 號位 $25。"
    assert found["lacks"] == "Seat 3 is paid.", "what cannot be said is said in the house's own words"
    assert (found["nothing"], found["old"]) == ("", "As ever.")


def test_english_stays_as_the_house_says_it() -> None:
    found = read_in("en")
    assert found["waits"] == ["Waiting for Seat 9", "Waiting for participant"]
    assert (found["seats"], found["when"]) == ("7, 8, 9", "6 Nov, 00:05:09")
    assert found["paid"] == found["act"] == "Seat 3 is paid."


def said_in_chinese(sentence: Sentence) -> bool:
    """Whether a sentence is known there, and all that it is made with is given."""
    text = CHINESE.get(f"said.{sentence.what}")
    return text is not None and set(re.findall(r"\{(\w+)", text)) <= sentence.params.keys()


def wager_something(game: Game, chance: random.Random) -> None:
    for seat in game.state.occupied:
        for kind in WagerKind:
            if chance.random() < 0.5:
                game.table.do(PlaceWager(seat=seat, on=kind, stake=2_500))


HOUSE = (
    READ_IN[: READ_IN.index("const { listed")]
    .replace("LANGUAGE", '"zh-Hant"')
    .replace("documentElement: {}", "documentElement: {}, querySelector: () => ({ getAttribute: () => 'house' })")
)
SAME_IN_CHINESE = re.compile(
    r"House Money|Royal 9|K9|ma-midi-[\w-]+|nj-punto-banco[\w-]*|[0-9a-f]{12,}…?|table \d|set \d|\bp\d\b"
)
"""Names of wagers and Submissions, digests, and the names of this test's table and persons."""


def in_english(sentences: list[ToldEvent]) -> set[str]:
    """The sentences that a page in Chinese shows in English, or with English in them."""
    said = msgspec.json.encode([{"say": each.say, "what": each.what, "params": each.params} for each in sentences])
    script = f"""{HOUSE}const {{ told }} = await import("/page/js/words.js");
    const found = {said.decode()}.filter(({{ say }}) => say).map(told);"""
    told: list[str] = run_page_script(script)
    assert told
    return {each for each in told if re.search(r"[A-Za-z]{2}|[\[\]{}?]|undefined|NaN", SAME_IN_CHINESE.sub("", each))}


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(shipped_submissions()))
def test_whatever_a_dealer_is_asked_to_do_is_said_in_chinese_with_what_it_needs(name: str) -> None:
    chance, game = random.Random(7), game_at(name, step="receive", seats=())
    for seat in (1, 3, 5):
        game.do(Sit(seat=seat, person=f"p{seat}"))
        game.do(BuyIn(seat=seat, amount=5_000_000))
    unsaid, acts, asked = set[str](), set[str](), -1
    while game.state.round.number < 6:
        if game.step == "wager" and asked != game.state.round.number and not game.state.round.closed:
            asked = game.state.round.number
            wager_something(game, chance)
        table = game.table
        dealer = Actor(who=table.state.seats.dealers[0], role=Role.DEALER)
        shown = work_of(table.rules, table.state, dealer, table.event_at, len(table.log))
        said = [each.sentence for each in shown.acts]
        said += [each.sentence for each in (*shown.waiting, *shown.choices)]
        said += [each.follows_sentence for each in shown.acts if each.follows]
        said += [hand.sentence for hand in shown.ruled.hands] if shown.ruled is not None else []
        unsaid |= {each.what for each in said if not said_in_chinese(each)}
        acts |= {each.what for each in said}
        game.act(accept=game.next_act().act == "answer_shoe")
    assert unsaid == set()
    assert in_english([told_event(event, Viewer(Role.SURVEILLANCE)) for event in game.table.log]) == set()
    assert acts >= {"receive_cards", "burn_cards", "draw_card", "turn_card", "announce_count", "pay", "clear_table"}
