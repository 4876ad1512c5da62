"""Titles of tables for people: from what a Submission elects, and the same in the catalogue of the pages."""

from __future__ import annotations

import json

import pytest

from baccarat.law.rulebook import rulebook, shipped_submissions
from baccarat.law.table_title import TRAITS, title_of_table
from baccarat.serve.route.page import PAGES

TITLES = {
    "ma-midi-1": "Midi Baccarat, 5 % commission",
    "ma-midi-1-royal9": "Midi Baccarat, Royal 9, 5 % commission",
    "ma-midi-2": "Midi Baccarat, 5 % commission",
    "ma-midi-3": "Midi Baccarat, 5 % commission",
    "ma-midi-4": "Midi Baccarat, 5 % commission",
    "ma-midi-4-ez": "Midi Baccarat, EZ, no commission",
    "ma-midi-4-royal9": "Midi Baccarat, Royal 9, Must Hit jackpot, 5 % commission",
    "nj-punto-banco": "Punto Banco, 5 % commission",
    "nj-punto-banco-exempt": "Punto Banco, 5 % commission, none with a wager on the number of cards",
    "nj-punto-banco-six-half": "Punto Banco, no commission, Banker pays half on six",
}
WORDS = {code: json.loads((PAGES / "words" / f"{code}.json").read_text("utf-8")) for code in ("en", "zh-Hant")}


def test_every_shipped_submission_has_a_title_without_its_file_name() -> None:
    assert {name: title_of_table(rulebook(name)).say for name in shipped_submissions()} == TITLES


@pytest.mark.parametrize("name", TITLES)
def test_the_pages_have_words_for_every_part_of_a_title(name: str) -> None:
    title = title_of_table(rulebook(name))
    keys = [f"game.{title.game}", *(f"trait.{each}" for each in title.traits)]
    keys += [f"edition.{title.edition}"] if title.edition else []
    for words in WORDS.values():
        assert set(keys) <= set(words)
    said = [WORDS["en"][key].format(rate=title.rate) for key in keys if not key.startswith("edition.")]
    assert ", ".join(said) == title.say


def test_the_catalogue_has_every_trait_and_no_other() -> None:
    for words in WORDS.values():
        assert {key for key in words if key.startswith("trait.")} == {f"trait.{each}" for each in TRAITS}


def test_what_a_title_says_of_vigorish_is_what_is_elected() -> None:
    plain = title_of_table(rulebook("ma-midi-4"))
    assert (plain.rate, plain.coin, plain.deferred) == ("5", 25, False)
    later = title_of_table(rulebook("ma-midi-4", vig_collection="deferred", vig_rounding=False))
    assert (later.coin, later.deferred) == (0, True)
    assert (title_of_table(rulebook("ma-midi-4-ez")).rate, title_of_table(rulebook("ma-midi-4-ez")).coin) == ("", 0)
