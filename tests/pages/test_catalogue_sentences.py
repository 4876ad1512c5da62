"""Every sentence of the catalogue by pattern: one table and two tables, one mark at its end, no words of a program."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from baccarat.house.rule import HOUSE_RULES
from baccarat.serve.route.page import PAGES
from look_at_page import ODD_WORDS
from page_script import run_page_script

LANGUAGES = ("en", "zh-Hant")
WORDS: dict[str, dict[str, str]] = {
    language: json.loads((PAGES / "words" / f"{language}.json").read_text("utf-8")) for language in LANGUAGES
}
COUNTED = re.compile(r"\{(\w+)\} (\w+s)\b")
"""A value, and after it a word that may be a plural."""
NO_PLURALS = frozenset(
    [
        "approves",
        "declines",
        "draws",
        "gets",
        "gives",
        "goes",
        "has",
        "is",
        "less",
        "needs",
        "owes",
        "plays",
        "says",
        "stays",
        "takes",
        "turns",
        "was",
        "wins",
    ]
)
UNCHANGED = frozenset({"odds.about cards", "round.whole_shoe cards", "call.total_cards cards", "learn.proved cards"})
"""A shoe and a round always have several cards; the last is the document's own call."""
SAY_ALL = """
const { readFileSync } = await import("node:fs");
globalThis.localStorage = { getItem: () => LANGUAGE };
globalThis.document = { documentElement: {} };
globalThis.fetch = async (path) => ({ json: async () => JSON.parse(readFileSync(new URL(path.slice(6), process.argv[2]), "utf-8")) });
const { t } = await import("/page/js/words.js");
const texts = JSON.parse(readFileSync(new URL("words/" + LANGUAGE + ".json", process.argv[2]), "utf-8"));
const filled = (value) => new Proxy({}, { get: () => value });
const found = Object.fromEntries(Object.keys(texts).map((key) => [key, VALUES.map((value) => t(key, filled(value)))]));
"""  # noqa: E501  a script


def said(language: str, *values: Any) -> dict[str, list[str]]:
    """Every sentence with each of these values in all of its places."""
    script = SAY_ALL.replace("LANGUAGE", json.dumps(language)).replace("VALUES", json.dumps(values))
    found: dict[str, list[str]] = run_page_script(script)
    return found


def test_whatever_is_counted_has_a_word_for_one_and_one_for_several() -> None:
    plain = {
        f"{key} {word}": text
        for key, text in WORDS["en"].items()
        for _, word in COUNTED.findall(text)
        if word not in NO_PLURALS and f"{key} {word}" not in UNCHANGED
    }
    assert plain == {}
    found = said("en", 1, 2, "1,234")
    assert found["lobby.count"] == ["1 table", "2 tables", "1,234 tables"]
    assert found["rules.found"][0] == "1 paragraph contains these words."
    own = {key: texts[0] for key, texts in found.items() if not key.startswith("said.")}  # filled in by `told`
    assert {key: text for key, text in own.items() if "|" in text or "{" in text} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_ends_twice_whatever_stands_in_it(language: str) -> None:
    found = said(language, "Why?", "Ends.", "為何？")
    assert found["dealer.still_missing"][0].endswith("Why?")
    twice = re.compile(r"[.?!。？！][.。](\s|$)")
    assert {key: texts for key, texts in found.items() if any(map(twice.search, texts))} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_is_in_the_words_of_the_program(language: str) -> None:
    odd = re.compile(ODD_WORDS)
    found = said(language, "X")
    assert {key: texts[0] for key, texts in found.items() if odd.search(texts[0])} == {}


def test_every_rule_of_the_house_has_a_name_in_every_language() -> None:
    for words in WORDS.values():
        assert {key.removeprefix("clause.house.") for key in words if key.startswith("clause.house.")} == set(
            HOUSE_RULES
        )
